// The transactions of one account, newest first, a page at a time.
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { viewer } from "@/app/_i18n/viewer";
import { listed } from "@/app/_trpc/list-page";
import { api } from "@/app/_trpc/server";
import { ButtonLink } from "@/app/_ui/button-link";
import { Link } from "@/app/_ui/link";
import { listAddress, readListQuery, type SearchParams } from "@/app/_ui/list-query";
import { Card, EmptyState } from "@/app/_ui/page-frame";
import { PageLinks } from "@/app/_ui/page-links";
import { TransactionTable } from "../../../transactions/_parts/transaction-table";
import { AccountHead } from "../../_parts/account-head";
import { pathOf, readerOf } from "../../_parts/account-page";
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
  const [t, list, reader, caller] = await Promise.all([
    getTranslations("accounts"),
    getTranslations("list"),
    viewer(),
    api(),
  ]);
  const cursor = query.cursor ?? undefined;
  const { page, refusal } = await listed(() =>
    caller.transactions.list({ account_id: id, limit: query.limit, cursor }),
  );
  const first = listAddress(query, { cursor: null });
  const newest = (
    <ButtonLink href={first} variant="outline">
      {list("newest")}
    </ButtonLink>
  );
  return (
    <>
      <AccountHead account={account} user={user} locale={reader.locale} view="transactions" />
      {page && page.data.length > 0 && (
        <p className={classes.filter}>
          <Link href={`/dashboard/transactions?account_id=${id}`}>{t("filterTransactions")}</Link>
        </p>
      )}
      <Card>
        {refusal && <EmptyState title={list("staleTitle")} text={list("staleText")} action={newest} />}
        {page?.data.length === 0 && <EmptyState title={t("noTransactionsTitle")} text={t("noTransactionsText")} />}
        {page && page.data.length > 0 && <TransactionTable transactions={page.data} reader={reader} />}
      </Card>
      <PageLinks
        first={first}
        next={page?.next_cursor ? listAddress(query, { cursor: page.next_cursor }) : null}
        title={t("transactions")}
        isFurther={query.cursor !== null && page !== null}
      />
    </>
  );
}
