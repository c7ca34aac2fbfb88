// The list of payment requests: tabs with counts, filters named as in the API, rows linked to the payment request.
import { useTranslations } from "next-intl";
import type { Viewer } from "@/app/_i18n/viewer";
import type { Listed } from "@/app/_trpc/list-page";
import type { Outputs } from "@/app/_trpc/server";
import type { FilterField, FilterOption } from "@/app/_ui/filter-field";
import { isFiltered, type ListQuery, sameFilters } from "@/app/_ui/list-query";
import { NewLink } from "@/app/_ui/new-link";
import { RecordList } from "@/app/_ui/record-list";
import { paymentTypes } from "@/db/schema/values";
import { tabs } from "@/server/domains/payments/status-tabs";
import { limits } from "@/server/kit/limits";
import { customerField } from "../../customers/_parts/customer-field";
import { accountFields } from "../../transactions/_parts/account-field";
import { ofAnyTab, overdueAddress, tabNames, tabQuery } from "./list-shape";
import { isOver, usePaymentColumns } from "./payment-columns";
import { editPath, paymentPath } from "./payment-path";
import { PaymentTabs } from "./payment-tabs";

interface Props {
  query: ListQuery;
  answer: Listed<Outputs["payments"]["list"]>;
  counts: Outputs["payments"]["counts"] | null;
  reader: Viewer;
  /** The names of accounts by id; null if all payment requests belong to one. */
  accounts: ReadonlyMap<string, string> | null;
  /** The accounts to filter by; null if there are too many. */
  choices: readonly FilterOption[] | null;
  /** The name of the customer that the list is filtered by. */
  customer: string | null;
  mayCreate: boolean;
}

export function PaymentList({ query, answer, counts, reader, accounts, choices, customer, mayCreate }: Props) {
  const t = useTranslations("payments");
  const hasNone = counts?.all === 0 && !isFiltered(query);
  const { path } = query.shape;
  return (
    <RecordList
      query={query}
      answer={answer}
      reader={reader}
      title={t("title")}
      action={mayCreate && <NewLink href={`${path}/new`}>{t("create")}</NewLink>}
      tabs={hasNone ? undefined : <PaymentTabs label={t("tabs")} query={query} counts={counts} names={tabNames} />}
      empty={{ title: t("emptyTitle"), text: t(mayCreate ? "emptyText" : "emptyTextViewer") }}
      suggestion={useOverdue(query, counts)}
      filters={useFilterFields(choices, customer)}
      columns={usePaymentColumns({ reader, accounts })}
      rowKey={(row) => row.payment_id}
      rowHref={(row) => (mayCreate && row.status === "draft" ? editPath : paymentPath)(row.payment_id)}
      isDimmed={isOver}
      exportPath={`${path}/export`}
    />
  );
}

/** Leads to the overdue payment requests, where there are some among others: in the first tab, or without a status. */
function useOverdue(query: ListQuery, counts: Props["counts"]) {
  const t = useTranslations("payments");
  const { overdue, ...filters } = query.filters;
  const others = ofAnyTab({ ...query, filters });
  const isInTab = [{}, tabQuery("open")].some((tab) => sameFilters({ ...others, ...tab }, filters));
  if (!counts?.overdue || overdue !== undefined || !isInTab) return undefined;
  const label = t(counts.estimates.includes("overdue") ? "overdueCountAbout" : "overdueCount", {
    count: counts.overdue,
  });
  return { label, href: overdueAddress(query) };
}

/** In the order of the tabs, so that a filter by all statuses of a tab equals that tab. */
export const statuses = Object.values(tabs).flat();

function useFilterFields(choices: Props["choices"], customer: string | null): FilterField[] {
  const t = useTranslations("payments");
  const status = useTranslations("status");
  const type = useTranslations("newPayment.types");
  return [
    { name: "q", label: t("search"), kind: "text", maxLength: limits.searchText },
    {
      name: "status",
      label: t("status"),
      kind: "choice",
      options: statuses.map((value) => ({ value, label: status(value) })),
    },
    {
      name: "type",
      label: t("type"),
      kind: "choice",
      options: paymentTypes.map((value) => ({ value, label: type(value) })),
    },
    eitherOr("open", t("stillToPay"), t("stillToPayYes"), t("stillToPayNo")),
    eitherOr("overdue", t("dueDate"), status("overdue"), t("notOverdue")),
    eitherOr("requested", t("askedOf"), t("askedOfSomebody"), t("askedOfNobody")),
    eitherOr("credited", t("creditNotes"), t("creditNotesYes"), t("creditNotesNo")),
    eitherOr("overpaid", t("surplus"), t("surplusYes"), t("surplusNo")),
    ...useLinkFilters(),
    { name: "created_from", label: t("createdFrom"), kind: "since" },
    { name: "created_to", label: t("createdTo"), kind: "until" },
    { name: "ends_before", label: t("endsBefore"), kind: "until" },
    {
      name: "customer_email",
      label: t("customerEmail"),
      kind: "text",
      inputMode: "email",
      maxLength: limits.email,
    },
    { name: "reference", label: t("reference"), kind: "text", maxLength: limits.reference },
    { name: "currency", label: t("currency"), kind: "currency" },
    customerField({ customer: t("customer"), customerId: t("customerId") }, customer),
    ...accountFields({ account: t("account"), accountId: t("accountId") }, choices),
  ];
}

/** A filter that is true or false. */
export const eitherOr = (name: string, label: string, yes: string, no: string): FilterField => ({
  name,
  label,
  kind: "select",
  options: [
    { value: "true", label: yes },
    { value: "false", label: no },
  ],
});

/** Filters of reusable links and their uses. */
function useLinkFilters(): FilterField[] {
  const t = useTranslations("payments");
  return [
    eitherOr("reusable", t("kind"), t("kindLink"), t("kindOthers")),
    eitherOr("paused", t("pause"), t("pauseYes"), t("pauseNo")),
    eitherOr("many_declines", t("declines"), t("declinesMany"), t("declinesFew")),
    eitherOr("over_limit", t("overLimit"), t("overLimitYes"), t("overLimitNo")),
    eitherOr("disputed_lost", t("lost"), t("lostYes"), t("lostNo")),
    eitherOr("paid_late", t("late"), t("lateYes"), t("lateNo")),
    eitherOr("link_requested", t("linkRequested"), t("linkRequestedYes"), t("linkRequestedNo")),
    eitherOr("reminder_waiting", t("reminderWaiting"), t("reminderWaitingYes"), t("reminderWaitingNo")),
    { name: "parent_payment_id", label: t("parentId"), kind: "text", maxLength: limits.id },
    { name: "subscription_id", label: t("subscriptionId"), kind: "text", maxLength: limits.id },
  ];
}
