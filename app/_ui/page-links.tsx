// Paging through a list: which of its rows the page has, and links to newer and older ones. Each page has its own
// address. <PageLinks query={query} title={t("title")} rows={rows.length} counted={counted} next={page.next_cursor} />
import { useFormatter, useTranslations } from "next-intl";
import { limits } from "@/server/kit/limits";
import { ButtonLink } from "./button-link";
import { type ListQuery, listAddress, olderPage } from "./list-query";
import { NewerLink } from "./newer-link";
import classes from "./page-links.module.css";

interface Props {
  query: ListQuery;
  title: string;
  /** The number of rows on this page. */
  rows: number;
  /** The number of matches, counted a little beyond {@link limits.countedRows}; null if it was not counted. */
  counted: number | null;
  /** The cursor of the page after this one. */
  next: string | null;
}

export function PageLinks({ query, title, rows, counted, next }: Props) {
  const t = useTranslations("list");
  const isFirst = query.cursor === null;
  if (isFirst && next === null) return null;
  return (
    <nav aria-label={t("pages", { title })} className={classes.links}>
      {rows > 0 && query.from !== null && <Range from={query.from} to={query.from + rows - 1} counted={counted} />}
      {isFirst ? <Unavailable label={t("newer")} /> : <NewerLink query={query} />}
      {next === null ? (
        <Unavailable label={t("older")} />
      ) : (
        <ButtonLink href={listAddress(query, olderPage(query, rows, next))} variant="outline" size="sm" rel="next">
          {t("older")}
        </ButtonLink>
      )}
    </nav>
  );
}

/** Keeps the place of a link, so that the other one stays where the reader clicks. */
const Unavailable = ({ label }: { label: string }) => (
  <span aria-hidden className={classes.unavailable}>
    {label}
  </span>
);

/** Rows may have come or gone since the page before, so the total is never below the last row's number. */
function Range({ from, to, counted }: { from: number; to: number; counted: number | null }) {
  const t = useTranslations("list");
  const format = useFormatter();
  const rows = { from: format.number(from), to: format.number(to) };
  const isMany = counted !== null && counted > limits.countedRows;
  const total = format.number(Math.max(to, isMany ? limits.countedRows : (counted ?? 0)));
  return (
    <p className={classes.range}>
      {counted === null ? t("range", rows) : t(isMany ? "rangeOfMany" : "rangeOf", { ...rows, total })}
    </p>
  );
}
