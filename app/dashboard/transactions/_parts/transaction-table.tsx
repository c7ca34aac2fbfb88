// Transactions as rows: when, what, how it stands, with whom, and how much came in or went out.
import { useTranslations } from "next-intl";
import type { Viewer } from "@/app/_i18n/viewer";
import type { Outputs } from "@/app/_trpc/server";
import { type Column, DataTable } from "@/app/_ui/data-table";
import { Instant } from "@/app/_ui/instant";
import { Money } from "@/app/_ui/money";
import { StatusBadge } from "@/app/_ui/status-badge";
import classes from "./transaction-table.module.css";

type Transaction = Outputs["transactions"]["list"]["data"][number];

/** What goes out is written with a minus. */
const signed = ({ amount, direction }: Transaction) => (direction === "out" ? -amount : amount);

export function TransactionTable({ transactions, reader }: { transactions: readonly Transaction[]; reader: Viewer }) {
  const t = useTranslations("transactions");
  const type = useTranslations("transactionType");
  const hasCurrencies = new Set(transactions.map(({ currency }) => currency)).size > 1;
  const columns: Column<Transaction>[] = [
    { key: "created", label: t("created"), cell: (row) => <Instant at={row.created_at} {...reader} /> },
    { key: "type", label: t("type"), cell: (row) => type(row.type) },
    { key: "status", label: t("status"), cell: (row) => <StatusBadge status={row.status} /> },
    {
      key: "customer",
      label: t("customer"),
      cell: (row) => row.customer?.name ?? row.customer?.email ?? row.reference ?? row.description ?? t("none"),
    },
    { key: "id", label: t("id"), cell: (row) => <code className={classes.id}>{row.transaction_id}</code> },
    {
      key: "amount",
      label: t("amount"),
      align: "end",
      cell: (row) => (
        <Money amount={signed(row)} currency={row.currency} locale={reader.locale} withCode={hasCurrencies} />
      ),
    },
  ];
  return <DataTable label={t("title")} columns={columns} rows={transactions} rowKey={(row) => row.transaction_id} />;
}
