// Gives up what a lost dispute took, after naming the credit note that says so.
"use client";
import { Textarea } from "@mantine/core";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useTRPCClient } from "@/app/_trpc/client";
import { ConfirmDialog } from "@/app/_ui/confirm-dialog";
import { formatMoney } from "@/app/_ui/money-text";
import { limits } from "@/server/kit/limits";

interface Props {
  id: string;
  /** The payment request's title. */
  title: string;
  /** Minor units that were lost, and nobody has decided about. */
  lost: number;
  currency: string;
  locale: string;
  /** Of an issued invoice. */
  invoiceNumber: string | null;
}

export function WriteOff({ id, title, lost, currency, locale, invoiceNumber }: Props) {
  const t = useTranslations("lostDispute");
  const api = useTRPCClient();
  const [reason, setReason] = useState("");
  const amount = formatMoney(lost, currency, locale);
  return (
    <ConfirmDialog
      label={t("writeOff")}
      title={t("writeOffTitle", { title })}
      confirm={t("writeOffSubmit", { amount })}
      isDanger
      act={(key) =>
        api.payments.writeOff.mutate(
          { payment_id: id, reason: reason.trim() || null },
          { context: { idempotencyKey: key } },
        )
      }
      done={t("writtenOff", { amount })}
    >
      <p>{t("writeOffText", { amount })}</p>
      {invoiceNumber !== null && <p>{t("writeOffCredits", { number: invoiceNumber })}</p>}
      <Textarea
        rows={2}
        label={t("reason")}
        description={t("reasonHelp")}
        maxLength={limits.reason}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </ConfirmDialog>
  );
}
