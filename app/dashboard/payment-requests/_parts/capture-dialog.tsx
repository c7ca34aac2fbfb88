// Captures an authorization, in full or in part; says beforehand what happens to the rest.
"use client";
import { useTranslations } from "next-intl";
import { useTRPCClient } from "@/app/_trpc/client";
import { AmountDialog } from "@/app/_ui/amount-dialog";
import { formatMoney } from "@/app/_ui/money-text";

interface Props {
  id: string;
  /** The payment request's title. */
  title: string;
  /** Minor units that are authorized and not captured. */
  capturable: number;
  currency: string;
  locale: string;
}

export function CaptureDialog({ id: payment_id, title, capturable, currency, locale }: Props) {
  const t = useTranslations("paymentActs");
  const api = useTRPCClient();
  const formatted = (value: number) => formatMoney(value, currency, locale);
  function consequence(amount: number | null): string {
    if (amount === null) return t("captureMost", { amount: formatted(capturable) });
    const rest = formatted(capturable - amount);
    return t(amount === capturable ? "captureAll" : "capturePart", { amount: formatted(amount), rest });
  }
  return (
    <AmountDialog
      id="capture-amount"
      label={t("capture")}
      title={t("captureTitle", { title })}
      most={capturable}
      currency={currency}
      locale={locale}
      consequence={consequence}
      tooMuch={t("captureTooMuch", { amount: formatted(capturable) })}
      confirm={(amount) => (amount === null ? t("capture") : t("captureSubmit", { amount: formatted(amount) }))}
      act={(amount, idempotencyKey) =>
        api.payments.capture.mutate({ payment_id, amount }, { context: { idempotencyKey } })
      }
      done={(amount) => t("captureDone", { amount: formatted(amount) })}
    />
  );
}
