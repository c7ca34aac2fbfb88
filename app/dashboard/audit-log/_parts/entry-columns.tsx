// The columns of the audit log.
import type { useTranslations } from "next-intl";
import type { Outputs } from "@/app/_trpc/server";
import { CopyableId } from "@/app/_ui/copyable-id";
import type { Column } from "@/app/_ui/data-table";
import { Instant } from "@/app/_ui/instant";
import { Link } from "@/app/_ui/link";
import classes from "./entries.module.css";
import { EntryDetail } from "./entry-detail";

type Entry = Outputs["auditEntries"]["list"]["data"][number];

type Text = ReturnType<typeof useTranslations<"auditLog">>;

interface Reader {
  locale: string;
  timeZone: string;
}

export const entryColumns = (t: Text, reader: Reader): Column<Entry>[] => [
  { key: "time", label: t("time"), cell: (entry) => <Instant at={entry.created_at} {...reader} /> },
  { key: "action", label: t("action"), cell: (entry) => <span className={classes.action}>{entry.action}</span> },
  { key: "actor", label: t("actor"), cell: (entry) => <Actor {...entry.actor} t={t} /> },
  { key: "target", label: t("target"), cell: (entry) => <Target id={entry.target_id} /> },
  { key: "detail", label: t("detail"), cell: (entry) => <EntryDetail detail={entry.detail} /> },
  {
    key: "address",
    label: t("address"),
    cell: (entry) => entry.ip && <span className={classes.mono}>{entry.ip}</span>,
  },
  {
    key: "client",
    label: t("client"),
    cell: (entry) => entry.user_agent && <span className={classes.client}>{entry.user_agent}</span>,
  },
  { key: "request", label: t("request"), cell: (entry) => <CopyableId id={entry.request_id} /> },
  { key: "id", label: t("id"), cell: (entry) => <CopyableId id={entry.audit_entry_id} /> },
];

/** A link to everything that the same actor did. */
function Actor({ type, id, name, t }: Entry["actor"] & { t: Text }) {
  const text = t("by", { type, name: name ?? "", named: name === null ? "no" : "yes" });
  return id === null ? (
    text
  ) : (
    <Link href={`/dashboard/audit-log?actor_id=${encodeURIComponent(id)}`} className={classes.name}>
      {text}
    </Link>
  );
}

/** How many of the last characters of an id are shown; they are random. */
const shownCharacters = 6;

/** The dashboard's pages of records, by the beginning of the id. */
const places: Readonly<Record<string, string>> = {
  pay: "/dashboard/payment-requests",
  txn: "/dashboard/transactions",
  acct: "/dashboard/accounts",
};

/** The record's page, or everything else that happened to it. */
function Target({ id }: { id: string | null }) {
  if (id === null) return null;
  const place = places[id.split("_")[0] ?? ""];
  const href = place === undefined ? `/dashboard/audit-log?target_id=${encodeURIComponent(id)}` : `${place}/${id}`;
  return (
    <Link href={href} className={classes.target} title={id}>
      {id.slice(0, id.indexOf("_") + 1)}…{id.slice(-shownCharacters)}
    </Link>
  );
}
