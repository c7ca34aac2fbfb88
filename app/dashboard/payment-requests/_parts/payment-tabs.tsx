// Tabs of payment requests by status, with the number of requests in each.
import { useTranslations } from "next-intl";
import type { Outputs } from "@/app/_trpc/server";
import { type ListQuery, sameFilters, tabFilters } from "@/app/_ui/list-query";
import { TabLinks } from "@/app/_ui/tab-links";
import { ofAnyTab, type TabName, tabAddress, tabQuery } from "./list-shape";

type Counts = Outputs["payments"]["counts"];

interface Props {
  label: string;
  query: ListQuery;
  /** Null if the filters of the address cannot be counted. */
  counts: Counts | null;
  names: readonly TabName[];
  /** Those of them that are shown only while they have something or are chosen. */
  rare?: readonly TabName[];
}

export function PaymentTabs({ label, query, counts, names, rare = [] }: Props) {
  const t = useTranslations("payments");
  const chosen = tabFilters(query);
  const hasNone = sameFilters(ofAnyTab(query), query.filters);
  const tab = (name: TabName | "all") => {
    const isAll = name === "all";
    return {
      href: tabAddress(query, isAll ? null : name),
      label: t(`tab.${name}`),
      count: counts?.[name],
      isEstimate: counts?.estimates.includes(name) ?? false,
      isCurrent: isAll ? hasNone : sameFilters(chosen, tabQuery(name)),
    };
  };
  const isShown = (name: TabName) => !rare.includes(name) || counts?.[name] !== 0 || tab(name).isCurrent;
  return <TabLinks label={label} tabs={(["all", ...names.filter(isShown)] as const).map(tab)} />;
}
