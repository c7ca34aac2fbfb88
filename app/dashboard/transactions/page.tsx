// All transactions, newest first, a page at a time.
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { viewer } from "@/app/_i18n/viewer";
import { type ListSearch, listAddress, unlessStale } from "@/app/_trpc/list-page";
import { api } from "@/app/_trpc/server";
import { requireUser } from "@/app/_trpc/session";
import { ListFrame } from "@/app/_ui/list-frame";
import { TransactionTable } from "./_parts/transaction-table";

const path = "/dashboard/transactions";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("transactions");
  return { title: t("title") };
}

export default async function TransactionsPage({ searchParams }: { searchParams: ListSearch }) {
  const { cursor, address } = await listAddress(path, searchParams);
  await requireUser(address);
  const [t, reader, caller] = await Promise.all([getTranslations("transactions"), viewer(), api()]);
  const page = await unlessStale(caller.transactions.list({ cursor }));
  return (
    <ListFrame
      path={path}
      title={t("title")}
      empty={{ title: t("emptyTitle"), text: t("emptyText") }}
      cursor={cursor}
      page={page}
    >
      <TransactionTable transactions={page?.data ?? []} reader={reader} />
    </ListFrame>
  );
}
