// Pays a payment request out of the credit of its customer: as much as is due, or as there is.
"use client";
import { useTranslations } from "next-intl";
import { useTRPCClient } from "@/app/_trpc/client";
import { ConfirmDialog } from "@/app/_ui/confirm-dialog";
import { formatMoney } from "@/app/_ui/money-text";

interface Props {
  id: string;
  /** The payment request's title. */
  title: string;
  /** Minor units that can be applied, and that are due. */
  most: number;
  due: number;
  currency: string;
  locale: string;
}

export function ApplyCredit({ id, title, most, due, currency, locale }: Props) {
  const t = useTranslations("applyCredit");
  const api = useTRPCClient();
  const amount = formatMoney(most, currency, locale);
  return (
    <ConfirmDialog
      label={t("open")}
      title={t("title", { title })}
      confirm={t("submit", { amount })}
      act={(key) =>
        api.payments.applyCredit.mutate({ payment_id: id, amount: most }, { context: { idempotencyKey: key } })
      }
      done={t("done", { amount })}
    >
      {most === due ? t("all", { amount }) : t("part", { amount, rest: formatMoney(due - most, currency, locale) })}
    </ConfirmDialog>
  );
}
