// Tabs of payment requests by status, with the number of requests in each.
import { useTranslations } from "next-intl";
import type { Outputs } from "@/app/_trpc/server";
import { type ListQuery, sameFilters, tabFilters } from "@/app/_ui/list-query";
import { TabLinks } from "@/app/_ui/tab-links";
import type { Tab } from "@/server/domains/payments/status-tabs";
import { ofAnyTab, tabAddress, tabQuery } from "./list-shape";

type Counts = Outputs["payments"]["counts"];

const order = [
  "drafts",
  "open",
  "links",
  "to_capture",
  "paid",
  "expired",
  "canceled",
] as const satisfies readonly Tab[];

interface Props {
  label: string;
  query: ListQuery;
  counts: Counts | null;
}

/** `counts` is null if the filters of the address cannot be counted. */
export function PaymentTabs({ label, query, counts }: Props) {
  const t = useTranslations("payments");
  const chosen = tabFilters(query);
  const hasNone = sameFilters(ofAnyTab(query.filters), query.filters);
  const tab = (name: Tab | "all") => {
    const isAll = name === "all";
    return {
      href: tabAddress(query, isAll ? null : name),
      label: t(`tab.${name}`),
      count: counts?.[name],
      isAtLeast: counts?.is_complete === false,
      isCurrent: isAll ? hasNone : sameFilters(chosen, tabQuery(name)),
    };
  };
  return <TabLinks label={label} tabs={(["all", ...order] as const).map(tab)} />;
}
