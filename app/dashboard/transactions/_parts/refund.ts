// The state of a refund's form: its values, their problems, the server's answer.
"use client";
import { useForm } from "@mantine/form";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useTRPCClient } from "@/app/_trpc/client";
import { useIdempotencyKey } from "@/app/_trpc/idempotency-key";
import { useFormSubmission } from "@/app/_ui/form-submission";
import { useMoneyProblem } from "@/app/_ui/money-problem";
import { formatMoney, moneyText, parseMoney } from "@/app/_ui/money-text";
import { useStepUp } from "@/app/_ui/step-up";
import type { RefundedPayment } from "./refundable-amount";
import { refusedField } from "./refused-field";

export const reasons = ["requested_by_customer", "duplicate", "service_issue", "fraudulent", "other"] as const;

export interface Refunding {
  payment: RefundedPayment;
  locale: string;
}

interface Options extends Refunding {
  /** The refundable amount in minor units. */
  remaining: number;
  onDone(amount: number): void;
  onBusy(isBusy: boolean): void;
}

export function useRefund({ payment: { id, currency }, remaining, locale, onDone, onBusy }: Options) {
  const t = useTranslations("refund");
  const api = useTRPCClient();
  const { keyFor, answered } = useIdempotencyKey();
  const { withStepUp, field: stepUpField, isShownInField } = useStepUp();
  const moneyProblem = useMoneyProblem(locale);
  const all = moneyText(remaining, currency, locale);
  const [typed, setTyped] = useState(all);
  const parsed = parseMoney(typed, currency, locale);
  const form = useForm({
    mode: "uncontrolled",
    initialValues: { amount: all, reason: "" },
    validateInputOnBlur: true,
    validate: {
      amount: (text) => {
        const given = parseMoney(text, currency, locale);
        if ("amount" in given && given.amount > remaining) {
          return t("tooMuch", { amount: formatMoney(remaining, currency, locale) });
        }
        return moneyProblem(text, currency);
      },
    },
  });
  form.watch("amount", ({ value }) => setTyped(value));

  async function send(values: { amount: string; reason: string }): Promise<number> {
    const given = parseMoney(values.amount, currency, locale);
    if (!("amount" in given)) throw new Error("The form was sent with an amount that it had refused.");
    const reason = reasons.find((each) => each === values.reason) ?? null;
    const input = { type: "refund" as const, parent_transaction_id: id, amount: given.amount, reason };
    onBusy(true);
    try {
      await withStepUp(() => api.transactions.create.mutate(input, { context: { idempotencyKey: keyFor(input) } }));
      return given.amount;
    } catch (error) {
      answered(error);
      throw error;
    } finally {
      onBusy(false);
    }
  }
  const { summary, ...submission } = useFormSubmission(form, send, onDone, { fieldOf: refusedField });
  const refusal = isShownInField(summary.refusal) ? null : summary.refusal;
  return {
    form,
    typed,
    amount: "amount" in parsed ? parsed.amount : null,
    stepUpField,
    summary: { ...summary, refusal },
    ...submission,
  };
}
