// The columns of the audit log.
import type { Outputs } from "@/app/_trpc/server";
import { CopyableId } from "@/app/_ui/copyable-id";
import type { Column } from "@/app/_ui/data-table";
import { Instant } from "@/app/_ui/instant";
import { Link } from "@/app/_ui/link";
import { actionText, type Text } from "./actions";
import classes from "./entries.module.css";
import { EntryDetail } from "./entry-detail";
import { Target } from "./target";

type Entry = Outputs["auditEntries"]["list"]["data"][number];

interface Reader {
  locale: string;
  timeZone: string;
}

interface Known {
  /** The names of targets that have one, by id. */
  names: ReadonlyMap<string, string>;
  /** Whether the reader may open all e-mails. */
  seesMails: boolean;
}

export const entryColumns = (t: Text, reader: Reader, { names, seesMails }: Known): Column<Entry>[] => [
  {
    key: "time",
    label: t("time"),
    place: "amount",
    cell: (entry) => <Instant at={entry.created_at} {...reader} />,
  },
  { key: "action", label: t("action"), place: "title", cell: (entry) => <Action {...entry} t={t} /> },
  { key: "actor", label: t("actor"), place: "text", cell: (entry) => <Actor {...entry.actor} t={t} /> },
  {
    key: "target",
    label: t("target"),
    place: "detail",
    cell: ({ target_id: id }) => id && <Target id={id} name={names.get(id)} t={t} seesMails={seesMails} />,
  },
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

/** In words; its name, by which programs filter, is the tooltip. */
const Action = ({ action, t }: Pick<Entry, "action"> & { t: Text }) => (
  <span className={classes.action} title={action}>
    {actionText(t, action)}
  </span>
);

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
