// All payment requests that the reader may see, by status and by the filters of the address.
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { viewer } from "@/app/_i18n/viewer";
import { filterInput, listed, listInput } from "@/app/_trpc/list-page";
import { listReader } from "@/app/_trpc/list-reader";
import { userMay } from "@/app/_trpc/may";
import { api } from "@/app/_trpc/server";
import type { ListQuery, SearchParams } from "@/app/_ui/list-query";
import { paymentFilters, paymentQuery } from "@/server/domains/payments/filters";
import { filteredCustomer } from "../customers/_parts/customer-filter";
import { accountOptions } from "../transactions/_parts/visible-accounts";
import { listShape, ofAnyTab } from "./_parts/list-shape";
import { PaymentList } from "./_parts/payment-list";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("payments");
  return { title: t("title") };
}

const ofAnyStatus = (query: ListQuery): ListQuery => ({ ...query, filters: ofAnyTab(query) });

export default async function PaymentRequestsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { user, query } = await listReader(listShape, searchParams);
  const [reader, caller] = await Promise.all([viewer(), api()]);
  const [answer, counts] = await Promise.all([
    listed(() => caller.payments.list(listInput(paymentQuery, query))),
    listed(() => caller.payments.counts(filterInput(paymentFilters, ofAnyStatus(query)))),
  ]);
  const ids = [...new Set(answer.page?.data.map((row) => row.account_id))];
  const names = userMay(user, "accounts.list") ? await caller.accounts.names({ account_ids: ids }) : null;
  return (
    <PaymentList
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
