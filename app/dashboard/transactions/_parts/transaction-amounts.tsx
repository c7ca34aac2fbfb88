// The amounts of a transaction: amount, fee and net, and what was captured and refunded of a payment.
import { useTranslations } from "next-intl";
import type { Viewer } from "@/app/_i18n/viewer";
import type { Outputs } from "@/app/_trpc/server";
import { Money } from "@/app/_ui/money";
import { Card } from "@/app/_ui/page-frame";
import { isPartlyCaptured } from "./amounts";
import { refundableAmount } from "./refundable-amount";
import classes from "./transaction-amounts.module.css";

interface Props {
  transaction: Outputs["transactions"]["get"];
  /** The sum of pending refunds, in minor units. */
  underWay: number;
  reader: Viewer;
}

export function TransactionAmounts({ transaction, underWay, reader }: Props) {
  const t = useTranslations("transaction");
  const { type, currency, amount_captured, amount_refunded, amount_disputed } = transaction;
  const amount = transaction.direction === "in" ? transaction.amount : -transaction.amount;
  // The part that has not moved, and the part of a surplus that is now, or was spent as, the customer's credit.
  const moved = type === "payment" ? amount_captured : transaction.status === "failed" ? 0 : amount;
  const rest = amount - moved;
  const credited = moved - transaction.fee_amount - amount_disputed - transaction.net_amount;
  const sums: [label: string, amount: number, isSum?: boolean][] = [
    [t("amount"), amount],
    ...(rest === 0 ? [] : [[t(restOf(transaction)), -rest] satisfies [string, number]]),
    [t("fee"), -transaction.fee_amount],
    ...(amount_disputed === 0 ? [] : [[t("disputed"), -amount_disputed] satisfies [string, number]]),
    ...(credited === 0 ? [] : [[t("credited"), -credited] satisfies [string, number]]),
    [t("net"), transaction.net_amount, true],
  ];
  const ofPayment: typeof sums = [
    [t("captured"), amount_captured],
    [t("refunded"), -amount_refunded],
    [t("refunding"), -underWay],
    [t("disputed"), -amount_disputed],
    [t("creditSpent"), -transaction.amount_credit_spent],
    [t("refundable"), refundableAmount(transaction, underWay), true],
  ];
  const shown = ofPayment.filter(([, amount], index) => amount !== 0 || index === 0 || index === ofPayment.length - 1);
  return (
    <Card title={t("amounts")}>
      {(type === "payment" ? [sums, shown] : [sums]).map((group) => (
        <dl key={group[0]?.[0]} className={classes.sums}>
          {group.map(([label, amount, isSum]) => (
            <div key={label} data-is-sum={isSum}>
              <dt>{label}</dt>
              <dd>
                <Money amount={amount === 0 ? 0 : amount} currency={currency} locale={reader.locale} />
              </dd>
            </div>
          ))}
        </dl>
      ))}
    </Card>
  );
}

function restOf(transaction: Props["transaction"]): "released" | "notCaptured" | "notRefunded" {
  if (transaction.type !== "payment") return "notRefunded";
  return isPartlyCaptured(transaction) ? "released" : "notCaptured";
}
