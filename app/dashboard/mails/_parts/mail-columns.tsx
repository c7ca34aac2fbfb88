// The columns of the list of mails.
import type { useTranslations } from "next-intl";
import type { Viewer } from "@/app/_i18n/viewer";
import type { Outputs } from "@/app/_trpc/server";
import type { Column } from "@/app/_ui/data-table";
import { Instant } from "@/app/_ui/instant";
import { StatusBadge } from "@/app/_ui/status-badge";
import classes from "./mail-columns.module.css";
import { mailReason } from "./mail-reason";
import { recipientOf } from "./recipient";

type Mail = Outputs["mails"]["list"]["data"][number];

interface Props {
  t: ReturnType<typeof useTranslations<"mails">>;
  reader: Viewer;
}

/** Every column, by its key. */
export function mailColumns({ t, reader }: Props): Column<Mail>[] {
  const text = (words: string) => <span className={classes.text}>{words}</span>;
  return [
    {
      key: "created",
      label: t("created"),
      place: "amount",
      cell: (row) => <Instant at={row.created_at} isShort {...reader} />,
    },
    {
      key: "to",
      label: t("to"),
      isLink: true,
      place: "title",
      cell: (row) => <span className={classes.address}>{text(recipientOf(t, row.to))}</span>,
    },
    { key: "subject", label: t("subject"), place: "text", cell: (row) => text(row.subject || t("erasedSubject")) },
    { key: "kind", label: t("kind"), cell: (row) => t(`kinds.${row.kind}`) },
    { key: "status", label: t("status"), place: "detail", cell: (row) => <StatusBadge status={row.status} /> },
    {
      key: "sent",
      label: t("sent"),
      cell: (row) => (row.sent_at === null ? t("none") : <Instant at={row.sent_at} {...reader} />),
    },
    { key: "attempts", label: t("attempts"), align: "end", cell: (row) => row.attempts },
    { key: "error", label: t("error"), cell: (row) => mailReason(t, row.last_error) ?? t("none") },
    { key: "id", label: t("id"), cell: (row) => <code className={classes.id}>{row.mail_id}</code> },
  ];
}
