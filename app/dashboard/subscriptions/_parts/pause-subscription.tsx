// Pauses a subscription, until a day or until somebody resumes it.
"use client";
import { Radio, TextInput } from "@mantine/core";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useTRPCClient } from "@/app/_trpc/client";
import { useIdempotencyKey } from "@/app/_trpc/idempotency-key";
import { ConfirmDialog } from "@/app/_ui/confirm-dialog";
import { dayOf, startOfDay } from "@/app/_ui/day-bounds";
import classes from "@/app/_ui/form.module.css";
import { useNow } from "@/app/_ui/organization-time";
import { dayMs, limits } from "@/server/kit/limits";

interface Props {
  id: string;
  name: string;
  timeZone: string;
}

/** The day that the form proposes is so many days away. */
const proposedDays = 30;

export function PauseSubscription({ id, name, timeZone }: Props) {
  const t = useTranslations("subscriptionActs");
  const api = useTRPCClient();
  const now = useNow();
  const { keyFor, answered } = useIdempotencyKey();
  const [chosen, setChosen] = useState("open");
  const [day, setDay] = useState("");
  const dayIn = (days: number) => dayOf(new Date(now() + days * dayMs).toISOString(), timeZone);
  const reset = () => {
    setChosen("open");
    setDay(dayIn(proposedDays));
  };
  async function pause(): Promise<void> {
    const resume_at = chosen === "open" ? null : (startOfDay(day, timeZone) ?? "");
    const input = { subscription_id: id, resume_at };
    try {
      await api.subscriptions.pause.mutate(input, { context: { idempotencyKey: keyFor(input) } });
    } catch (error) {
      answered(error);
      throw error;
    }
  }
  return (
    <ConfirmDialog
      label={t("pause")}
      title={t("pauseTitle", { name })}
      confirm={t("pause")}
      done={t("paused", { name })}
      onOpen={reset}
      act={pause}
    >
      <p>{t("pauseText")}</p>
      <Radio.Group size="md" label={t("pauseUntil")} value={chosen} onChange={setChosen}>
        <div className={classes.fields}>
          <Radio value="open" label={t("untilResumed")} />
          <Radio value="day" label={t("untilDay")} />
        </div>
      </Radio.Group>
      {chosen === "day" && (
        <TextInput
          type="date"
          label={t("resumeDay")}
          description={t("resumeDayHelp")}
          min={dayIn(1)}
          max={dayIn(limits.subscriptionPauseDays - 1)}
          value={day}
          onChange={(event) => setDay(event.currentTarget.value)}
        />
      )}
    </ConfirmDialog>
  );
}
