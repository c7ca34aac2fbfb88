// The link to the page before this one. Without a script it leads to the first page where the address knows no other.
"use client";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { ButtonLink } from "./button-link";
import { firstPage, type ListQuery, listAddress, newerPage } from "./list-query";
import { recalledNewer, rememberNewer } from "./newer-pages";

export function NewerLink({ query }: { query: ListQuery }) {
  const t = useTranslations("list");
  const [recalled, setRecalled] = useState<string | null>(null);
  useEffect(() => {
    rememberNewer(sessionStorage, query);
    setRecalled(recalledNewer(sessionStorage, query));
  }, [query]);
  const newer = newerPage(query);
  return (
    <ButtonLink href={recalled ?? listAddress(query, newer ?? firstPage)} variant="outline" size="sm" rel="prev">
      {newer || recalled !== null ? t("newer") : t("newest")}
    </ButtonLink>
  );
}
