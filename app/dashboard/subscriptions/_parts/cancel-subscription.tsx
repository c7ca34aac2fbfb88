// Cancels a subscription at the end of its period or at once, after naming the consequence.
"use client";
import { Radio } from "@mantine/core";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useTRPCClient } from "@/app/_trpc/client";
import { useIdempotencyKey } from "@/app/_trpc/idempotency-key";
import { ConfirmDialog } from "@/app/_ui/confirm-dialog";
import classes from "@/app/_ui/form.module.css";
import { dateFormat } from "@/app/_ui/instant-text";

interface Props {
  id: string;
  name: string;
  /** When the period ends for which one can wait; null if there is none. */
  periodEnd: string | null;
  /** Whether a renewal is open that is not paid. */
  isUnpaid: boolean;
  locale: string;
  timeZone: string;
}

export function CancelSubscription({ id, name, periodEnd, isUnpaid, locale, timeZone }: Props) {
  const t = useTranslations("subscriptionActs");
  const api = useTRPCClient();
  const { keyFor, answered } = useIdempotencyKey();
  const [chosen, setChosen] = useState("period_end");
  const at = periodEnd !== null && chosen === "period_end" ? "period_end" : "now";
  const date = periodEnd && dateFormat(locale, { dateStyle: "medium", timeZone }).format(new Date(periodEnd));
  async function cancel(): Promise<void> {
    const input = { subscription_id: id, at } as const;
    try {
      await api.subscriptions.cancel.mutate(input, { context: { idempotencyKey: keyFor(input) } });
    } catch (error) {
      answered(error);
      throw error;
    }
  }
  const now = t(isUnpaid ? "cancelNowUnpaid" : "cancelNowText");
  return (
    <ConfirmDialog
      label={t("cancel")}
      title={t("cancelTitle", { name })}
      confirm={t("cancel")}
      dismiss={t("keep")}
      isDanger
      done={at === "now" ? t("canceled", { name }) : t("canceledLater", { name, date: date ?? "" })}
      onOpen={() => setChosen("period_end")}
      act={cancel}
    >
      {date === null ? (
        <p>{now}</p>
      ) : (
        <Radio.Group size="md" label={t("when")} value={at} onChange={setChosen}>
          <div className={classes.fields}>
            <Radio value="period_end" label={t("atPeriodEnd", { date })} description={t("atPeriodEndText")} />
            <Radio value="now" label={t("now")} description={now} />
          </div>
        </Radio.Group>
      )}
      {at === "now" && <p>{t("noUndo")}</p>}
    </ConfirmDialog>
  );
}
