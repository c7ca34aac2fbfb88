// Failed background jobs: the record, the last error, and a retry button for readers who may use it.
import type { Metadata } from "next";
import { forbidden } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { viewer } from "@/app/_i18n/viewer";
import { listed, listInput } from "@/app/_trpc/list-page";
import { listReader } from "@/app/_trpc/list-reader";
import { userMay } from "@/app/_trpc/may";
import { api, type Outputs } from "@/app/_trpc/server";
import type { Column } from "@/app/_ui/data-table";
import { Instant } from "@/app/_ui/instant";
import { Link } from "@/app/_ui/link";
import type { ListShape, SearchParams } from "@/app/_ui/list-query";
import { RecordList } from "@/app/_ui/record-list";
import { deadJobs } from "@/server/domains/jobs/operations/dead";
import { RetryAll } from "./_parts/retry-all";
import { RetryJob } from "./_parts/retry-job";

type Job = Outputs["jobs"]["dead"]["data"][number];

const shape: ListShape = {
  list: "jobs",
  path: "/dashboard/jobs",
  filters: [],
  columns: ["died", "kind", "object", "error", "failures", "action"],
};

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("jobs");
  return { title: t("title") };
}

export default async function JobsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { user, query } = await listReader(shape, searchParams);
  if (!userMay(user, "jobs.read")) forbidden();
  const mayRetry = userMay(user, "jobs.manage");
  const [t, reader, caller] = await Promise.all([getTranslations("jobs"), viewer(), api()]);
  const answer = await listed(() => caller.jobs.dead(listInput(deadJobs.input, query)));
  // In a message key a dot separates levels.
  const kindOf = ({ kind }: Job) => t("kindOf", { kind: kind.replace(".", "_"), name: kind });
  const columns: Column<Job>[] = [
    { key: "died", label: t("died"), place: "amount", cell: (row) => <Instant at={row.died_at} isShort {...reader} /> },
    { key: "kind", label: t("kind"), place: "title", cell: kindOf },
    { key: "object", label: t("object"), cell: (row) => <Subject id={row.object_id} /> },
    { key: "error", label: t("error"), place: "text", cell: (row) => row.last_error },
    { key: "failures", label: t("failures"), align: "end", cell: (row) => row.failures },
    ...(mayRetry
      ? [
          {
            key: "action",
            label: t("action"),
            align: "end" as const,
            place: "action" as const,
            cell: (row: Job) => <RetryJob id={row.job_id} name={kindOf(row)} />,
          },
        ]
      : []),
  ];
  return (
    <RecordList
      query={query}
      answer={answer}
      reader={reader}
      title={t("title")}
      action={mayRetry && answer.page?.data.length ? <RetryAll /> : undefined}
      empty={{ title: t("emptyTitle"), text: t("emptyText") }}
      filters={[]}
      columns={columns}
      rowKey={(row) => row.job_id}
    />
  );
}

const places: Readonly<Record<string, string>> = {
  pay: "/dashboard/payment-requests",
  txn: "/dashboard/transactions",
  acct: "/dashboard/accounts",
};

/** The record of a job, with a link if it has a page. */
function Subject({ id }: { id: string }) {
  const place = places[id.split("_")[0] ?? ""];
  return place === undefined ? id : <Link href={`${place}/${id}`}>{id}</Link>;
}
