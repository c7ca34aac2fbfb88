// The organization's users, newest first, a page at a time; removed ones are dimmed.
import type { Metadata } from "next";
import { forbidden } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { viewer } from "@/app/_i18n/viewer";
import { listed, listInput } from "@/app/_trpc/list-page";
import { listReader } from "@/app/_trpc/list-reader";
import { userMay } from "@/app/_trpc/may";
import { api } from "@/app/_trpc/server";
import type { ListShape, SearchParams } from "@/app/_ui/list-query";
import { NewLink } from "@/app/_ui/new-link";
import { RecordList } from "@/app/_ui/record-list";
import { userRoles, userStatuses } from "@/db/schema/values";
import { listInput as listSchema } from "@/server/domains/users/schema";
import { limits } from "@/server/kit/limits";
import { PeopleTabs } from "./_parts/people-tabs";
import { userColumns } from "./_parts/user-columns";
import { invitePath, listPath, pathOf } from "./_parts/user-path";

const columns = ["name", "role", "status", "factor", "seen", "created", "id"];
const shape: ListShape = {
  list: "users",
  path: listPath,
  filters: ["q", "role", "status", "mfa_enabled", "email"],
  columns,
  defaults: ["name", "role", "status", "factor", "seen"],
};

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("users");
  return { title: t("title") };
}

export default async function UsersPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { user, query } = await listReader(shape, searchParams);
  if (!userMay(user, "users.list")) forbidden();
  const [t, status, reader, caller] = await Promise.all([
    getTranslations("users"),
    getTranslations("status"),
    viewer(),
    api(),
  ]);
  const answer = await listed(() => caller.users.list(listInput(listSchema, query)));
  const ids = answer.page?.data.map((row) => row.user_id) ?? [];
  const uses = await caller.sessions.lastSeen({ user_ids: ids });
  const seen = new Map(uses.data.map((row) => [row.user_id, row.last_seen_at]));
  return (
    <RecordList
      query={query}
      answer={answer}
      reader={reader}
      title={t("title")}
      action={userMay(user, "invitations.create.member") && <NewLink href={invitePath}>{t("invite")}</NewLink>}
      tabs={<PeopleTabs current="users" />}
      empty={{ title: t("emptyTitle"), text: t("emptyText") }}
      filters={[
        { name: "q", kind: "text", label: t("search"), maxLength: limits.searchText },
        {
          ...{ name: "role", kind: "choice", label: t("role") },
          options: userRoles.map((value) => ({ value, label: t(`roles.${value}`) })),
        },
        {
          ...{ name: "status", kind: "choice", label: t("status") },
          options: userStatuses.map((value) => ({ value, label: status(value) })),
        },
        {
          ...{ name: "mfa_enabled", kind: "choice", label: t("factor") },
          options: (["true", "false"] as const).map((value) => ({
            value,
            label: t(value === "true" ? "factorOn" : "factorOff"),
          })),
        },
        { name: "email", kind: "text", label: t("email"), inputMode: "email", maxLength: limits.email },
      ]}
      columns={userColumns(t, reader, { seen, ownId: user.user_id })}
      rowKey={(row) => row.user_id}
      rowHref={(row) => pathOf(row.user_id)}
      isDimmed={(row) => row.status === "removed"}
    />
  );
}
