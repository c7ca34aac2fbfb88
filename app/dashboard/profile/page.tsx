// The reader's own profile: name, language and time zone, password, second factors, sessions.
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { viewer } from "@/app/_i18n/viewer";
import { requireUser } from "@/app/_trpc/session";
import { ButtonLink } from "@/app/_ui/button-link";
import { DetailList, DetailNote } from "@/app/_ui/detail-list";
import { Card, PageHead } from "@/app/_ui/page-frame";
import { liveSessionsOf, SessionsCard } from "../_parts/sessions-card";
import { accountChoices } from "../accounts/_parts/choices";
import { FactorsCard } from "./_parts/factors-card";
import { PendingEmail } from "./_parts/pending-email";
import { ProfileForm } from "./_parts/profile-form";
import classes from "./page.module.css";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("profile");
  return { title: t("title") };
}

export default async function ProfilePage() {
  const user = await requireUser("/dashboard/profile");
  const [t, role, reader, sessions] = await Promise.all([
    getTranslations("profile"),
    getTranslations("users"),
    viewer(),
    liveSessionsOf(user.user_id),
  ]);
  const { languages, timeZones } = accountChoices(reader.locale, { language: user.locale, timeZone: user.timezone });
  return (
    <>
      <PageHead title={t("title")} />
      <div className={classes.page}>
        <Card title={t("about")}>
          <div className={classes.identity}>
            <DetailList
              items={[
                {
                  label: t("email"),
                  value: (
                    <>
                      {user.email}
                      <DetailNote>{t(user.email_verified_at === null ? "unconfirmed" : "isConfirmed")}</DetailNote>
                    </>
                  ),
                },
                {
                  label: t("role"),
                  value: (
                    <>
                      {role(`roles.${user.role}`)}
                      <DetailNote>{role(`meanings.${user.role}`)}</DetailNote>
                    </>
                  ),
                },
              ]}
            />
          </div>
          <PendingEmail current={user.email} reader={reader} />
          <div className={classes.identity}>
            <ButtonLink href="/dashboard/email" variant="outline">
              {t("changeEmail")}
            </ButtonLink>
          </div>
          <ProfileForm user={user} choices={{ languages, timeZones }} />
        </Card>
        <Card title={t("password")}>
          <p className={classes.text}>{t(user.has_given_password ? "givenPassword" : "passwordText")}</p>
          <ButtonLink href="/dashboard/password" variant="outline">
            {t("changePassword")}
          </ButtonLink>
        </Card>
        <FactorsCard reader={reader} />
        <SessionsCard userId={user.user_id} sessions={sessions} isOwn mayEnd reader={reader} />
      </div>
    </>
  );
}
