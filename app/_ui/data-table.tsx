// A table of records that becomes a list of cards on narrow screens, in the same reading order. Lists use RecordList;
// without one: <DataTable label={t("title")} columns={columns} rows={rows} rowKey={(row) => row.id}
//   rowHref={(row) => `/x/${row.id}`} />

import type { ReactNode } from "react";
import classes from "./data-table.module.css";
import { PageCheckbox } from "./selection-bar";
import { roles } from "./table-roles";
import { type RowContent, TableRows } from "./table-rows";

export interface Column<Row> {
  key: string;
  label: string;
  /** Numbers are right-aligned, so that their digits line up. */
  align?: "end";
  /** The cell with the link to the record; the first one if no column says so. */
  isLink?: boolean;
  /** Stays in sight when a wide table scrolls. Only for the last column. */
  isSticky?: boolean;
  /**
   * The column's place on narrow screens, in tables whose rows have two lines there: title and amount in the first,
   * details, texts that may be cut, and action in the second, with a spare detail where it has room. What is on the
   * record's page has no place in them. A button shows the columns for which this says nothing, with their labels.
   */
  place?: "title" | "amount" | "detail" | "spare" | "text" | "action" | "page";
  cell(row: Row): ReactNode;
}

export interface TableProps<Row> {
  /** Names the table for screen readers. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey(row: Row): string;
  /** The record's address; the whole row links to it. */
  rowHref?(row: Row): string;
  /** Finished rows, which are dimmed. */
  isDimmed?(row: Row): boolean;
  /** The key of the highlighted row. */
  highlight?: string | null;
  /** In a padded card, whose heading the text lines up with. */
  isPadded?: boolean;
  /** Makes rows selectable and names each for screen readers. Only inside a list. */
  selectName?(row: Row): string;
}

/** The columns; where the reader hides the one with the title, that with the link takes its place. */
function titled<Row>(columns: readonly Column<Row>[]): readonly Column<Row>[] {
  if (!columns.some(({ place }) => place) || columns.some(({ place }) => place === "title")) return columns;
  return columns.map((column) => (column.isLink ? { ...column, place: "title" } : column));
}

export function DataTable<Row>({ label, columns: chosen, rows, selectName, isPadded, ...each }: TableProps<Row>) {
  const columns = titled(chosen);
  return (
    <div className={classes.place}>
      <table
        {...roles.table}
        aria-label={label}
        className={classes.table}
        data-padded={isPadded || undefined}
        data-two-lines={columns.some(({ place }) => place) || undefined}
      >
        <thead {...roles.group}>
          <tr {...roles.row}>
            {selectName && (
              <th {...roles.header} scope="col" className={classes.select}>
                <PageCheckbox />
              </th>
            )}
            {columns.map(({ key, label: heading, align, isSticky }) => (
              <th {...roles.header} key={key} scope="col" data-align={align} data-sticky={isSticky}>
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...roles.group}>
          <TableRows
            columns={columns.map(({ cell: _, ...column }) => column)}
            rows={rows.map((row) => contentOf(row, { columns, selectName, ...each }))}
          />
        </tbody>
      </table>
    </div>
  );
}

type RowProps<Row> = Omit<TableProps<Row>, "label" | "rows" | "isPadded">;

/** What the rows differ in. Properties without a value are left out, because each row would send them. */
function contentOf<Row>(
  row: Row,
  { columns, rowKey, rowHref, isDimmed, highlight, selectName }: RowProps<Row>,
): RowContent {
  const id = rowKey(row);
  return {
    id,
    cells: columns.map(({ cell }) => cell(row)),
    ...(rowHref && { href: rowHref(row) }),
    ...(selectName && { name: selectName(row) }),
    ...(isDimmed?.(row) && { isDimmed: true }),
    ...(highlight === id && { isHighlighted: true }),
  };
}
