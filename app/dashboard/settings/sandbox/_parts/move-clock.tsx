// Moves the clock of a sandbox organization: by a day, a week or a month, or to the start of a day.
"use client";
import { Button, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import type { inferRouterInputs } from "@trpc/server";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { useTRPCClient } from "@/app/_trpc/client";
import { useIdempotencyKey } from "@/app/_trpc/idempotency-key";
import { startOfDay } from "@/app/_ui/day-bounds";
import classes from "@/app/_ui/form.module.css";
import { useFormSubmission } from "@/app/_ui/form-submission";
import { useOutcome } from "@/app/_ui/outcome";
import { usePageReading } from "@/app/_ui/page-reading";
import { ProblemSummary } from "@/app/_ui/problem-summary";
import { limits } from "@/server/kit/limits";
import type { AppRouter } from "@/server/pipeline/trpc-router";

type Move = inferRouterInputs<AppRouter>["sandbox"]["moveClock"];

/** The steps that a button offers, with their durations. */
const steps = { day: "P1D", week: "P7D", month: "P1M" } as const;
const stepNames = Object.keys(steps) as (keyof typeof steps)[];

/** How often the page is read again while acts are carried out, in milliseconds. */
const readEveryMs = 2_000;

interface Props {
  /** The day after the organization's present one, YYYY-MM-DD. */
  tomorrow: string;
  timeZone: string;
  isRunning: boolean;
}

export function MoveClock({ tomorrow, timeZone, isRunning }: Props) {
  const t = useTranslations("sandboxClock");
  const { move, isReading } = useMove();
  const { refuse } = useOutcome();
  const { readAgain } = usePageReading();
  const [pending, setPending] = useState<string | null>(null);
  const form = useForm({
    mode: "uncontrolled",
    initialValues: { day: "" },
    validate: { day: (day) => (day >= tomorrow ? null : t("dayProblem")) },
  });
  const { formProps, isSending, summary } = useFormSubmission(
    form,
    ({ day }) => move({ set: startOfDay(day, timeZone) ?? "" }),
    () => form.reset(),
  );
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(readAgain, readEveryMs);
    return () => clearInterval(timer);
  });
  async function step(name: keyof typeof steps): Promise<void> {
    setPending(name);
    await move({ advance: steps[name] }).catch(refuse);
    setPending(null);
  }
  const isBusy = pending !== null || isSending || isReading;
  return (
    <div className={classes.fields}>
      <div className={classes.actions}>
        {stepNames.map((name) => (
          <Button
            key={name}
            variant="default"
            loading={pending === name}
            disabled={isBusy && pending !== name}
            onClick={() => void step(name)}
          >
            {t(name)}
          </Button>
        ))}
      </div>
      <form {...formProps} className={classes.fields}>
        <ProblemSummary {...summary} />
        <TextInput
          id="day"
          name="day"
          type="date"
          label={t("toDay")}
          description={t("toDayHelp", { days: limits.sandboxClock.callDays })}
          min={tomorrow}
          key={form.key("day")}
          {...form.getInputProps("day")}
        />
        <div className={classes.actions}>
          <Button type="submit" loading={isSending} disabled={pending !== null}>
            {t("moveToDay")}
          </Button>
        </div>
      </form>
    </div>
  );
}

/** Moves the clock, reads the page again and says what was done. */
function useMove() {
  const t = useTranslations("sandboxClock");
  const api = useTRPCClient();
  const { announce } = useOutcome();
  const { isReading, readAgain } = usePageReading();
  const { keyFor, renew, answered } = useIdempotencyKey();
  async function move(input: Move): Promise<void> {
    try {
      const { running } = await api.sandbox.moveClock.mutate(input, { context: { idempotencyKey: keyFor(input) } });
      renew();
      readAgain(() => announce(t(running ? "stillRunning" : "moved"), null));
    } catch (error) {
      answered(error);
      throw error;
    }
  }
  return { move, isReading };
}
