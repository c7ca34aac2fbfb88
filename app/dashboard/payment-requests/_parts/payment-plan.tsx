// The installments of a payment request, with what is paid of each, or what part its customer may pay.
import { useTranslations } from "next-intl";
import type { Viewer } from "@/app/_i18n/viewer";
import { Instant } from "@/app/_ui/instant";
import { formatMoney } from "@/app/_ui/money-text";
import { Card } from "@/app/_ui/page-frame";
import type { Payment } from "./payment-parts";
import own from "./payment-plan.module.css";
import classes from "./payment-transactions.module.css";

/** Renders nothing if it is paid at once. */
export function PaymentPlan({ payment, reader }: { payment: Payment; reader: Viewer }) {
  const t = useTranslations("paymentPlan");
  const { installments, currency } = payment;
  const money = (amount: number) => formatMoney(amount, currency, reader.locale);
  if (installments === null) {
    if (!payment.allow_partial) return null;
    const minimum = payment.minimum_amount;
    return (
      <Card title={t("parts")}>
        <p className={classes.none}>{minimum === null ? t("anyPart") : t("partsFrom", { amount: money(minimum) })}</p>
      </Card>
    );
  }
  const paid = installments.filter(({ status }) => status === "paid").length;
  return (
    <Card title={t("title")}>
      <p className={classes.none}>{t("progress", { paid, count: installments.length })}</p>
      <ul className={`${classes.list} ${own.list}`}>
        {installments.map((one) => (
          <li key={one.due_at} className={classes.row}>
            <span className={classes.what}>
              <Instant at={one.due_at} isDay {...reader} />
              {one.amount_paid > 0 && one.amount_paid < one.amount && (
                <span className={classes.how}>{t("partPaid", { amount: money(one.amount_paid) })}</span>
              )}
            </span>
            <span className={one.status === "overdue" ? own.overdue : undefined}>{t(`status.${one.status}`)}</span>
            <span className={classes.amount}>{money(one.amount)}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
