// Subscriptions, newest first, a page at a time: a member's own, for other roles those of the organization.
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { viewer } from "@/app/_i18n/viewer";
import { listed, listInput } from "@/app/_trpc/list-page";
import { listReader } from "@/app/_trpc/list-reader";
import { userMay } from "@/app/_trpc/may";
import { api } from "@/app/_trpc/server";
import type { SearchParams } from "@/app/_ui/list-query";
import { listInput as listSchema } from "@/server/domains/subscriptions/schema";
import { filteredCustomer } from "../customers/_parts/customer-filter";
import { accountOptions } from "../transactions/_parts/visible-accounts";
import { listShape } from "./_parts/list-shape";
import { SubscriptionList } from "./_parts/subscription-list";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("subscriptions");
  return { title: t("title") };
}

export default async function SubscriptionsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { user, query } = await listReader(listShape, searchParams);
  const [reader, caller] = await Promise.all([viewer(), api()]);
  const answer = await listed(() => caller.subscriptions.list(listInput(listSchema, query)));
  const rows = answer.page?.data ?? [];
  const [titles, names] = await Promise.all([
    caller.subscriptions.titles({ subscription_ids: rows.map((row) => row.subscription_id) }),
    userMay(user, "accounts.list")
      ? caller.accounts.names({ account_ids: [...new Set(rows.map((row) => row.account_id))] })
      : null,
  ]);
  return (
    <SubscriptionList
      query={query}
      answer={answer}
      reader={reader}
      titles={new Map(titles.data.map((title) => [title.subscription_id, title]))}
      accounts={names && new Map(names.data.map((account) => [account.account_id, account.account_name]))}
      choices={await accountOptions()}
      customer={await filteredCustomer(query)}
      mayAsk={userMay(user, "payments.create")}
    />
  );
}
