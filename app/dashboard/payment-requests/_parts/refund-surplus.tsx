// Refunds exactly the surplus of an overpaid payment request, after confirmation.
"use client";
import { useTranslations } from "next-intl";
import { useRef } from "react";
import { useTRPCClient } from "@/app/_trpc/client";
import { ConfirmDialog } from "@/app/_ui/confirm-dialog";
import { formatMoney } from "@/app/_ui/money-text";

interface Props {
  id: string;
  /** The payment request's title. */
  title: string;
  /** The amount to refund of each payment, in minor units. */
  refunds: readonly { transaction_id: string; amount: number }[];
  currency: string;
  locale: string;
}

export function RefundSurplus({ id, title, refunds, currency, locale }: Props) {
  const t = useTranslations("attention");
  const api = useTRPCClient();
  // If one of several is refused, the next attempt does not repeat those before it.
  const made = useRef(new Set<string>());
  const sum = refunds.reduce((total, { amount }) => total + amount, 0);
  const written = formatMoney(sum, currency, locale);
  async function refundAll(key: string): Promise<void> {
    for (const { transaction_id, amount } of refunds) {
      if (made.current.has(transaction_id)) continue;
      const input = { payment_id: id, transaction_id, amount };
      await api.payments.refundSurplus.mutate(input, { context: { idempotencyKey: `${key}-${transaction_id}` } });
      made.current.add(transaction_id);
    }
  }
  return (
    <ConfirmDialog
      label={t("refund", { amount: written })}
      title={t("refundTitle", { amount: written })}
      confirm={t("refund", { amount: written })}
      size="compact-sm"
      done={t("refunded", { amount: written })}
      act={refundAll}
    >
      <p>{t("refundText", { title, amount: written })}</p>
    </ConfirmDialog>
  );
}
