// The mails about a payment request, each linked to its page.
import { getTranslations } from "next-intl/server";
import type { Viewer } from "@/app/_i18n/viewer";
import { api } from "@/app/_trpc/server";
import { ButtonLink } from "@/app/_ui/button-link";
import { Instant } from "@/app/_ui/instant";
import { Link } from "@/app/_ui/link";
import { Card } from "@/app/_ui/page-frame";
import { StatusBadge } from "@/app/_ui/status-badge";
import { limits } from "@/server/kit/limits";
import { listPath, mailPath } from "../../mails/_parts/mails-path";
import { recipientOf } from "../../mails/_parts/recipient";
import classes from "./payment-transactions.module.css";

/** Renders nothing if no mail was written. */
export async function PaymentMails({ paymentId, reader }: { paymentId: string; reader: Viewer }) {
  const [t, caller] = await Promise.all([getTranslations("mails"), api()]);
  const { data, has_more: hasMore } = await caller.mails.list({ payment_id: paymentId, limit: limits.shownMails });
  if (data.length === 0) return null;
  const all = (
    <ButtonLink href={`${listPath}?payment_id=${paymentId}`} variant="outline">
      {t("all")}
    </ButtonLink>
  );
  return (
    <Card title={t("aboutPayment")} action={hasMore && all}>
      <ul className={classes.list}>
        {data.map((mail) => (
          <li key={mail.mail_id} className={classes.row}>
            <span className={classes.what}>
              <Link href={mailPath(mail.mail_id)} className={classes.link}>
                {t("toWhom", { kind: t(`kinds.${mail.kind}`), to: recipientOf(t, mail.to) })}
              </Link>
              <span className={classes.how}>
                <Instant at={mail.created_at} {...reader} />
              </span>
            </span>
            <StatusBadge status={mail.status} />
          </li>
        ))}
      </ul>
    </Card>
  );
}
