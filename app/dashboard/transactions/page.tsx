// All transactions that the reader may see, with any combination of filters, newest first.
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { viewer } from "@/app/_i18n/viewer";
import { listed, listInput } from "@/app/_trpc/list-page";
import { api } from "@/app/_trpc/server";
import { requireUser } from "@/app/_trpc/session";
import { asChosen, inOneCurrency, listAddress, readListQuery, type SearchParams } from "@/app/_ui/list-query";
import { transactionQuery } from "@/server/domains/transactions/schema";
import { filteredCustomer } from "../customers/_parts/customer-filter";
import { listShape } from "./_parts/list-shape";
import { newTypesFor } from "./_parts/new-types";
import { TransactionList } from "./_parts/transaction-list";
import { accountNames, accountOptions, transferNames, visibleAccounts } from "./_parts/visible-accounts";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("transactions");
  return { title: t("title") };
}

export default async function TransactionsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const search = await searchParams;
  const user = await requireUser(listAddress(readListQuery(listShape(false), search)));
  const [reader, caller, { accounts, currency }] = await Promise.all([viewer(), api(), visibleAccounts()]);
  const read = readListQuery(asChosen(listShape(accounts.length > 1), user.list_displays), search);
  const query = { ...read, filters: inOneCurrency(read.filters, currency) };
  const answer = await listed(async () => caller.transactions.list(listInput(transactionQuery, query)));
  const rows = answer.page?.data ?? [];
  const ids = rows.flatMap((row) => [row.account_id, row.destination_account_id]);
  return (
    <TransactionList
      query={query}
      answer={answer}
      reader={reader}
      names={query.columns.includes("account") ? await accountNames(ids) : await transferNames(rows)}
      accounts={await accountOptions()}
      currency={currency}
      customer={await filteredCustomer(query)}
      mayCreate={newTypesFor(user).length > 0}
    />
  );
}
