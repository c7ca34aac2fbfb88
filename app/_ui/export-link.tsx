// Downloads the list as a file: the same filters and columns, all pages. <ExportLink path="…/export" query={query} locale="de" />
import { IconDownload } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import classes from "./button-link.module.css";
import { exportQuery, type ListQuery } from "./list-query";

interface Props {
  path: string;
  query: ListQuery;
  /** The reader's (BCP 47). */
  locale: string;
}

export function ExportLink({ path, query, locale }: Props) {
  const t = useTranslations("list");
  return (
    <a
      href={`${path}?${exportQuery(query, locale)}`}
      download
      aria-keyshortcuts="e"
      className={classes.link}
      data-variant="outline"
      data-size="sm"
    >
      <IconDownload size={16} aria-hidden />
      <span className="hidden-on-phones">{t("export")}</span>
    </a>
  );
}
