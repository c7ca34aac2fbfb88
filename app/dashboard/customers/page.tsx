// Customers, newest first, a page at a time: a member's own, for other roles those of the organization.
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { viewer } from "@/app/_i18n/viewer";
import { listed, listInput } from "@/app/_trpc/list-page";
import { listReader } from "@/app/_trpc/list-reader";
import { userMay } from "@/app/_trpc/may";
import { api } from "@/app/_trpc/server";
import type { ListShape, SearchParams } from "@/app/_ui/list-query";
import { NewLink } from "@/app/_ui/new-link";
import { RecordList } from "@/app/_ui/record-list";
import { listInput as listSchema } from "@/server/domains/customers/schema";
import { limits } from "@/server/kit/limits";
import { accountFields } from "../transactions/_parts/account-field";
import { accountOptions } from "../transactions/_parts/visible-accounts";
import { customerColumns } from "./_parts/customer-columns";
import { customerPath, listPath } from "./_parts/customer-path";

const shape: ListShape = {
  list: "customers",
  path: listPath,
  filters: ["q", "email", "reference", "account_id"],
  columns: ["name", "reference", "phone", "account", "created", "id"],
  defaults: ["name", "reference", "account", "created"],
};

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("customers");
  return { title: t("title") };
}

export default async function CustomersPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { user, query } = await listReader(shape, searchParams);
  const [t, reader, caller] = await Promise.all([getTranslations("customers"), viewer(), api()]);
  const answer = await listed(() => caller.customers.list(listInput(listSchema, query)));
  const ids = [...new Set(answer.page?.data.map((row) => row.account_id))];
  const names = userMay(user, "accounts.list") ? await caller.accounts.names({ account_ids: ids }) : null;
  const accounts = names && new Map(names.data.map((account) => [account.account_id, account.account_name]));
  const mayCreate = userMay(user, "customers.write");
  const choices = await accountOptions();
  return (
    <RecordList
      query={query}
      answer={answer}
      reader={reader}
      title={t("title")}
      action={mayCreate && <NewLink href={`${listPath}/new`}>{t("create")}</NewLink>}
      empty={{ title: t("emptyTitle"), text: t(mayCreate ? "emptyText" : "emptyTextViewer") }}
      filters={[
        { name: "q", kind: "text", label: t("search"), maxLength: limits.searchText },
        { name: "email", kind: "text", label: t("email"), inputMode: "email", maxLength: limits.email },
        { name: "reference", kind: "text", label: t("reference"), maxLength: limits.reference },
        ...accountFields({ account: t("account"), accountId: t("accountId") }, choices),
      ]}
      columns={customerColumns(t, reader, accounts)}
      rowKey={(customer) => customer.customer_id}
      rowHref={(customer) => customerPath(customer.customer_id)}
    />
  );
}
