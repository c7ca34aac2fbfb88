// All invoices that the reader may see: payment requests of that type, by status and by the filters of the address.
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { viewer } from "@/app/_i18n/viewer";
import { filterInput, listed, listInput } from "@/app/_trpc/list-page";
import { listReader } from "@/app/_trpc/list-reader";
import { userMay } from "@/app/_trpc/may";
import { api } from "@/app/_trpc/server";
import type { SearchParams } from "@/app/_ui/list-query";
import { paymentFilters, paymentQuery } from "@/server/domains/payments/filters";
import { filteredCustomer } from "../customers/_parts/customer-filter";
import { ofAnyTab } from "../payment-requests/_parts/list-shape";
import { accountOptions } from "../transactions/_parts/visible-accounts";
import { InvoiceList } from "./_parts/invoice-list";
import { listShape } from "./_parts/list-shape";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("invoices");
  return { title: t("title") };
}

const type: ["invoice"] = ["invoice"];

export default async function InvoicesPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { user, query } = await listReader(listShape, searchParams);
  const [reader, caller] = await Promise.all([viewer(), api()]);
  const counted = { ...query, filters: ofAnyTab(query) };
  const [answer, counts] = await Promise.all([
    listed(() => caller.payments.list({ ...listInput(paymentQuery, query), type })),
    listed(() => caller.payments.counts({ ...filterInput(paymentFilters, counted), type })),
  ]);
  const ids = [...new Set(answer.page?.data.map((row) => row.account_id))];
  const names = userMay(user, "accounts.list") ? await caller.accounts.names({ account_ids: ids }) : null;
  return (
    <InvoiceList
      query={query}
      answer={answer}
      counts={counts.page}
      reader={reader}
      mayCreate={userMay(user, "payments.create")}
      accounts={names && new Map(names.data.map((account) => [account.account_id, account.account_name]))}
      choices={await accountOptions()}
      customer={await filteredCustomer(query)}
    />
  );
}
