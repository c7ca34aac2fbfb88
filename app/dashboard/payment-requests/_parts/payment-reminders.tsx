// The planned reminders of a payment request: when each goes or went, and why one was not sent.
import { useTranslations } from "next-intl";
import type { Viewer } from "@/app/_i18n/viewer";
import { Instant } from "@/app/_ui/instant";
import { Link } from "@/app/_ui/link";
import { Card } from "@/app/_ui/page-frame";
import { mailPath } from "../../mails/_parts/mails-path";
import type { Payment } from "./payment-parts";
import classes from "./payment-transactions.module.css";

/** Renders nothing if none was planned. */
export function PaymentReminders({ payment, reader }: { payment: Payment; reader: Viewer }) {
  const t = useTranslations("reminders");
  if (payment.reminders === null) return null;
  const base = payment.due_at === null ? "expiry" : "due";
  return (
    <Card title={t("title")}>
      <ul className={classes.list}>
        {payment.reminders.map((reminder) => (
          <li key={reminder.offset_days} className={classes.row}>
            <span className={classes.what}>
              <When offset={reminder.offset_days} base={base} mailId={reminder.mail_id} />
              <span className={classes.how}>
                <At at={reminder.sent_at ?? reminder.planned_at} reader={reader} />
              </span>
            </span>
            <State reminder={reminder} reader={reader} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** A draft's reminders have no date yet. */
const At = ({ at, reader }: { at: string | null; reader: Viewer }) => at !== null && <Instant at={at} {...reader} />;

function When({ offset, base, mailId }: { offset: number; base: "due" | "expiry"; mailId: string | null }) {
  const t = useTranslations("reminders");
  const side = offset === 0 ? "on" : offset < 0 ? "before" : "after";
  const text = t(side, { count: Math.abs(offset), base });
  if (mailId === null) return <span>{text}</span>;
  return (
    <Link href={mailPath(mailId)} className={classes.link}>
      {text}
    </Link>
  );
}

function State({ reminder, reader }: { reminder: NonNullable<Payment["reminders"]>[number]; reader: Viewer }) {
  const t = useTranslations("reminders");
  const { skipped_reason: reason, sent_at: sentAt, waiting_until: until } = reminder;
  if (sentAt !== null) return <span>{t("sent")}</span>;
  if (until !== null) return <span>{t.rich("waiting", { at: () => <Instant at={until} {...reader} /> })}</span>;
  if (reason === null) return <span>{t("planned")}</span>;
  return (
    <>
      <span>{t("skipped")}</span>
      <span className={classes.failure}>{t(`reasons.${reason}`)}</span>
    </>
  );
}
