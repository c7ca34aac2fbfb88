// Who has no second factor: the admins by name, and how many users there are, with links to the list of users.
import { getTranslations } from "next-intl/server";
import { api } from "@/app/_trpc/server";
import { Link } from "@/app/_ui/link";
import { limits } from "@/server/kit/limits";
import { nameOf } from "../../../users/_parts/user-columns";
import { listPath, pathOf } from "../../../users/_parts/user-path";
import classes from "../../settings.module.css";
import own from "./lacking.module.css";

const shown = { status: "active", mfa_enabled: "false" } as const;
const addressOf = (filters: Record<string, string>) => `${listPath}?${new URLSearchParams(filters)}`;

export async function Lacking() {
  const [t, names, caller] = await Promise.all([getTranslations("securitySettings"), getTranslations("users"), api()]);
  const counted = { ...shown, status: [shown.status], include_total: true };
  const [admins, users] = await Promise.all([
    caller.users.list({ ...counted, role: ["admin"], limit: limits.shownAdmins }),
    caller.users.list({ ...counted, limit: 1 }),
  ]);
  const { total_count: count } = users;
  if (!count) return <p className={classes.text}>{t("lackingNone")}</p>;
  return (
    <>
      <p className={own.text}>{t("lackingAdmins", { count: admins.total_count ?? 0 })}</p>
      {admins.data.length > 0 && (
        <ul className={own.names}>
          {admins.data.map((user) => (
            <li key={user.user_id}>
              <Link href={pathOf(user.user_id)}>{nameOf(user, names)}</Link>
            </li>
          ))}
        </ul>
      )}
      {admins.has_more && (
        <p className={own.text}>
          <Link href={addressOf({ ...shown, role: "admin" })}>{t("showAdmins")}</Link>
        </p>
      )}
      <p className={own.text}>
        {t("lackingUsers", { count })} <Link href={addressOf(shown)}>{t("showUsers")}</Link>
      </p>
    </>
  );
}
