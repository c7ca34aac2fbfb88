// The list of subscriptions: filters named as in the API, rows linked to the subscription.
import { useTranslations } from "next-intl";
import type { Viewer } from "@/app/_i18n/viewer";
import type { Listed } from "@/app/_trpc/list-page";
import type { Outputs } from "@/app/_trpc/server";
import type { FilterField, FilterOption } from "@/app/_ui/filter-field";
import type { ListQuery } from "@/app/_ui/list-query";
import { NewLink } from "@/app/_ui/new-link";
import { RecordList } from "@/app/_ui/record-list";
import { pauseReasons, subscriptionStatuses } from "@/db/schema/values";
import { limits } from "@/server/kit/limits";
import { customerField } from "../../customers/_parts/customer-field";
import { eitherOr } from "../../payment-requests/_parts/payment-list";
import { accountFields } from "../../transactions/_parts/account-field";
import { isOver, useSubscriptionColumns } from "./subscription-columns";
import { subscriptionPath, type Title } from "./subscription-path";

interface Props {
  query: ListQuery;
  answer: Listed<Outputs["subscriptions"]["list"]>;
  reader: Viewer;
  /** By id. */
  titles: ReadonlyMap<string, Title>;
  /** The names of accounts by id; null if all subscriptions belong to one. */
  accounts: ReadonlyMap<string, string> | null;
  /** The accounts to filter by; null if there are too many. */
  choices: readonly FilterOption[] | null;
  /** The name of the customer that the list is filtered by. */
  customer: string | null;
  /** Whether the reader may create the payment request that begins one. */
  mayAsk: boolean;
}

export function SubscriptionList({ query, answer, reader, titles, accounts, choices, customer, mayAsk }: Props) {
  const t = useTranslations("subscriptions");
  return (
    <RecordList
      query={query}
      answer={answer}
      reader={reader}
      title={t("title")}
      action={mayAsk && <NewLink href="/dashboard/payment-requests/new?type=subscription">{t("create")}</NewLink>}
      empty={{ title: t("emptyTitle"), text: t(mayAsk ? "emptyText" : "emptyTextViewer") }}
      filters={useFilterFields(choices, customer)}
      columns={useSubscriptionColumns({ reader, titles, accounts })}
      rowKey={(row) => row.subscription_id}
      rowHref={(row) => subscriptionPath(row.subscription_id)}
      isDimmed={isOver}
    />
  );
}

function useFilterFields(choices: Props["choices"], customer: string | null): FilterField[] {
  const t = useTranslations("subscriptions");
  const status = useTranslations("status");
  return [
    { name: "q", label: t("search"), kind: "text", maxLength: limits.searchText },
    {
      name: "status",
      label: t("status"),
      kind: "choice",
      options: subscriptionStatuses.map((value) => ({ value, label: status(value) })),
    },
    {
      name: "pause_reason",
      label: t("pauseReason"),
      kind: "choice",
      options: pauseReasons.map((value) => ({ value, label: t(`pauseReasons.${value}`) })),
    },
    eitherOr("missed", t("missedPeriods"), t("missedYes"), t("missedNo")),
    customerField({ customer: t("customer"), customerId: t("customerId") }, customer),
    ...accountFields({ account: t("account"), accountId: t("accountId") }, choices),
  ];
}
