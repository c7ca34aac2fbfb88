// Checkboxes that select rows, and the bar that shows the number of selected rows and their actions.
// <RecordList … selectionActions={<ExportSelected />} />; the actions read useListArea().
"use client";
import { Button } from "@mantine/core";
import { useTranslations } from "next-intl";
import { type ReactNode, useEffect, useRef } from "react";
import { useListArea } from "./list-area";
import classes from "./selection-bar.module.css";

/** Plain checkboxes, because a list has many of them. `label` tells screen readers which row it is. */
export function RowCheckbox({ id, label }: { id: string; label: string }) {
  const { selected, toggle } = useListArea();
  return (
    <label htmlFor={`select-${id}`} className={classes.target}>
      <input
        type="checkbox"
        id={`select-${id}`}
        className={classes.box}
        aria-label={label}
        checked={selected.has(id)}
        onChange={() => toggle(id)}
      />
    </label>
  );
}

export function PageCheckbox() {
  const t = useTranslations("list");
  const { ids, selected, togglePage } = useListArea();
  const isWhole = ids.every((id) => selected.has(id));
  const isPart = selected.size > 0 && !isWhole;
  const box = useRef<HTMLInputElement>(null);
  // It has no attribute.
  useEffect(() => {
    if (box.current) box.current.indeterminate = isPart;
  }, [isPart]);
  return (
    <label htmlFor="select-page" className={classes.target}>
      <input
        ref={box}
        type="checkbox"
        id="select-page"
        className={classes.box}
        aria-label={t("selectPage")}
        checked={isWhole}
        onChange={togglePage}
      />
    </label>
  );
}

export function SelectionBar({ children }: { children: ReactNode }) {
  const t = useTranslations("list");
  const { ids, selected, selection, total, selectAll, clear } = useListArea();
  const isAll = selection !== null && "expectedCount" in selection;
  const count = isAll ? selection.expectedCount : selected.size;
  const canSelectAll = !isAll && ids.every((id) => selected.has(id)) && total !== null && total > ids.length;
  return (
    <div className={classes.place} data-is-open={selection !== null || undefined}>
      <span role="status" className={classes.count}>
        {selection !== null && t("selected", { count })}
      </span>
      {selection !== null && (
        <>
          {canSelectAll && (
            <Button variant="default" size="compact-sm" onClick={selectAll}>
              {t("selectAll", { count: total })}
            </Button>
          )}
          <Button variant="default" size="compact-sm" onClick={clear}>
            {t("unselect")}
          </Button>
          <span className={classes.actions}>{children}</span>
        </>
      )}
    </div>
  );
}
