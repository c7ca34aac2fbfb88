// A table of records that becomes a list of cards on narrow screens, in the same reading order. Lists use RecordList;
// without one: <DataTable label={t("title")} columns={columns} rows={rows} rowKey={(row) => row.id}
//   rowHref={(row) => `/x/${row.id}`} />

import type { ReactNode } from "react";
import classes from "./data-table.module.css";
import { Link } from "./link";
import { PageCheckbox, RowCheckbox } from "./selection-bar";

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
   * details, texts that may be cut, and action in the second. Columns without a place follow with their labels.
   */
  place?: "title" | "amount" | "detail" | "text" | "action";
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
  /** Makes rows selectable and names each for screen readers. Only inside a list. */
  selectName?(row: Row): string;
}

/** Safari drops the roles of a table when CSS changes its display, so they are set again. */
const roles = {
  table: { role: "table" },
  group: { role: "rowgroup" },
  row: { role: "row" },
  header: { role: "columnheader" },
  cell: { role: "cell" },
};

export function DataTable<Row>({ label, columns, rows, selectName, ...each }: TableProps<Row>) {
  const attributes = columns.map(attributesOf);
  return (
    <div className={classes.place}>
      <table
        {...roles.table}
        aria-label={label}
        className={classes.table}
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
          {rows.map((row) => (
            <TableRow
              key={each.rowKey(row)}
              row={row}
              columns={columns}
              attributes={attributes}
              {...{ selectName, ...each }}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/**
 * The attributes of a column's cells. They are sent once for each cell, so none is undefined, and there is no label
 * where narrow screens show none.
 */
const attributesOf = <Row,>({ label, align, isSticky, place }: Column<Row>) => ({
  ...roles.cell,
  ...(place === undefined ? { "data-label": label } : { "data-place": place }),
  ...(align && { "data-align": align }),
  ...(isSticky && { "data-sticky": true }),
});

type RowProps<Row> = Omit<TableProps<Row>, "label" | "rows"> & {
  row: Row;
  /** Of each column. */
  attributes: readonly ReturnType<typeof attributesOf<Row>>[];
};

function TableRow<Row>({ row, columns, attributes, rowKey, rowHref, isDimmed, highlight, selectName }: RowProps<Row>) {
  const id = rowKey(row);
  const linkColumn = columns.find(({ isLink }) => isLink) ?? columns[0];
  const href = rowHref?.(row);
  return (
    <tr
      {...roles.row}
      data-row={id}
      {...(href !== undefined && { "data-linked": true })}
      {...(isDimmed?.(row) && { "data-dimmed": true })}
      {...(highlight === id && { "data-highlighted": true })}
    >
      {selectName && (
        <td {...roles.cell} className={classes.select}>
          <RowCheckbox id={id} name={selectName(row)} />
        </td>
      )}
      {columns.map((column, index) => (
        <td key={column.key} {...attributes[index]}>
          <div className={classes.value}>
            {href !== undefined && column === linkColumn ? (
              <Link href={href} data-row-link className={classes.link}>
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
