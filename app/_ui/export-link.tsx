// Downloads the list as a file: the same filters and columns, all pages. <ExportLink path="…/export" query={query} />
import { IconDownload } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import classes from "./button-link.module.css";
import { exportQuery, type ListQuery } from "./list-query";

export function ExportLink({ path, query }: { path: string; query: ListQuery }) {
  const t = useTranslations("list");
  return (
    <a
      href={`${path}?${exportQuery(query)}`}
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
