// Accounts, newest first, a page at a time: a member's own, for other roles all of the organization.
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { viewer } from "@/app/_i18n/viewer";
import { accountsFor } from "@/app/_trpc/accounts";
import { listed, listInput } from "@/app/_trpc/list-page";
import { listReader } from "@/app/_trpc/list-reader";
import { userMay } from "@/app/_trpc/may";
import type { ListShape, SearchParams } from "@/app/_ui/list-query";
import { NewLink } from "@/app/_ui/new-link";
import { RecordList } from "@/app/_ui/record-list";
import { accountStatuses, accountTypes } from "@/db/schema/values";
import { listInput as listSchema } from "@/server/domains/accounts/schema";
import { limits } from "@/server/kit/limits";
import { accountColumns } from "./_parts/account-columns";
import { listPath, pathOf } from "./_parts/account-page";

const columns = ["name", "type", "status", "balance", "created", "id"];
const shape: ListShape = {
  list: "accounts",
  path: listPath,
  filters: ["q", "status", "account_type", "orphaned", "in_debt", "email"],
  columns,
  defaults: columns.filter((column) => column !== "id"),
};

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("accounts");
  return { title: t("title") };
}

export default async function AccountsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { user, query } = await listReader(shape, searchParams);
  const [t, status, reader] = await Promise.all([getTranslations("accounts"), getTranslations("status"), viewer()]);
  const mayCreate = userMay(user, "accounts.create");
  const answer = await listed(() => accountsFor(user, listInput(listSchema, query)));
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
        {
          name: "status",
          kind: "choice",
          label: t("status"),
          options: accountStatuses.map((value) => ({ value, label: status(value) })),
        },
        {
          name: "account_type",
          kind: "choice",
          label: t("type"),
          options: accountTypes.map((value) => ({ value, label: t(value) })),
        },
        {
          name: "orphaned",
          kind: "select",
          label: t("ownerFilter"),
          options: [
            { value: "true", label: t("ownerRemoved") },
            { value: "false", label: t("ownerNotRemoved") },
          ],
        },
        {
          name: "in_debt",
          kind: "select",
          label: t("debtFilter"),
          options: [
            { value: "true", label: t("inDebt") },
            { value: "false", label: t("notInDebt") },
          ],
        },
        { name: "email", kind: "text", label: t("email"), inputMode: "email", maxLength: limits.email },
      ]}
      columns={accountColumns(t, reader)}
      rowKey={(account) => account.account_id}
      rowHref={(account) => pathOf(account.account_id)}
      isDimmed={(account) => account.status === "closed"}
    />
  );
}
