// The filters of the list of transactions, named as in the API.
import { useTranslations } from "next-intl";
import type { FilterField, FilterOption } from "@/app/_ui/filter-field";
import { transactionStatuses, transactionTypes } from "@/db/schema/values";
import { limits } from "@/server/kit/limits";
import { customerField } from "../../customers/_parts/customer-field";
import { accountFields } from "./account-field";

interface Props {
  /** The currency of typed amounts until the reader chooses one. */
  currency: string;
  /** The accounts to choose from; null if there are too many, and the reader enters an id. */
  accounts: readonly FilterOption[] | null;
  /** The name of the customer that the list is filtered by. */
  customer: string | null;
}

export function useTransactionFilters({ currency, accounts, customer }: Props): FilterField[] {
  const t = useTranslations("transactions.filters");
  const status = useTranslations("status");
  const type = useTranslations("transactionType");
  const text = (name: Parameters<typeof t>[0], maxLength: number) =>
    ({ name, label: t(name), kind: "text", maxLength }) as const;
  return [
    text("q", limits.searchText),
    {
      name: "status",
      label: t("status"),
      kind: "choice",
      options: transactionStatuses.map((value) => ({ value, label: status(value) })),
    },
    {
      name: "type",
      label: t("type"),
      kind: "choice",
      options: transactionTypes.map((value) => ({ value, label: type(value) })),
    },
    { name: "created_from", label: t("created_from"), kind: "since" },
    { name: "created_to", label: t("created_to"), kind: "until" },
    { name: "settled_from", label: t("settled_from"), kind: "since" },
    { name: "settled_to", label: t("settled_to"), kind: "until" },
    ...accountFields({ account: t("account_id"), accountId: t("accountId") }, accounts),
    { name: "currency", label: t("currency"), kind: "currency" },
    { name: "amount_min", label: t("amount_min"), kind: "atLeast", currency },
    { name: "amount_max", label: t("amount_max"), kind: "atMost", currency },
    { ...text("customer_email", limits.email), inputMode: "email" },
    { ...text("card_last4", 4), inputMode: "numeric" },
    text("customer_reference", limits.reference),
    text("reference", limits.reference),
    customerField({ customer: t("customer"), customerId: t("customer_id") }, customer),
    {
      name: "customer_credit",
      label: t("customer_credit"),
      kind: "select",
      options: [
        { value: "true", label: t("onlyCredit") },
        { value: "false", label: t("withoutCredit") },
      ],
    },
    {
      name: "disputed",
      label: t("disputed"),
      kind: "select",
      options: [
        { value: "true", label: t("onlyDisputed") },
        { value: "false", label: t("notDisputed") },
      ],
    },
    {
      name: "unanswered",
      label: t("unanswered"),
      kind: "select",
      options: [
        { value: "true", label: t("onlyUnanswered") },
        { value: "false", label: t("answered") },
      ],
    },
    text("payment_id", limits.id),
    text("parent_transaction_id", limits.id),
    { name: "metadata", label: t("metadata"), kind: "entries" },
    { name: "customer_metadata", label: t("customer_metadata"), kind: "entries" },
  ];
}
