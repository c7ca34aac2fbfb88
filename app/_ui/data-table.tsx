// A table of records that turns into a list of cards on narrow screens, in the same reading order.
import type { ReactNode } from "react";
import classes from "./data-table.module.css";

export interface Column<Row> {
  key: string;
  label: string;
  /** Numbers stand at the end, so that their digits line up. */
  align?: "end";
  cell(row: Row): ReactNode;
}

interface Props<Row> {
  /** Names the table for screen readers. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey(row: Row): string;
  /** Rows that are over and stand back. */
  isDimmed?(row: Row): boolean;
}

/** Safari forgets what a table is when CSS changes its display, so the roles are said again. */
const roles = {
  table: { role: "table" },
  group: { role: "rowgroup" },
  row: { role: "row" },
  header: { role: "columnheader" },
  cell: { role: "cell" },
};

export function DataTable<Row>({ label, columns, rows, rowKey, isDimmed }: Props<Row>) {
  return (
    <div className={classes.place}>
      <table {...roles.table} aria-label={label} className={classes.table}>
        <thead {...roles.group}>
          <tr {...roles.row}>
            {columns.map(({ key, label: heading, align }) => (
              <th {...roles.header} key={key} scope="col" data-align={align}>
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...roles.group}>
          {rows.map((row) => (
            <tr {...roles.row} key={rowKey(row)} data-dimmed={isDimmed?.(row) || undefined}>
              {columns.map(({ key, label: heading, align, cell }) => (
                <td {...roles.cell} key={key} data-label={heading} data-align={align}>
                  <div className={classes.value}>{cell(row)}</div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
