// The opened menu of a list's columns and page size. The server remembers both for the user.
"use client";
import { Checkbox, Popover, SegmentedControl } from "@mantine/core";
import { useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";
import { useTRPCClient } from "../_trpc/client";
import classes from "./display-menu.module.css";
import { useListArea } from "./list-area";
import { type ListQuery, listAddress, pageSizes } from "./list-query";
import { type RenderButton, useOpening } from "./menu-on-demand";
import { useOutcome } from "./outcome";

/** Shows the list with other columns or another page size, once the server knows the choice. */
function useChoice() {
  const api = useTRPCClient();
  const { refuse } = useOutcome();
  const { query, go } = useListArea();
  const { list } = query.shape;
  const before = useRef(Promise.resolve());
  return (change: Partial<Pick<ListQuery, "columns" | "limit">>) => {
    const { columns, limit: rows } = { ...query, ...change };
    // One after the other, so that the last choice is the one that is kept.
    before.current = before.current.then(async () => {
      if (list) await api.views.setDisplay.mutate({ list, columns: [...columns], rows }).catch(refuse);
      go(listAddress(query, change));
    });
  };
}

/** `columns` are all columns, with their headings. */
export interface DisplayProps {
  columns: readonly { key: string; label: string }[];
}

export function OpenDisplayMenu({ columns, button }: DisplayProps & { button: RenderButton }) {
  const t = useTranslations("list");
  const { query } = useListArea();
  const show = useChoice();
  const { target, state } = useOpening();
  // A checkbox changes at once, before the list does; then the address is authoritative again.
  const [chosen, setChosen] = useState(query.columns);
  useEffect(() => setChosen(query.columns), [query.columns]);
  function toggle(key: string) {
    const next = columns.map((column) => column.key).filter((each) => (each === key) !== chosen.includes(each));
    if (next.length === 0) return;
    setChosen(next);
    show({ columns: next });
  }
  return (
    <Popover {...state} position="bottom-end" shadow="md" trapFocus returnFocus>
      <Popover.Target>{button({ ref: target })}</Popover.Target>
      <Popover.Dropdown aria-label={t("display")} className={classes.dropdown}>
        <fieldset className={classes.group}>
          <legend className={classes.legend}>{t("columns")}</legend>
          {columns.map(({ key, label }) => (
            <Checkbox
              key={key}
              label={label}
              checked={chosen.includes(key)}
              onChange={() => toggle(key)}
              classNames={{ root: classes.column }}
            />
          ))}
        </fieldset>
        <fieldset className={classes.group}>
          <legend className={classes.legend}>{t("pageSize")}</legend>
          <SegmentedControl
            fullWidth
            size="sm"
            value={String(query.limit)}
            data={pageSizes.map(String)}
            onChange={(size) => {
              const limit = pageSizes.find((each) => String(each) === size);
              if (limit !== undefined) show({ limit });
            }}
          />
        </fieldset>
      </Popover.Dropdown>
    </Popover>
  );
}
