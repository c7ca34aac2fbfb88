// The transactions of one account or payment request as a table, without filters.
import { useTranslations } from "next-intl";
import type { Viewer } from "@/app/_i18n/viewer";
import { DataTable } from "@/app/_ui/data-table";
import { transactionPath } from "./list-shape";
import { type Transaction, useTransactionColumns } from "./transaction-columns";

const shown: readonly string[] = ["created", "type", "status", "customer", "amount"];

interface Props {
  transactions: readonly Transaction[];
  /** The names of the accounts of transfers, by id. */
  names: Readonly<Record<string, string>>;
  reader: Viewer;
}

export function TransactionTable({ transactions, names, reader }: Props) {
  const t = useTranslations("transactions");
  const columns = useTransactionColumns({ reader, names });
  return (
    <DataTable
      label={t("title")}
      columns={columns.filter(({ key }) => shown.includes(key))}
      rows={transactions}
      rowKey={(row) => row.transaction_id}
      rowHref={(row) => transactionPath(row.transaction_id)}
    />
  );
}
