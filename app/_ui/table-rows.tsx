// The rows of a table. The server sends only what they differ in. If it sent the elements of each cell, they would be
// most of the page.
"use client";
import type { ReactNode } from "react";
import type { Column } from "./data-table";
import classes from "./data-table.module.css";
import { Link } from "./link";
import { RowCheckbox } from "./selection-bar";
import { roles } from "./table-roles";

export interface RowContent {
  id: string;
  /** In the order of the columns. */
  cells: readonly ReactNode[];
  /** The record's address; the whole row links to it. */
  href?: string;
  /** Names a row that can be selected. */
  name?: string;
  isDimmed?: true;
  isHighlighted?: true;
}

interface Props {
  columns: readonly Omit<Column<never>, "cell">[];
  rows: readonly RowContent[];
}

export function TableRows({ columns, rows }: Props) {
  const linkColumn = columns.find(({ isLink }) => isLink) ?? columns[0];
  return rows.map(({ id, cells, href, name, isDimmed, isHighlighted }) => (
    <tr
      {...roles.row}
      key={id}
      data-row={id}
      data-linked={href === undefined ? undefined : true}
      data-dimmed={isDimmed}
      data-highlighted={isHighlighted}
    >
      {name !== undefined && (
        <td {...roles.cell} className={classes.select}>
          <RowCheckbox id={id} name={name} />
        </td>
      )}
      {columns.map(({ key, label, align, isSticky, place }, index) => (
        <td {...roles.cell} key={key} data-label={label} data-align={align} data-sticky={isSticky} data-place={place}>
          <div className={classes.value}>
            {href !== undefined && key === linkColumn?.key ? (
              <Link href={href} data-row-link className={classes.link}>
                {cells[index]}
              </Link>
            ) : (
              cells[index]
            )}
          </div>
        </td>
      ))}
    </tr>
  ));
}
