// Cancels a payment request, after naming the consequence.
"use client";
import { Textarea } from "@mantine/core";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useTRPCClient } from "@/app/_trpc/client";
import { useIdempotencyKey } from "@/app/_trpc/idempotency-key";
import { ConfirmDialog } from "@/app/_ui/confirm-dialog";
import { formatMoney } from "@/app/_ui/money-text";
import { limits } from "@/server/kit/limits";

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
  isDraft: boolean;
  /** Of an issued invoice. */
  invoiceNumber: string | null;
}

export function CancelPayment({ id, title, held, paid, due, currency, locale, isDraft, invoiceNumber }: Props) {
  const t = useTranslations("paymentActs");
  const api = useTRPCClient();
  const { keyFor, answered } = useIdempotencyKey();
  const [reason, setReason] = useState("");
  const formatted = (amount: number) => formatMoney(amount, currency, locale);
  const consequence = () => {
    if (isDraft) return t("cancelDraft");
    if (held > 0) return t("cancelHold", { amount: formatted(held) });
    return paid > 0 ? t("cancelRest", { amount: formatted(due) }) : t("cancelOpen");
  };
  async function cancel(): Promise<void> {
    const input = { payment_id: id, reason: reason.trim() || null };
    try {
      await api.payments.cancel.mutate(input, { context: { idempotencyKey: keyFor(input) } });
    } catch (error) {
      answered(error);
      throw error;
    }
  }
  return (
    <ConfirmDialog
      label={t(isDraft ? "deleteDraft" : "cancel")}
      title={t(isDraft ? "deleteDraftTitle" : "cancelTitle", { title })}
      confirm={t(isDraft ? "deleteDraft" : "cancel")}
      dismiss={t("keep")}
      isDanger
      done={t("canceled", { title })}
      act={cancel}
    >
      <p>{consequence()}</p>
      {invoiceNumber !== null && due > 0 && (
        <p>{t("cancelCredits", { number: invoiceNumber, amount: formatted(due) })}</p>
      )}
      <Textarea
        rows={2}
        label={t("cancelReason")}
        description={t("cancelReasonHelp")}
        maxLength={limits.reason}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </ConfirmDialog>
  );
}
