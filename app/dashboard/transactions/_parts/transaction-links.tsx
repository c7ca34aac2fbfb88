// Records related to a transaction: its payment request, the payment it refunds, its refunds.

import { useTranslations } from "next-intl";
import type { Viewer } from "@/app/_i18n/viewer";
import type { Outputs } from "@/app/_trpc/server";
import { Instant } from "@/app/_ui/instant";
import { Link } from "@/app/_ui/link";
import { Card } from "@/app/_ui/page-frame";
import { StatusBadge } from "@/app/_ui/status-badge";
import { formatMoney } from "@/server/kit/currency";
import { listPath, transactionPath } from "./list-shape";
import type { TransactionContext } from "./transaction-context";
import classes from "./transaction-links.module.css";

type Transaction = Outputs["transactions"]["get"];

interface Props {
  transaction: Transaction;
  context: TransactionContext;
  reader: Viewer;
}

export function TransactionLinks({ transaction, context: { request, parent, refunds }, reader }: Props) {
  const t = useTranslations("transaction");
  const { transaction_id: id } = transaction;
  if (request === null && parent === null && refunds.data.length === 0) return null;
  return (
    <Card title={t("linked")}>
      <dl className={classes.groups}>
        {request !== null && (
          <div>
            <dt>{t("towards")}</dt>
            <dd>
              <Link href={`/dashboard/payment-requests/${request.payment_id}`}>
                {request.description ?? t("request")}
              </Link>
              <code className={classes.id}>{request.payment_id}</code>
            </dd>
          </div>
        )}
        {parent && <Linked label={t("refundOf")} rows={[parent]} reader={reader} />}
        {refunds.data.length > 0 && <Linked label={t("refundedBy")} rows={refunds.data} reader={reader} />}
      </dl>
      {refunds.has_more && (
        <Link href={`${listPath}?parent_transaction_id=${id}`} className={classes.all}>
          {t("allRefunds", { count: refunds.total_count ?? 0 })}
        </Link>
      )}
    </Card>
  );
}

function Linked({ label, rows, reader }: { label: string; rows: readonly Transaction[]; reader: Viewer }) {
  const t = useTranslations("transaction");
  return (
    <div>
      <dt>{label}</dt>
      {rows.map((row) => (
        <dd key={row.transaction_id}>
          <Link href={transactionPath(row.transaction_id)}>
            {t(`headline.${row.type}`, { amount: formatMoney(row.amount, row.currency, reader.locale) })}
          </Link>
          <StatusBadge status={row.status} />
          <span className={classes.at}>
            <Instant at={row.created_at} {...reader} />
          </span>
        </dd>
      ))}
    </div>
  );
}
