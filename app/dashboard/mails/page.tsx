// Mails to customers and users, newest first, with what became of each.
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { viewer } from "@/app/_i18n/viewer";
import { listed, listInput } from "@/app/_trpc/list-page";
import { listReader } from "@/app/_trpc/list-reader";
import { userMay } from "@/app/_trpc/may";
import { api } from "@/app/_trpc/server";
import { ButtonLink } from "@/app/_ui/button-link";
import type { ListShape, SearchParams } from "@/app/_ui/list-query";
import { OrganizationTime } from "@/app/_ui/organization-time";
import { RecordList } from "@/app/_ui/record-list";
import { mailKinds, mailStatuses } from "@/db/schema/values";
import { paymentKinds } from "@/server/domains/mails/templates";
import { mailQuery } from "@/server/domains/outbox/operations/list";
import { limits } from "@/server/kit/limits";
import { runtime } from "@/server/process/runtime";
import { mailColumns } from "./_parts/mail-columns";
import { listPath, mailPath } from "./_parts/mails-path";
import { NoServer } from "./_parts/no-server";

const columns = ["created", "to", "subject", "kind", "status", "sent", "attempts", "error", "id"];
const shape: ListShape = {
  list: "mails",
  path: listPath,
  filters: ["q", "status", "kind", "created_from", "created_to", "payment_id", "account_id"],
  columns,
  defaults: ["created", "to", "subject", "status"],
};

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("mails");
  return { title: t("title") };
}

export default async function MailsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { user, query } = await listReader(shape, searchParams);
  const [t, status, reader, caller, { env }] = await Promise.all([
    getTranslations("mails"),
    getTranslations("status"),
    viewer(),
    api(),
    runtime(),
  ]);
  const answer = await listed(() => caller.mails.list(listInput(mailQuery, query)));
  const settings = userMay(user, "mails.server") ? "/dashboard/settings/mail" : null;
  const seesAll = userMay(user, "mails.read.all");
  const kinds = seesAll ? mailKinds : paymentKinds;
  return (
    <OrganizationTime aheadMs={0}>
      <RecordList
        query={query}
        answer={answer}
        reader={reader}
        title={t("title")}
        action={
          settings !== null &&
          env.mail !== null && (
            <ButtonLink href={settings} variant="outline">
              {t("settings")}
            </ButtonLink>
          )
        }
        tabs={env.mail === null ? <NoServer settings={settings} about={seesAll ? "all" : "payments"} /> : undefined}
        empty={{ title: t("emptyTitle"), text: t("emptyText") }}
        filters={[
          { name: "q", kind: "text", label: t("search"), maxLength: limits.email },
          {
            ...{ name: "status", kind: "choice", label: t("status") },
            options: mailStatuses.map((value) => ({ value, label: status(value) })),
          },
          {
            ...{ name: "kind", kind: "choice", label: t("kind") },
            options: kinds.map((value) => ({ value, label: t(`kinds.${value}`) })),
          },
          { name: "created_from", label: t("createdFrom"), kind: "since" },
          { name: "created_to", label: t("createdTo"), kind: "until" },
        ]}
        columns={mailColumns({ t, reader })}
        rowKey={(row) => row.mail_id}
        rowHref={(row) => mailPath(row.mail_id)}
      />
    </OrganizationTime>
  );
}
