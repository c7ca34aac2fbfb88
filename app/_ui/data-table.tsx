// A table of records that turns into a list of cards on narrow screens, in the same reading order. Lists use RecordList;
// alone: <DataTable label={t("title")} columns={columns} rows={rows} rowKey={(row) => row.id} rowHref={(row) => `/x/${row.id}`} />
import Link from "next/link";
import type { ReactNode } from "react";
import classes from "./data-table.module.css";
import { PageCheckbox, RowCheckbox } from "./selection-bar";

export interface Column<Row> {
  key: string;
  label: string;
  /** Numbers stand at the end, so that their digits line up. */
  align?: "end";
  /** The cell that leads to the record; the first one if none says so. */
  isLink?: boolean;
  cell(row: Row): ReactNode;
}

export interface TableProps<Row> {
  /** Names the table for screen readers. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey(row: Row): string;
  /** Where the record is; the whole row leads there. */
  rowHref?(row: Row): string;
  /** Rows that are over and stand back. */
  isDimmed?(row: Row): boolean;
  /** The key of a row that stands out. */
  highlight?: string | null;
  /** Rows can be selected, each under the name that this gives it. Only inside a list. */
  selectName?(row: Row): string;
}

/** Safari forgets what a table is when CSS changes its display, so the roles are said again. */
const roles = {
  table: { role: "table" },
  group: { role: "rowgroup" },
  row: { role: "row" },
  header: { role: "columnheader" },
  cell: { role: "cell" },
};

export function DataTable<Row>({ label, columns, rows, selectName, ...each }: TableProps<Row>) {
  return (
    <div className={classes.place}>
      <table {...roles.table} aria-label={label} className={classes.table}>
        <thead {...roles.group}>
          <tr {...roles.row}>
            {selectName && (
              <th {...roles.header} scope="col" className={classes.select}>
                <PageCheckbox />
              </th>
            )}
            {columns.map(({ key, label: heading, align }) => (
              <th {...roles.header} key={key} scope="col" data-align={align}>
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...roles.group}>
          {rows.map((row) => (
            <TableRow key={each.rowKey(row)} row={row} columns={columns} selectName={selectName} {...each} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

type RowProps<Row> = Omit<TableProps<Row>, "label" | "rows"> & { row: Row };

function TableRow<Row>({ row, columns, rowKey, rowHref, isDimmed, highlight, selectName }: RowProps<Row>) {
  const id = rowKey(row);
  const linkColumn = columns.find(({ isLink }) => isLink) ?? columns[0];
  const href = rowHref?.(row);
  return (
    <tr
      {...roles.row}
      data-row={id}
      data-linked={href === undefined ? undefined : true}
      data-dimmed={isDimmed?.(row) || undefined}
      data-highlighted={highlight === id || undefined}
    >
      {selectName && (
        <td {...roles.cell} className={classes.select}>
          <RowCheckbox id={id} name={selectName(row)} />
        </td>
      )}
      {columns.map((column) => (
        <td {...roles.cell} key={column.key} data-label={column.label} data-align={column.align}>
          <div className={classes.value}>
            {href !== undefined && column === linkColumn ? (
              <Link href={href} prefetch={false} data-row-link className={classes.link}>
                {column.cell(row)}
              </Link>
            ) : (
              column.cell(row)
            )}
          </div>
        </td>
      ))}
    </tr>
  );
}
