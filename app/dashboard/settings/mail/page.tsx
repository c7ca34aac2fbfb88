// Settings of mail: the server that sends it, and a test mail that says what the server answered.
import { forbidden } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { userMay } from "@/app/_trpc/may";
import { api } from "@/app/_trpc/server";
import { requireUser } from "@/app/_trpc/session";
import { ButtonLink } from "@/app/_ui/button-link";
import { DetailList } from "@/app/_ui/detail-list";
import { Card } from "@/app/_ui/page-frame";
import { SettingsHead, settingsTitle } from "../_parts/settings-head";
import classes from "../settings.module.css";
import { TestMail } from "./_parts/test-mail";

const path = "/dashboard/settings/mail";

const example = `SMTP_URL=smtp://user:password@smtp.example.com:587
MAIL_FROM="Example Ltd <billing@example.com>"`;

export const generateMetadata = () => settingsTitle("mail");

export default async function MailSettingsPage() {
  const user = await requireUser(path);
  if (!userMay(user, "mails.server")) forbidden();
  const [t, caller] = await Promise.all([getTranslations("mailSettings"), api()]);
  const { server } = await caller.mails.server({});
  return (
    <>
      <SettingsHead
        current="mail"
        action={
          <ButtonLink href="/dashboard/mails" variant="outline">
            {t("toMails")}
          </ButtonLink>
        }
      />
      <div className={classes.parts}>
        <Card title={t("server")}>
          {server === null ? (
            <>
              <p>{t("none")}</p>
              <p>{t("how")}</p>
              <pre className={classes.example}>{example}</pre>
            </>
          ) : (
            <DetailList
              items={[
                { label: t("address"), value: `${server.host}:${server.port}` },
                { label: t("security"), value: t(server.is_secure ? "tls" : "starttls") },
                { label: t("login"), value: t(server.has_login ? "withLogin" : "withoutLogin") },
                {
                  label: t("from"),
                  value:
                    server.from_name === null ? server.from_address : `${server.from_name} <${server.from_address}>`,
                },
              ]}
            />
          )}
        </Card>
        {server !== null && userMay(user, "mails.test") && (
          <Card title={t("test")}>
            <TestMail email={user.email} />
          </Card>
        )}
      </div>
    </>
  );
}
