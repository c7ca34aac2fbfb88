// The rows of a table. The server sends only what they differ in. If it sent the elements of each cell, they would be
// most of the page.
"use client";
import { ActionIcon } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { type ReactNode, useId, useState } from "react";
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
  return rows.map((row) => <Row key={row.id} row={row} columns={columns} />);
}

function Row({ row, columns }: { row: RowContent; columns: Props["columns"] }) {
  const { id, cells, href, name, isDimmed, isHighlighted } = row;
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
      {name !== undefined && (
        <td {...roles.cell} className={classes.select}>
          <RowCheckbox id={id} name={name} />
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
          <More titleId={titleId} isOpen={isOpen} onToggle={() => setIsOpen(!isOpen)} />
        </td>
      )}
    </tr>
  );
}

interface MoreProps {
  /** The id of the cell that names the row. */
  titleId: string;
  isOpen: boolean;
  onToggle(): void;
}

/** On narrow screens, shows what does not fit in the two lines of a row. */
function More({ titleId, isOpen, onToggle }: MoreProps) {
  const t = useTranslations("list");
  const id = useId();
  return (
    <ActionIcon
      id={id}
      variant="subtle"
      color="gray"
      size="lg"
      className={classes.toggle}
      aria-label={t("details")}
      aria-labelledby={`${id} ${titleId}`}
      aria-expanded={isOpen}
      onClick={onToggle}
    >
      <IconChevronDown size={18} aria-hidden />
    </ActionIcon>
  );
}
