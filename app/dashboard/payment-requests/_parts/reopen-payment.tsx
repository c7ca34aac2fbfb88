// Asks again for what a lost dispute took, or for a part of it.
"use client";
import { useTranslations } from "next-intl";
import { useTRPCClient } from "@/app/_trpc/client";
import { AmountDialog } from "@/app/_ui/amount-dialog";
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

export function ReopenPayment({ id: payment_id, title, lost, currency, locale }: Props) {
  const t = useTranslations("lostDispute");
  const api = useTRPCClient();
  const formatted = (value: number) => formatMoney(value, currency, locale);
  function consequence(amount: number | null): string {
    if (amount === null) return t("reopenMost", { amount: formatted(lost) });
    const rest = formatted(lost - amount);
    return t(amount === lost ? "reopenAll" : "reopenPart", { amount: formatted(amount), rest });
  }
  return (
    <AmountDialog
      id="reopen-amount"
      variant="default"
      label={t("reopen")}
      title={t("reopenTitle", { title })}
      most={lost}
      currency={currency}
      locale={locale}
      consequence={consequence}
      tooMuch={t("reopenTooMuch", { amount: formatted(lost) })}
      confirm={(amount) => (amount === null ? t("reopenSome") : t("reopenSubmit", { amount: formatted(amount) }))}
      act={(amount, idempotencyKey) =>
        api.payments.reopen.mutate({ payment_id, amount }, { context: { idempotencyKey } })
      }
      done={(amount) => t("reopened", { amount: formatted(amount) })}
    />
  );
}
