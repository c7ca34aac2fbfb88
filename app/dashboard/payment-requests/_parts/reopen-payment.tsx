// Asks again for what a lost dispute took, or for a part of it.
"use client";
import { useTranslations } from "next-intl";
import { useTRPCClient } from "@/app/_trpc/client";
import { ConfirmDialog } from "@/app/_ui/confirm-dialog";
import { formatMoney } from "@/app/_ui/money-text";

interface Props {
  id: string;
  /** The payment request's title. */
  title: string;
  /** Minor units that were lost, and nobody has decided about. */
  lost: number;
  currency: string;
  locale: string;
}

export function ReopenPayment({ id, title, lost, currency, locale }: Props) {
  const t = useTranslations("lostDispute");
  const api = useTRPCClient();
  const amount = formatMoney(lost, currency, locale);
  return (
    <ConfirmDialog
      label={t("reopen")}
      title={t("reopenTitle", { title })}
      confirm={t("reopenSubmit", { amount })}
      act={(key) => api.payments.reopen.mutate({ payment_id: id, amount: lost }, { context: { idempotencyKey: key } })}
      done={t("reopened", { amount })}
    >
      {t("reopenText", { amount })}
    </ConfirmDialog>
  );
}
