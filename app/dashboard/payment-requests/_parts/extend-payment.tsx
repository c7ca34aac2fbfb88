// Moves the expiry of a payment request to the end of a chosen day; reopens one that has expired.
"use client";
import { Button, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useTRPCClient } from "@/app/_trpc/client";
import { useIdempotencyKey } from "@/app/_trpc/idempotency-key";
import { useActDialog } from "@/app/_ui/act-dialog";
import { Dialog } from "@/app/_ui/dialog";
import classes from "@/app/_ui/form.module.css";
import { useFormSubmission } from "@/app/_ui/form-submission";
import { useNow } from "@/app/_ui/organization-time";
import { ProblemSummary } from "@/app/_ui/problem-summary";
import { limits } from "@/server/kit/limits";
import { lastMomentOf, proposedDay, reachableDays } from "./expiry-days";

interface Props {
  id: string;
  /** The payment request's title. */
  title: string;
  /** When it expires or has expired; null for one without an expiry whose authorization has lapsed. */
  expiresAt: string | null;
  isExpired: boolean;
  timeZone: string;
}

export function ExtendPayment(props: Props) {
  const t = useTranslations("extendPayment");
  const { isOpen, open, close, isBusy, onBusy } = useActDialog();
  const onDone = () => close({ done: t("done", { title: props.title }) });
  return (
    <>
      <Button variant="default" onClick={open}>
        {t("open")}
      </Button>
      <Dialog isOpen={isOpen} onClose={() => close()} title={t("title", { title: props.title })} isBusy={isBusy}>
        <ExtendForm {...props} onDone={onDone} isBusy={isBusy} onBusy={onBusy} close={() => close()} />
      </Dialog>
    </>
  );
}

interface FormProps extends Props {
  onDone(): void;
  isBusy: boolean;
  onBusy(isBusy: boolean): void;
  close(): void;
}

function ExtendForm({ id, expiresAt, isExpired, timeZone, onDone, isBusy, onBusy, close }: FormProps) {
  const t = useTranslations("extendPayment");
  const api = useTRPCClient();
  const now = useNow();
  const { keyFor, answered } = useIdempotencyKey();
  const [days] = useState(() => reachableDays(expiresAt, now(), timeZone));
  const form = useForm({
    mode: "uncontrolled",
    initialValues: { expires: proposedDay(expiresAt, now(), timeZone) },
    validate: {
      expires: (day) =>
        day >= days.first && day <= days.last ? null : t("dayProblem", { days: limits.expiryDays.longest }),
    },
  });
  async function send({ expires }: { expires: string }): Promise<void> {
    const expires_at = lastMomentOf(expires, timeZone);
    if (expires_at === null) throw new Error("The form was sent with a day that it had refused.");
    const input = { payment_id: id, expires_at };
    onBusy(true);
    try {
      await api.payments.extend.mutate(input, { context: { idempotencyKey: keyFor(input) } });
    } catch (error) {
      answered(error);
      throw error;
    } finally {
      onBusy(false);
    }
  }
  const { formProps, summary } = useFormSubmission(form, send, onDone);
  return (
    <form {...formProps} className={classes.fields}>
      <ProblemSummary {...summary} />
      <TextInput
        key={form.key("expires")}
        id="expires"
        name="expires"
        type="date"
        label={t("day")}
        description={t(isExpired ? "helpExpired" : "help")}
        min={days.first}
        max={days.last}
        {...form.getInputProps("expires")}
      />
      <div className={classes.actions}>
        <Button variant="default" disabled={isBusy} onClick={close}>
          {t("cancel")}
        </Button>
        <Button type="submit" loading={isBusy}>
          {t("submit")}
        </Button>
      </div>
    </form>
  );
}
