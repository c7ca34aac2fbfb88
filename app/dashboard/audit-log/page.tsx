// The audit log: who did what and who was refused, with filters and an export.
import type { Metadata } from "next";
import { forbidden } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { viewer } from "@/app/_i18n/viewer";
import { listed, listInput } from "@/app/_trpc/list-page";
import { listReader } from "@/app/_trpc/list-reader";
import { userMay } from "@/app/_trpc/may";
import { api } from "@/app/_trpc/server";
import type { FilterField } from "@/app/_ui/filter-field";
import type { ListShape, SearchParams } from "@/app/_ui/list-query";
import { OrganizationTime } from "@/app/_ui/organization-time";
import { RecordList } from "@/app/_ui/record-list";
import { auditListInput } from "@/server/domains/timeline/schema";
import { limits } from "@/server/kit/limits";
import { actionOptions } from "./_parts/actions";
import { AuditState } from "./_parts/audit-state";
import { entryColumns } from "./_parts/entry-columns";

const path = "/dashboard/audit-log";
const columns = ["time", "action", "actor", "target", "detail", "address", "client", "request", "id"];
const shape: ListShape = {
  list: "audit_log",
  path,
  filters: ["q", "action", "actor_id", "target_id", "created_from", "created_to"],
  columns,
  defaults: ["time", "action", "actor", "target", "detail", "address"],
};

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("auditLog");
  return { title: t("title") };
}

export default async function AuditLogPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { user, query } = await listReader(shape, searchParams);
  if (!userMay(user, "audit.read")) forbidden();
  const [t, reader, caller] = await Promise.all([getTranslations("auditLog"), viewer(), api()]);
  const [answer, state] = await Promise.all([
    listed(() => caller.auditEntries.list(listInput(auditListInput, query))),
    caller.auditEntries.state({}),
  ]);
  const ids = (answer.page?.data ?? []).flatMap(({ target_id }) => target_id ?? []);
  const { data: named } = await caller.auditEntries.targets({ target_ids: [...new Set(ids)] });
  const known = {
    names: new Map(named.map(({ target_id, name }) => [target_id, name])),
    seesMails: userMay(user, "mails.read.all"),
  };
  const text = (name: "q" | "actor_id" | "target_id", maxLength: number): FilterField => ({
    ...{ name, kind: "text", maxLength },
    label: t(`filters.${name}`),
  });
  return (
    <OrganizationTime aheadMs={0}>
      <RecordList
        query={query}
        answer={answer}
        reader={reader}
        title={t("title")}
        tabs={<AuditState state={state} reader={reader} />}
        empty={{ title: t("emptyTitle"), text: t("emptyText") }}
        filters={[
          text("q", limits.searchText),
          {
            ...{ name: "action", kind: "select", label: t("filters.action") },
            options: actionOptions(t, reader.locale, query.filters["action"]),
          },
          text("actor_id", limits.id),
          text("target_id", limits.id),
          { name: "created_from", label: t("filters.created_from"), kind: "since" },
          { name: "created_to", label: t("filters.created_to"), kind: "until" },
        ]}
        columns={entryColumns(t, reader, known)}
        rowKey={(entry) => entry.audit_entry_id}
        exportPath={`${path}/export`}
      />
    </OrganizationTime>
  );
}
