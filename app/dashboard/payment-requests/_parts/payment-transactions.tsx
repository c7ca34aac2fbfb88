// The payments and refunds of a payment request, each linked to its transaction.

import { useTranslations } from "next-intl";
import type { Viewer } from "@/app/_i18n/viewer";
import { ButtonLink } from "@/app/_ui/button-link";
import { Instant } from "@/app/_ui/instant";
import { Link } from "@/app/_ui/link";
import { Money } from "@/app/_ui/money";
import { Card } from "@/app/_ui/page-frame";
import { StatusBadge } from "@/app/_ui/status-badge";
import { failureText } from "../../_parts/failure-text";
import { signed } from "../../transactions/_parts/amounts";
import { usePaymentMethod } from "../../transactions/_parts/payment-method";
import { Refund, type Refundable } from "./payment-actions";
import type { Transaction } from "./payment-parts";
import classes from "./payment-transactions.module.css";

interface Props {
  paymentId: string;
  transactions: readonly Transaction[];
  /** The payments that the reader may refund. */
  refundable: readonly Refundable[];
  /** The number of the invoice that they pay; null if there is none. */
  invoiceNumber: string | null;
  /** Whether there are more than these. */
  hasMore: boolean;
  reader: Viewer;
}

export function PaymentTransactions({ paymentId, transactions, refundable, invoiceNumber, hasMore, reader }: Props) {
  const t = useTranslations("payment");
  const type = useTranslations("transactionType");
  const declines = useTranslations("declines");
  const methodOf = usePaymentMethod();
  // A single payment is refunded by the button at the top.
  const refundOf = (row: Transaction) =>
    refundable.length > 1 ? refundable.find(({ transaction }) => transaction === row) : undefined;
  const all = (
    <ButtonLink href={`/dashboard/transactions?payment_id=${paymentId}`} variant="outline">
      {t("allTransactions")}
    </ButtonLink>
  );
  return (
    <Card title={t("transactions")} action={hasMore && all}>
      {transactions.length === 0 && <p className={classes.none}>{t("noTransactions")}</p>}
      <ul className={classes.list}>
        {transactions.map((row) => {
          const refund = refundOf(row);
          const method = methodOf(row);
          return (
            <li key={row.transaction_id} className={classes.row}>
              <span className={classes.what}>
                <Link href={`/dashboard/transactions/${row.transaction_id}`} className={classes.link}>
                  {type(row.type)}
                </Link>
                <span className={classes.how}>
                  <Instant at={row.created_at} {...reader} />
                  {method !== null && <span>{method}</span>}
                </span>
              </span>
              <StatusBadge status={row.status} />
              <span className={classes.amount}>
                <Money amount={signed(row)} currency={row.currency} locale={reader.locale} />
              </span>
              {row.failure && <span className={classes.failure}>{failureText(declines, row.failure)}</span>}
              {refund && <Refund {...refund} invoiceNumber={invoiceNumber} locale={reader.locale} />}
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
