// The list of transactions with its filters, selection and export.
import { useTranslations } from "next-intl";
import type { Viewer } from "@/app/_i18n/viewer";
import type { Listed } from "@/app/_trpc/list-page";
import type { Outputs } from "@/app/_trpc/server";
import type { FilterOption } from "@/app/_ui/filter-field";
import type { ListQuery } from "@/app/_ui/list-query";
import { NewLink } from "@/app/_ui/new-link";
import { RecordList } from "@/app/_ui/record-list";
import { formatMoney } from "@/server/kit/currency";
import { ExportSelected } from "./export-selected";
import { listPath, transactionPath } from "./list-shape";
import { useTransactionColumns } from "./transaction-columns";
import { useTransactionFilters } from "./transaction-filters";

interface Props {
  query: ListQuery;
  answer: Listed<Outputs["transactions"]["list"]>;
  reader: Viewer;
  names: Readonly<Record<string, string>>;
  accounts: readonly FilterOption[] | null;
  currency: string;
  /** The name of the customer that the list is filtered by. */
  customer: string | null;
  mayCreate: boolean;
}

const over: readonly string[] = ["canceled", "expired", "failed"];

export function TransactionList({ query, answer, reader, names, accounts, currency, customer, mayCreate }: Props) {
  const t = useTranslations("transactions");
  const type = useTranslations("transactionType");
  const columns = useTransactionColumns({ reader, names });
  const filters = useTransactionFilters({ currency, accounts, customer });
  return (
    <RecordList
      query={query}
      answer={answer}
      reader={reader}
      title={t("title")}
      action={mayCreate && <NewLink href={`${listPath}/new`}>{t("new")}</NewLink>}
      empty={{ title: t("emptyTitle"), text: t("emptyText") }}
      filters={filters}
      columns={columns}
      rowKey={(row) => row.transaction_id}
      rowHref={(row) => transactionPath(row.transaction_id)}
      isDimmed={({ status }) => over.includes(status)}
      exportPath={`${listPath}/export`}
      selectName={(row) =>
        t("rowName", {
          type: type(row.type),
          amount: formatMoney(row.amount, row.currency, reader.locale),
          id: row.transaction_id,
        })
      }
      selectionActions={<ExportSelected path={`${listPath}/export`} locale={reader.locale} />}
    />
  );
}
