// The columns of the list of invitations, with dialogs that send one again or revoke it.
import type { useTranslations } from "next-intl";
import type { Viewer } from "@/app/_i18n/viewer";
import type { Outputs } from "@/app/_trpc/server";
import type { Column } from "@/app/_ui/data-table";
import { Instant } from "@/app/_ui/instant";
import { StatusBadge } from "@/app/_ui/status-badge";
import classes from "@/app/dashboard/_parts/record-columns.module.css";
import { ResendInvitation } from "./resend-invitation";
import { RevokeInvitation } from "./revoke-invitation";

type Invitation = Outputs["invitations"]["list"]["data"][number];

interface Texts {
  t: ReturnType<typeof useTranslations<"invitations">>;
  users: ReturnType<typeof useTranslations<"users">>;
}

/** What the user may do with an open invitation. */
interface Allowed {
  mayRevoke: boolean;
  mayResend: boolean;
}

export function invitationColumns({ t, users }: Texts, reader: Viewer, allowed: Allowed): Column<Invitation>[] {
  const columns: Column<Invitation>[] = [
    {
      ...{ key: "email", label: users("email"), place: "title" },
      cell: ({ email, name }) => (
        <>
          <span className={classes.name}>{name ?? email}</span>
          {name !== null && <span className={classes.below}>{email}</span>}
        </>
      ),
    },
    { key: "role", label: users("role"), place: "text", cell: ({ role }) => users(`roles.${role}`) },
    {
      ...{ key: "status", label: users("status"), place: "amount" },
      cell: ({ status }) => <StatusBadge status={status} />,
    },
    { key: "created", label: t("invited"), cell: (row) => <Instant at={row.created_at} {...reader} /> },
    { key: "expires", label: t("expires"), cell: (row) => <Instant at={row.expires_at} {...reader} /> },
    {
      ...{ key: "accepted", label: t("accepted") },
      cell: ({ accepted_at: at }) => (at === null ? t("notYet") : <Instant at={at} {...reader} />),
    },
    { key: "id", label: users("id"), cell: (row) => <code className={classes.id}>{row.invitation_id}</code> },
  ];
  const { mayRevoke, mayResend } = allowed;
  if (!mayRevoke) return columns;
  return [
    ...columns,
    {
      ...{ key: "action", label: t("action"), align: "end", place: "action" },
      cell: ({ invitation_id: id, email, status }) =>
        status === "open" ? (
          <span className={classes.actions}>
            {mayResend && <ResendInvitation id={id} email={email} />}
            <RevokeInvitation id={id} email={email} />
          </span>
        ) : null,
    },
  ];
}
