// The list of invoices: their tabs, the filters of payment requests as far as they concern invoices, rows with numbers.
import { useTranslations } from "next-intl";
import type { Viewer } from "@/app/_i18n/viewer";
import type { Listed } from "@/app/_trpc/list-page";
import type { Outputs } from "@/app/_trpc/server";
import type { FilterField, FilterOption } from "@/app/_ui/filter-field";
import { isFiltered, type ListQuery } from "@/app/_ui/list-query";
import { NewLink } from "@/app/_ui/new-link";
import { RecordList } from "@/app/_ui/record-list";
import { limits } from "@/server/kit/limits";
import { customerField } from "../../customers/_parts/customer-field";
import { isOver } from "../../payment-requests/_parts/payment-columns";
import { eitherOr, statuses } from "../../payment-requests/_parts/payment-list";
import { editPath, paymentPath } from "../../payment-requests/_parts/payment-path";
import { PaymentTabs } from "../../payment-requests/_parts/payment-tabs";
import { accountFields } from "../../transactions/_parts/account-field";
import { useInvoiceColumns } from "./invoice-columns";
import { rareTabs, tabNames } from "./list-shape";

interface Props {
  query: ListQuery;
  answer: Listed<Outputs["payments"]["list"]>;
  counts: Outputs["payments"]["counts"] | null;
  reader: Viewer;
  /** The names of accounts by id; null if all invoices belong to one. */
  accounts: ReadonlyMap<string, string> | null;
  /** The accounts to filter by; null if there are too many. */
  choices: readonly FilterOption[] | null;
  /** The name of the customer that the list is filtered by. */
  customer: string | null;
  mayCreate: boolean;
}

export function InvoiceList({ query, answer, counts, reader, accounts, choices, customer, mayCreate }: Props) {
  const t = useTranslations("invoices");
  const hasNone = counts?.all === 0 && !isFiltered(query);
  return (
    <RecordList
      query={query}
      answer={answer}
      reader={reader}
      title={t("title")}
      action={mayCreate && <NewLink href="/dashboard/payment-requests/new?type=invoice">{t("create")}</NewLink>}
      tabs={
        hasNone ? undefined : <PaymentTabs label={t("tabs")} {...{ query, counts }} names={tabNames} rare={rareTabs} />
      }
      empty={{ title: t("emptyTitle"), text: t(mayCreate ? "emptyText" : "emptyTextViewer") }}
      filters={useFilterFields(choices, customer)}
      columns={useInvoiceColumns({ reader, accounts })}
      rowKey={(row) => row.payment_id}
      rowHref={(row) => (mayCreate && row.status === "draft" ? editPath : paymentPath)(row.payment_id)}
      isDimmed={isOver}
      exportPath={`${query.shape.path}/export`}
    />
  );
}

function useFilterFields(choices: Props["choices"], customer: string | null): FilterField[] {
  const t = useTranslations("invoices");
  const of = useTranslations("payments");
  const status = useTranslations("status");
  return [
    { name: "q", label: t("search"), kind: "text", maxLength: limits.searchText },
    {
      name: "status",
      label: of("status"),
      kind: "choice",
      options: statuses.map((value) => ({ value, label: status(value) })),
    },
    eitherOr("open", of("stillToPay"), of("stillToPayYes"), of("stillToPayNo")),
    eitherOr("overdue", of("dueDate"), status("overdue"), of("notOverdue")),
    eitherOr("credited", of("creditNotes"), of("creditNotesYes"), of("creditNotesNo")),
    { name: "created_from", label: of("createdFrom"), kind: "since" },
    { name: "created_to", label: of("createdTo"), kind: "until" },
    {
      name: "customer_email",
      label: of("customerEmail"),
      kind: "text",
      inputMode: "email",
      maxLength: limits.email,
    },
    customerField({ customer: of("customer"), customerId: of("customerId") }, customer),
    { name: "reference", label: of("reference"), kind: "text", maxLength: limits.reference },
    { name: "currency", label: of("currency"), kind: "currency" },
    ...accountFields({ account: of("account"), accountId: of("accountId") }, choices),
  ];
}
