// One transaction: amounts, parties, ledger postings and related records; or the API's response as JSON.
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { cache } from "react";
import { viewer } from "@/app/_i18n/viewer";
import { api } from "@/app/_trpc/server";
import { requireUser } from "@/app/_trpc/session";
import { JsonBlock } from "@/app/_ui/json-block";
import { Card } from "@/app/_ui/page-frame";
import { failureOf } from "@/server/pipeline/trpc-router";
import { transactionPath } from "../_parts/list-shape";
import { contextOf } from "../_parts/transaction-context";
import { TransactionHead } from "../_parts/transaction-head";
import { TransactionOverview } from "../_parts/transaction-overview";

interface Props {
  params: Promise<{ transaction_id: string }>;
  searchParams: Promise<{ view?: string | string[] }>;
}

/** The transaction, or the not-found page if it does not exist or the reader may not see it. */
const transactionOf = cache(async (transaction_id: string) => {
  const caller = await api();
  try {
    return await caller.transactions.get({ transaction_id });
  } catch (error) {
    if (failureOf(error).code === "transaction_not_found") notFound();
    throw error;
  }
});

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { transaction_id: id } = await params;
  await requireUser(transactionPath(id));
  const [{ type }, t] = await Promise.all([transactionOf(id), getTranslations("transactionType")]);
  return { title: `${t(type)} ${id}` };
}

export default async function TransactionPage({ params, searchParams }: Props) {
  const { transaction_id: id } = await params;
  const view = (await searchParams).view === "json" ? "json" : "overview";
  const user = await requireUser(view === "json" ? `${transactionPath(id)}?view=json` : transactionPath(id));
  const [t, reader, transaction] = await Promise.all([getTranslations("transaction"), viewer(), transactionOf(id)]);
  const context = await contextOf(transaction, user);
  return (
    <>
      <TransactionHead transaction={transaction} context={context} reader={reader} view={view} />
      {view === "json" ? (
        <Card padded>
          <JsonBlock label={t("json")} value={transaction} />
        </Card>
      ) : (
        <TransactionOverview transaction={transaction} context={context} reader={reader} />
      )}
    </>
  );
}
