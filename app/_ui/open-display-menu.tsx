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

type Choice = Partial<Pick<ListQuery, "columns" | "limit">>;

/** Shows the list with other columns or another page size, once the server knows the choice. */
function useChoice() {
  const api = useTRPCClient();
  const { refuse } = useOutcome();
  const { query, go } = useListArea();
  const latest = useLatest({ query, go });
  /** What was chosen and is not shown yet. */
  const chosen = useRef<Choice>({});
  const before = useRef(Promise.resolve());
  function show(change: Choice) {
    const choice = { ...chosen.current, ...change };
    chosen.current = choice;
    const { list, columns, defaults = columns, rows = pageSizes[0] } = query.shape;
    const remembered = { columns: [...(choice.columns ?? defaults)], rows: choice.limit ?? rows };
    // One after the other, so that the last choice is the one that is kept.
    before.current = before.current.then(async () => {
      if (list) await api.views.setDisplay.mutate({ list, ...remembered }).catch(refuse);
      // The reader may have left the list, and a later choice includes this one.
      if (latest.current === null || chosen.current !== choice) return;
      chosen.current = {};
      latest.current.go(listAddress(latest.current.query, choice));
    });
  }
  return { show, chosen };
}

/** The value of the last render; null once the component is gone. */
function useLatest<T>(value: T) {
  const latest = useRef<T | null>(value);
  useEffect(() => {
    latest.current = value;
    return () => {
      latest.current = null;
    };
  }, [value]);
  return latest;
}

/** `columns` are all columns, with their headings. */
export interface DisplayProps {
  columns: readonly { key: string; label: string }[];
}

export function OpenDisplayMenu({ columns, button }: DisplayProps & { button: RenderButton }) {
  const t = useTranslations("list");
  const { query } = useListArea();
  const { show, chosen: waiting } = useChoice();
  const { target, state } = useOpening();
  // A checkbox changes at once, before the list does. Once no choice waits, the address is authoritative again.
  const [chosen, setChosen] = useState(query.columns);
  useEffect(() => setChosen(waiting.current.columns ?? query.columns), [query.columns, waiting]);
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
