// Cancels a payment request, after naming the consequence.
"use client";
import { useTranslations } from "next-intl";
import { useTRPCClient } from "@/app/_trpc/client";
import { ConfirmDialog } from "@/app/_ui/confirm-dialog";
import { formatMoney } from "@/app/_ui/money-text";

interface Props {
  id: string;
  /** The payment request's title. */
  title: string;
  /** Minor units: authorized, paid, and still due. */
  held: number;
  paid: number;
  due: number;
  currency: string;
  locale: string;
}

export function CancelPayment({ id, title, held, paid, due, currency, locale }: Props) {
  const t = useTranslations("paymentActs");
  const api = useTRPCClient();
  const formatted = (amount: number) => formatMoney(amount, currency, locale);
  const consequence = () => {
    if (held > 0) return t("cancelHold", { amount: formatted(held) });
    return paid > 0 ? t("cancelRest", { amount: formatted(due) }) : t("cancelOpen");
  };
  return (
    <ConfirmDialog
      label={t("cancel")}
      title={t("cancelTitle", { title })}
      confirm={t("cancel")}
      dismiss={t("keep")}
      isDanger
      done={t("canceled", { title })}
      act={(key) => api.payments.cancel.mutate({ payment_id: id }, { context: { idempotencyKey: key } })}
    >
      {consequence()}
    </ConfirmDialog>
  );
}
