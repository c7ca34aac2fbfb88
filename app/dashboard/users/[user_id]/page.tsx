// One user: role, accounts and sessions, and for admins the ways to change them.
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { viewer } from "@/app/_i18n/viewer";
import { userMay } from "@/app/_trpc/may";
import { PageActions } from "@/app/_ui/page-actions";
import { PageHead } from "@/app/_ui/page-frame";
import { StatusBadge } from "@/app/_ui/status-badge";
import { userRoles } from "@/db/schema/values";
import { adminRoles } from "@/server/access/may";
import { runtime } from "@/server/process/runtime";
import { liveSessionsOf, SessionsCard } from "../../_parts/sessions-card";
import { ChangeRole } from "../_parts/change-role";
import { RemoveFactors } from "../_parts/remove-factors";
import { RemoveUser } from "../_parts/remove-user";
import { SendReset } from "../_parts/send-reset";
import { UserAccounts } from "../_parts/user-accounts";
import { nameOf } from "../_parts/user-columns";
import { UserDetails } from "../_parts/user-details";
import { readerOf } from "../_parts/user-page";
import { listPath } from "../_parts/user-path";
import classes from "./page.module.css";

interface Props {
  params: Promise<{ user_id: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { user } = await readerOf((await params).user_id);
  return { title: nameOf(user, await getTranslations("users")) };
}

export default async function UserPage({ params }: Props) {
  const { user, reader } = await readerOf((await params).user_id);
  const [t, formats, { env }] = await Promise.all([getTranslations("users"), viewer(), runtime()]);
  const hasMail = env.mail !== null;
  const { user_id: id, role, status, mfa_enabled: hasFactor } = user;
  const isOwn = id === reader.user_id;
  const isActive = status === "active";
  const sessions = isActive ? await liveSessionsOf(id) : null;
  const name = nameOf(user, t);
  return (
    <>
      <PageHead
        title={name}
        back={{ href: listPath, label: t("title"), id }}
        aside={<StatusBadge status={status} />}
        action={
          isActive && (
            <PageActions>
              {!isOwn && hasMail && userMay(reader, "users.sendReset") && (
                <SendReset id={id} name={name} email={user.email} />
              )}
              {userMay(reader, "users.update.role") && (
                <ChangeRole id={id} name={name} role={role} roles={userRoles} adminRoles={adminRoles} />
              )}
              {!isOwn && hasFactor && userMay(reader, "factors.removeLost") && (
                <RemoveFactors id={id} name={name} getsLink={hasMail && user.email_verified_at !== null} />
              )}
              {(isOwn || userMay(reader, "users.update.role")) && (
                <RemoveUser id={id} name={name} isOwn={isOwn} mayGive={userMay(reader, "accounts.update.owner")} />
              )}
            </PageActions>
          )
        }
      />
      <div className={classes.page}>
        <div className={classes.columns}>
          <UserDetails user={user} reader={formats} />
          <UserAccounts user={user} mayAssign={userMay(reader, "accounts.update.owner")} />
        </div>
        {sessions && (
          <SessionsCard
            userId={id}
            name={name}
            sessions={sessions}
            isOwn={isOwn}
            mayEnd={isOwn || userMay(reader, "sessions.invalidate.asAdmin")}
            reader={formats}
          />
        )}
      </div>
    </>
  );
}
