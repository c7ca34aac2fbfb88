// The newest mails about a customer's payment requests, each linked to its page.
import { useTranslations } from "next-intl";
import type { Viewer } from "@/app/_i18n/viewer";
import type { Outputs } from "@/app/_trpc/server";
import { Instant } from "@/app/_ui/instant";
import { Link } from "@/app/_ui/link";
import { Card } from "@/app/_ui/page-frame";
import { StatusBadge } from "@/app/_ui/status-badge";
import { mailPath } from "../../mails/_parts/mails-path";
import { recipientOf } from "../../mails/_parts/recipient";
import rows from "../../payment-requests/_parts/payment-transactions.module.css";

interface Props {
  mails: Outputs["customers"]["activity"]["mails"];
  reader: Viewer;
}

/** Renders nothing if no mail was written. */
export function CustomerMails({ mails, reader }: Props) {
  const t = useTranslations("mails");
  const own = useTranslations("customers");
  if (mails.length === 0) return null;
  return (
    <Card title={own("mails")}>
      <ul className={rows.list}>
        {mails.map((mail) => (
          <li key={mail.mail_id} className={rows.row}>
            <span className={rows.what}>
              <Link href={mailPath(mail.mail_id)} className={rows.link}>
                {t("toWhom", { kind: t(`kinds.${mail.kind}`), to: recipientOf(t, mail.to) })}
              </Link>
              <span className={rows.how}>
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
