// The bar above a list: search, filters in a drawer (a bottom sheet on phones), columns and page size, export.
// RecordList renders it; a page passes `filters`. The field named `q` is the search box and is always visible.
"use client";
import { Button, TextInput } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconAdjustmentsHorizontal, IconSearch } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { type FormEvent, type ReactNode, useState } from "react";
import { Dialog } from "./dialog";
import classes from "./filter-bar.module.css";
import { type FilterField, type FilterReader, filtersOf } from "./filter-field";
import { FilterInputs } from "./filter-inputs";
import { useKeptSearch } from "./kept-search";
import { useListArea } from "./list-area";
import { addedFilters, baseOf, listAddress, tabFilters } from "./list-query";
import { ViewMenu } from "./view-menu";

/** Where the search box has room for its hint, as in the style sheet. */
const wide = "(min-width: 48em)";

interface Props {
  /** The list's title, for screen readers. */
  title: string;
  fields: readonly FilterField[];
  reader: FilterReader;
  /** Other controls, at the end of the bar. */
  children?: ReactNode;
}

export function FilterBar({ title, fields, reader, children }: Props) {
  const { query, go } = useListArea();
  const search = fields.filter(({ name }) => name === "q");
  const others = fields.filter(({ name }) => name !== "q");
  function apply(own: readonly FilterField[], event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const filters = filtersOf(own, query.filters, new FormData(event.currentTarget), reader);
    go(listAddress(query, { filters }));
  }
  return (
    <div className={classes.bar}>
      {search.map((field) => (
        <Search key={field.name} field={field} title={title} onSubmit={(event) => apply([field], event)} />
      ))}
      {others.length > 0 && <FilterDrawer fields={others} reader={reader} onSubmit={(event) => apply(others, event)} />}
      {query.shape.list !== undefined && <ViewMenu />}
      {children && <div className={classes.end}>{children}</div>}
    </div>
  );
}

type OnSubmit = (event: FormEvent<HTMLFormElement>) => void;

function Search({ field, title, onSubmit }: { field: FilterField; title: string; onSubmit: OnSubmit }) {
  const t = useTranslations("list");
  const { query } = useListArea();
  const hasRoom = useMediaQuery(wide);
  const text = query.filters["q"] ?? "";
  const { box, noteSubmit } = useKeptSearch(query.shape.path, text);
  return (
    <search aria-label={title} className={classes.search}>
      <form
        action={query.shape.path}
        onSubmit={(event) => {
          noteSubmit();
          onSubmit(event);
        }}
      >
        <TextInput
          ref={box}
          id="list-search"
          name={field.name}
          type="search"
          aria-keyshortcuts="/"
          size="sm"
          aria-label={field.label}
          placeholder={hasRoom ? field.label : t("search")}
          title={field.label}
          defaultValue={text}
          maxLength={field.kind === "text" ? field.maxLength : undefined}
          autoComplete="off"
          enterKeyHint="search"
          leftSection={<IconSearch size={16} aria-hidden />}
        />
      </form>
    </search>
  );
}

interface DrawerProps extends Pick<Props, "fields" | "reader"> {
  onSubmit: OnSubmit;
}

function FilterDrawer({ fields, reader, onSubmit }: DrawerProps) {
  const t = useTranslations("list");
  const { query, go } = useListArea();
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  const active = addedFilters(query).filter((name) => fields.some((field) => field.name === baseOf(name)));
  return (
    <>
      <Button
        variant="default"
        size="sm"
        leftSection={<IconAdjustmentsHorizontal size={16} aria-hidden />}
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
      >
        <span className="hidden-on-phones">
          {active.length > 0 ? t("filtersCount", { count: active.length }) : t("filters")}
        </span>
        {active.length > 0 && (
          <span aria-hidden className={classes.active}>
            {active.length}
          </span>
        )}
      </Button>
      <Dialog isOpen={isOpen} onClose={close} title={t("filters")} placement="side">
        <form
          className={classes.form}
          onSubmit={(event) => {
            onSubmit(event);
            close();
          }}
        >
          <FilterInputs fields={fields} filters={query.filters} reader={reader} />
          <div className={classes.actions}>
            <Button
              variant="default"
              onClick={() => {
                go(listAddress(query, { filters: tabFilters(query) }));
                close();
              }}
            >
              {t("clearAll")}
            </Button>
            <Button type="submit">{t("apply")}</Button>
          </div>
        </form>
      </Dialog>
    </>
  );
}
