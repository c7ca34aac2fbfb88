// The organization's invitations, newest first: who was invited as what, and whether they have joined.
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
import { invitationStatuses, listInput as listSchema } from "@/server/domains/invitations/schema";
import { runtime } from "@/server/process/runtime";
import { invitationColumns } from "../_parts/invitation-columns";
import { PeopleTabs } from "../_parts/people-tabs";
import { invitationsPath, invitePath } from "../_parts/user-path";

const columns = ["email", "role", "status", "created", "expires", "accepted", "id", "action"];
const shape: ListShape = {
  list: "invitations",
  path: invitationsPath,
  filters: ["status"],
  columns,
  defaults: ["email", "role", "status", "created", "expires", "action"],
};

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("invitations");
  return { title: t("title") };
}

export default async function InvitationsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { user, query } = await listReader(shape, searchParams);
  if (!userMay(user, "invitations.read")) forbidden();
  const [t, users, status, reader, caller, { env }] = await Promise.all([
    getTranslations("invitations"),
    getTranslations("users"),
    getTranslations("status"),
    viewer(),
    api(),
    runtime(),
  ]);
  const mayInvite = userMay(user, "invitations.create.member");
  return (
    <RecordList
      query={query}
      answer={await listed(() => caller.invitations.list(listInput(listSchema, query)))}
      reader={reader}
      title={t("title")}
      action={mayInvite && <NewLink href={invitePath}>{t("invite")}</NewLink>}
      tabs={<PeopleTabs current="invitations" />}
      empty={{ title: t("emptyTitle"), text: t("emptyText") }}
      filters={[
        {
          ...{ name: "status", kind: "choice", label: users("status") },
          options: invitationStatuses.map((value) => ({ value, label: status(value) })),
        },
      ]}
      columns={invitationColumns({ t, users }, reader, {
        mayRevoke: userMay(user, "invitations.revoke"),
        mayResend: userMay(user, "invitations.resend") && env.mail !== null,
      })}
      rowKey={(row) => row.invitation_id}
      isDimmed={(row) => row.status !== "open"}
    />
  );
}
