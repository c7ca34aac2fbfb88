// The transactions of one account, newest first, a page at a time.
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { viewer } from "@/app/_i18n/viewer";
import { listed } from "@/app/_trpc/list-page";
import { api } from "@/app/_trpc/server";
import { ButtonLink } from "@/app/_ui/button-link";
import { Link } from "@/app/_ui/link";
import { listAddress, readListQuery, type SearchParams } from "@/app/_ui/list-query";
import { totalOf } from "@/app/_ui/list-total";
import { Card, EmptyState } from "@/app/_ui/page-frame";
import { PageLinks } from "@/app/_ui/page-links";
import { TransactionTable } from "../../../transactions/_parts/transaction-table";
import { transferNames } from "../../../transactions/_parts/visible-accounts";
import { AccountHead } from "../../_parts/account-head";
import { pathOf, readerOf } from "../../_parts/account-page";
import { ownerOf } from "../../_parts/owner";
import classes from "./page.module.css";

interface Props {
  params: Promise<{ account_id: string }>;
  searchParams: Promise<SearchParams>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { account } = await readerOf((await params).account_id, "/transactions");
  return { title: account.account_name };
}

export default async function AccountTransactionsPage({ params, searchParams }: Props) {
  const { account_id: id } = await params;
  const query = readListQuery({ path: `${pathOf(id)}/transactions`, filters: [], columns: [] }, await searchParams);
  const { user, account } = await readerOf(id, "/transactions");
  const [t, list, reader, caller, owner] = await Promise.all([
    getTranslations("accounts"),
    getTranslations("list"),
    viewer(),
    api(),
    ownerOf(account, user),
  ]);
  const cursor = query.cursor ?? undefined;
  const { page, refusal } = await listed(() =>
    caller.transactions.list({ account_id: id, limit: query.limit, cursor, include_total: true }),
  );
  const newest = (
    <ButtonLink href={listAddress(query, { cursor: null })} variant="outline">
      {list("newest")}
    </ButtonLink>
  );
  return (
    <>
      <AccountHead account={account} owner={owner} user={user} locale={reader.locale} view="transactions" />
      {page && page.data.length > 0 && (
        <p className={classes.filter}>
          <Link href={`/dashboard/transactions?account_id=${id}`}>{t("filterTransactions")}</Link>
        </p>
      )}
      <Card>
        {refusal && <EmptyState title={list("staleTitle")} text={list("staleText")} action={newest} />}
        {page?.data.length === 0 && <EmptyState title={t("noTransactionsTitle")} text={t("noTransactionsText")} />}
        {page && page.data.length > 0 && (
          <TransactionTable transactions={page.data} names={await transferNames(page.data)} reader={reader} />
        )}
      </Card>
      {page && (
        <PageLinks
          query={query}
          title={t("transactions")}
          rows={page.data.length}
          total={totalOf(page)}
          next={page.next_cursor}
        />
      )}
    </>
  );
}
