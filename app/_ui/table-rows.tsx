// The rows of a table. The server sends only what they differ in. If it sent the elements of each cell, they would be
// most of the page.
"use client";
import { IconChevronDown } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { type ReactNode, useId, useState } from "react";
import type { Column } from "./data-table";
import classes from "./data-table.module.css";
import { IconButton } from "./icon-button";
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
  // Here and not in the rows, because asking for texts costs the server more than using them.
  const t = useTranslations("list");
  return rows.map((row) => (
    <Row
      key={row.id}
      row={row}
      columns={columns}
      selectLabel={row.name === undefined ? null : t("select", { name: row.name })}
      detailsLabel={t("details")}
    />
  ));
}

interface RowProps {
  row: RowContent;
  columns: Props["columns"];
  /** Null if the row cannot be selected. */
  selectLabel: string | null;
  detailsLabel: string;
}

function Row({ row, columns, selectLabel, detailsLabel }: RowProps) {
  const { id, cells, href, isDimmed, isHighlighted } = row;
  const [isOpen, setIsOpen] = useState(false);
  const titleId = useId();
  const linkColumn = columns.find(({ isLink }) => isLink) ?? columns[0];
  const hasLines = columns.some(({ place }) => place);
  return (
    <tr
      {...roles.row}
      data-row={id}
      data-linked={href === undefined ? undefined : true}
      data-dimmed={isDimmed}
      data-highlighted={isHighlighted}
      data-open={isOpen || undefined}
    >
      {selectLabel !== null && (
        <td {...roles.cell} className={classes.select}>
          <RowCheckbox id={id} label={selectLabel} />
        </td>
      )}
      {columns.map(({ key, label, align, isSticky, place }, index) => (
        <td
          {...roles.cell}
          key={key}
          id={hasLines && place === "title" ? titleId : undefined}
          data-label={label}
          data-align={align}
          data-sticky={isSticky}
          data-place={place}
        >
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
      {hasLines && columns.some(({ place }) => !place) && (
        <td {...roles.cell} data-place="more">
          <More label={detailsLabel} titleId={titleId} isOpen={isOpen} onToggle={() => setIsOpen(!isOpen)} />
        </td>
      )}
    </tr>
  );
}

interface MoreProps {
  label: string;
  /** The id of the cell that names the row. */
  titleId: string;
  isOpen: boolean;
  onToggle(): void;
}

/** On narrow screens, shows what does not fit in the two lines of a row. */
function More({ label, titleId, isOpen, onToggle }: MoreProps) {
  const id = useId();
  return (
    <IconButton
      id={id}
      isLarge
      aria-label={label}
      aria-labelledby={`${id} ${titleId}`}
      aria-expanded={isOpen}
      onClick={onToggle}
    >
      <IconChevronDown size={18} aria-hidden />
    </IconButton>
  );
}
