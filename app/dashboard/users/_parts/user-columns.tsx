// The columns of the list of users: name and e-mail, role, status, second factor, when last seen.
import type { useTranslations } from "next-intl";
import type { Viewer } from "@/app/_i18n/viewer";
import type { Outputs } from "@/app/_trpc/server";
import type { Column } from "@/app/_ui/data-table";
import { Instant } from "@/app/_ui/instant";
import { StatusBadge } from "@/app/_ui/status-badge";
import classes from "@/app/dashboard/_parts/record-columns.module.css";

type User = Outputs["users"]["list"]["data"][number];
type Texts = ReturnType<typeof useTranslations<"users">>;

interface Known {
  /** When users were last seen, by id. */
  seen: ReadonlyMap<string, string>;
  /** The reader. */
  ownId: string;
}

/** What to call a user; a removed one has neither name nor address. */
export const nameOf = ({ name, email, status }: Pick<User, "name" | "email" | "status">, t: Texts): string =>
  status === "removed" ? t("removedUser") : (name ?? email);

export const userColumns = (t: Texts, reader: Viewer, { seen, ownId }: Known): Column<User>[] => [
  {
    ...{ key: "name", label: t("name"), isLink: true, place: "title" },
    cell: (user) => (
      <>
        <span className={classes.name}>{nameOf(user, t)}</span>
        {user.name !== null && <span className={classes.below}>{user.email}</span>}
        {user.user_id === ownId && <span className={classes.below}>{t("you")}</span>}
      </>
    ),
  },
  { key: "role", label: t("role"), place: "detail", cell: (user) => t(`roles.${user.role}`) },
  { key: "status", label: t("status"), place: "detail", cell: (user) => <StatusBadge status={user.status} /> },
  {
    ...{ key: "factor", label: t("factor"), place: "text" },
    cell: (user) => user.status === "active" && t(user.mfa_enabled ? "factorOn" : "factorOff"),
  },
  {
    ...{ key: "seen", label: t("seen"), place: "amount" },
    cell: (user) => {
      const at = seen.get(user.user_id) ?? user.last_login_at;
      if (at === null) return <span data-none>{t("never")}</span>;
      return (
        <span data-dated>
          <Instant at={at} isShort {...reader} />
        </span>
      );
    },
  },
  { key: "created", label: t("created"), cell: (user) => <Instant at={user.created_at} isDay {...reader} /> },
  { key: "id", label: t("id"), cell: (user) => <code className={classes.id}>{user.user_id}</code> },
];
