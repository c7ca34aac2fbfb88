// Paging through a list: which of its rows the page has, and links to newer and older ones. Each page has its own
// address. <PageLinks query={query} title={t("title")} rows={rows.length} total={totalOf(page)} next={page.next_cursor} />
import { useFormatter, useTranslations } from "next-intl";
import { ButtonLink } from "./button-link";
import { type ListQuery, listAddress, olderPage } from "./list-query";
import type { ListTotal } from "./list-total";
import { NewerLink } from "./newer-link";
import classes from "./page-links.module.css";

interface Props {
  query: ListQuery;
  title: string;
  /** The number of rows on this page. */
  rows: number;
  total: ListTotal | null;
  /** The cursor of the page after this one. */
  next: string | null;
}

export function PageLinks({ query, title, rows, total, next }: Props) {
  const t = useTranslations("list");
  const isFirst = query.cursor === null;
  if (isFirst && next === null) return null;
  return (
    <nav aria-label={t("pages", { title })} className={classes.links}>
      {rows > 0 && query.from !== null && <Range from={query.from} to={query.from + rows - 1} total={total} />}
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
function Range({ from, to, total }: { from: number; to: number; total: ListTotal | null }) {
  const t = useTranslations("list");
  const format = useFormatter();
  const rows = { from: format.number(from), to: format.number(to) };
  if (total === null) return <p className={classes.range}>{t("range", rows)}</p>;
  const all = { ...rows, total: format.number(Math.max(to, total.count)) };
  return <p className={classes.range}>{t(total.isEstimate ? "rangeOfAbout" : "rangeOf", all)}</p>;
}
