// The form that invites a person.
import type { Metadata } from "next";
import { forbidden } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { userMay } from "@/app/_trpc/may";
import { requireUser } from "@/app/_trpc/session";
import classes from "@/app/_ui/form-page.module.css";
import { Card, PageHead } from "@/app/_ui/page-frame";
import { userRoles } from "@/db/schema/values";
import { roleMay } from "@/server/access/may";
import { dashboardLanguages, languages } from "@/server/kit/languages";
import { runtime } from "@/server/process/runtime";
import { InviteForm } from "../_parts/invite-form";
import { invitationsPath, invitePath } from "../_parts/user-path";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("invitations");
  return { title: t("newTitle") };
}

export default async function InvitePage() {
  const user = await requireUser(invitePath);
  if (!userMay(user, "invitations.create.member")) forbidden();
  const [t, { env }] = await Promise.all([getTranslations("invitations"), runtime()]);
  return (
    <div className={classes.page}>
      <PageHead title={t("newTitle")} back={{ href: invitationsPath, label: t("title") }} />
      <Card padded>
        <InviteForm
          roles={userRoles}
          rolesWithAccount={userRoles.filter((role) => roleMay("accounts.create", role))}
          languages={dashboardLanguages.map((value) => ({ value, label: languages[value] }))}
          hasMail={env.mail !== null}
        />
      </Card>
    </div>
  );
}
