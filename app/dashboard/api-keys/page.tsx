// The organization's API keys: what each may do, when it was last used, and dialogs that rotate or revoke it.
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
import { listInput as listSchema } from "@/server/domains/api-keys/schema";
import { type DetailedKey, keyColumns } from "./_parts/key-columns";

const path = "/dashboard/api-keys";
const columns = ["name", "state", "scopes", "account", "lastUsed", "expires", "created", "addresses", "id", "action"];
const shape: ListShape = {
  list: "api_keys",
  path,
  filters: [],
  columns,
  defaults: ["name", "state", "scopes", "account", "lastUsed", "created", "action"],
};

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("apiKeys");
  return { title: t("title") };
}

export default async function ApiKeysPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { user, query } = await listReader(shape, searchParams);
  if (!userMay(user, "apiKeys.read")) forbidden();
  const [t, reader, caller] = await Promise.all([getTranslations("apiKeys"), viewer(), api()]);
  const answer = await listed(async () => {
    const page = await caller.apiKeys.list(listInput(listSchema, query));
    const ids = page.data.map(({ api_key_id }) => api_key_id);
    const details = ids.length === 0 ? [] : (await caller.apiKeys.details({ api_key_ids: ids })).data;
    const detailsOf = new Map(details.map((each) => [each.api_key_id, each]));
    return { ...page, data: page.data.map((key): DetailedKey => ({ ...key, details: detailsOf.get(key.api_key_id) })) };
  });
  const mayChange = userMay(user, "apiKeys.write");
  return (
    <RecordList
      query={query}
      answer={answer}
      reader={reader}
      title={t("title")}
      action={mayChange && <NewLink href={`${path}/new`}>{t("create")}</NewLink>}
      empty={{ title: t("emptyTitle"), text: t("emptyText") }}
      filters={[]}
      columns={keyColumns(t, reader, mayChange, Date.now())}
      rowKey={(key) => key.api_key_id}
      isDimmed={(key) => key.revoked_at !== null}
    />
  );
}
