// One mail: what became of it, and how it looks or reads; a button that sends it again.
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { cache } from "react";
import { viewer } from "@/app/_i18n/viewer";
import { userMay } from "@/app/_trpc/may";
import { api } from "@/app/_trpc/server";
import { requireUser } from "@/app/_trpc/session";
import { DetailList } from "@/app/_ui/detail-list";
import { Instant } from "@/app/_ui/instant";
import { Link } from "@/app/_ui/link";
import { Card, PageHead } from "@/app/_ui/page-frame";
import { StatusBadge } from "@/app/_ui/status-badge";
import { isResendable } from "@/server/domains/mails/rules";
import { paymentKinds } from "@/server/domains/mails/templates";
import { failureOf } from "@/server/pipeline/trpc-router";
import { runtime } from "@/server/process/runtime";
import { mailReason } from "../_parts/mail-reason";
import { MailView } from "../_parts/mail-view";
import { listPath, mailPath } from "../_parts/mails-path";
import { NoServer } from "../_parts/no-server";
import { recipientOf } from "../_parts/recipient";
import { ResendMail } from "../_parts/resend-mail";
import classes from "./page.module.css";

interface Props {
  params: Promise<{ mail_id: string }>;
  searchParams: Promise<{ view?: string | string[] }>;
}

/** The mail, or the not-found page if it does not exist or the reader may not see it. */
const find = cache(async (mail_id: string) => {
  await requireUser(mailPath(mail_id));
  try {
    return await (await api()).mails.get({ mail_id });
  } catch (error) {
    if (failureOf(error).code === "mail_not_found") return notFound();
    throw error;
  }
});

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { subject } = await find((await params).mail_id);
  const t = await getTranslations("mails");
  return { title: subject || t("erasedSubject") };
}

export default async function MailPage({ params, searchParams }: Props) {
  const mail = await find((await params).mail_id);
  const view = (await searchParams).view === "text" ? "text" : "html";
  const { mail_id: id, to, status, payment_id: paymentId, last_error: error } = mail;
  const user = await requireUser(mailPath(id));
  const [t, reader, { env }] = await Promise.all([getTranslations("mails"), viewer(), runtime()]);
  const mayResend = userMay(user, paymentKinds.includes(mail.kind) ? "mails.resend" : "mails.resend.all");
  const canResend = mayResend && env.mail !== null && isResendable(mail);
  const settings = userMay(user, "mails.server") ? "/dashboard/settings/mail" : null;
  const reason = mailReason(t, error);
  return (
    <>
      <PageHead
        title={mail.subject || t("erasedSubject")}
        back={{ href: listPath, label: t("back"), id }}
        aside={<StatusBadge status={status} />}
        action={canResend && <ResendMail id={id} to={to} isHeld={status === "held"} />}
      />
      <div className={classes.parts}>
        {env.mail === null && <NoServer settings={settings} about={mail.kind} />}
        <Card title={t("details")}>
          <DetailList
            items={[
              { label: t("to"), value: recipientOf(t, to) },
              { label: t("kind"), value: t(`kinds.${mail.kind}`) },
              { label: t("created"), value: <Instant at={mail.created_at} {...reader} /> },
              { label: t("sent"), value: mail.sent_at && <Instant at={mail.sent_at} {...reader} /> },
              { label: t("attempts"), value: mail.attempts },
              { label: t("error"), value: reason },
              {
                label: t("payment"),
                value: paymentId && <Link href={`/dashboard/payment-requests/${paymentId}`}>{paymentId}</Link>,
              },
            ]}
          />
        </Card>
        <MailView mail={mail} view={view} />
      </div>
    </>
  );
}
