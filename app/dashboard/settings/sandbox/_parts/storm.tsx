// Repeats the provider's events about recent payments, and says what that changed.
"use client";
import { Button, Checkbox, NativeSelect } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useTranslations } from "next-intl";
import { useTRPCClient } from "@/app/_trpc/client";
import { useIdempotencyKey } from "@/app/_trpc/idempotency-key";
import classes from "@/app/_ui/form.module.css";
import { useFormSubmission } from "@/app/_ui/form-submission";
import { useOutcome } from "@/app/_ui/outcome";
import { usePageReading } from "@/app/_ui/page-reading";
import { ProblemSummary } from "@/app/_ui/problem-summary";
import { limits } from "@/server/kit/limits";

/** How often each event can be repeated. */
const choices = ["1", "3", String(limits.storm.duplicates)];

export function Storm() {
  const t = useTranslations("sandboxClock");
  const api = useTRPCClient();
  const { announce } = useOutcome();
  const { readAgain } = usePageReading();
  const { keyFor, renew, answered } = useIdempotencyKey();
  const form = useForm({ mode: "uncontrolled", initialValues: { duplicates: "3", shuffle: true } });
  const { formProps, isSending, summary } = useFormSubmission(form, send, (result) =>
    readAgain(() => announce(t("stormDone", result), null)),
  );
  async function send({ duplicates, shuffle }: { duplicates: string; shuffle: boolean }) {
    const input = { duplicates: Number(duplicates), shuffle };
    try {
      const result = await api.sandbox.storm.mutate(input, { context: { idempotencyKey: keyFor(input) } });
      renew();
      return result;
    } catch (error) {
      answered(error);
      throw error;
    }
  }
  return (
    <form {...formProps} className={classes.fields}>
      <ProblemSummary {...summary} />
      <NativeSelect
        id="duplicates"
        name="duplicates"
        label={t("duplicates")}
        data={choices}
        key={form.key("duplicates")}
        {...form.getInputProps("duplicates")}
      />
      <Checkbox
        id="shuffle"
        name="shuffle"
        size="md"
        label={t("shuffle")}
        key={form.key("shuffle")}
        {...form.getInputProps("shuffle", { type: "checkbox" })}
      />
      <div className={classes.actions}>
        <Button type="submit" variant="default" loading={isSending}>
          {t("stormSubmit")}
        </Button>
      </div>
    </form>
  );
}
