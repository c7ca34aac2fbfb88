// The state of the form that records a payment: its values, their problems, the server's answer.
"use client";
import { useForm } from "@mantine/form";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useTRPCClient } from "@/app/_trpc/client";
import { useIdempotencyKey } from "@/app/_trpc/idempotency-key";
import { startOfDay } from "@/app/_ui/day-bounds";
import { isEmail } from "@/app/_ui/email-text";
import { useFormSubmission } from "@/app/_ui/form-submission";
import { useMoneyProblem } from "@/app/_ui/money-problem";
import { formatMoney, parseMoney } from "@/app/_ui/money-text";
import { useOutcome } from "@/app/_ui/outcome";

/** The values before anything is typed. */
export type Initial = {
  account: string;
  amount: string;
  currency: string;
  /** The id of the payment request that the money is for; empty for none. */
  request: string;
  customer: string;
  email: string;
};

type Values = Initial & { received: string; description: string; reference: string };

export function useRecordPayment(initial: Initial, locale: string) {
  const t = useTranslations("recordPayment");
  const router = useRouter();
  const record = useRecord(locale);
  const moneyProblem = useMoneyProblem(locale);
  const [typed, setTyped] = useState({ amount: initial.amount, currency: initial.currency });
  const form = useForm<Values>({
    mode: "uncontrolled",
    initialValues: { ...initial, received: "", description: "", reference: "" },
    validateInputOnBlur: true,
    validate: {
      amount: (value, values) => moneyProblem(value, values.currency),
      request: (value) => (value.trim() === "" || /^pay_\w+$/.test(value.trim()) ? null : t("requestWrong")),
      received: (value) => (value !== "" && receivedAt(value) === undefined ? t("receivedLate") : null),
      email: (value) => (value.trim() === "" || isEmail(value) ? null : t("emailWrong")),
    },
  });
  form.watch("amount", ({ value }) => setTyped((before) => ({ ...before, amount: value })));
  form.watch("currency", ({ value }) => {
    setTyped((before) => ({ ...before, currency: value }));
    // An amount that was too precise for one currency may be valid in the other.
    form.clearFieldError("amount");
  });
  const { announceNext } = useOutcome();
  const submission = useFormSubmission(form, record, ({ transaction_id: id, amount, currency }) => {
    announceNext(t("done", { amount: formatMoney(amount, currency, locale) }));
    router.push(`/dashboard/transactions/${id}`);
    router.refresh();
  });
  return { form, typed, ...submission };
}

/** The start of the day in the reader's time zone; undefined if it is not a day or is in the future. */
function receivedAt(day: string): string | undefined {
  const at = startOfDay(day, Intl.DateTimeFormat().resolvedOptions().timeZone);
  return at !== null && Date.parse(at) <= Date.now() ? at : undefined;
}

/** Sends the values; resolves with the new transaction. A retry after a lost answer records no second payment. */
function useRecord(locale: string) {
  const api = useTRPCClient();
  const { keyFor, answered } = useIdempotencyKey();
  return async (values: Values) => {
    const parsed = parseMoney(values.amount, values.currency, locale);
    if (!("amount" in parsed)) throw new Error("The form was sent with an amount that it had refused.");
    const text = (value: string) => value.trim() || null;
    const customer = { name: text(values.customer), email: text(values.email) };
    const input = {
      type: "payment" as const,
      amount: parsed.amount,
      currency: values.currency,
      account_id: text(values.account),
      payment_id: text(values.request),
      effective_at: receivedAt(values.received) ?? null,
      description: text(values.description),
      reference: text(values.reference),
      customer: customer.name || customer.email ? customer : null,
    };
    try {
      return await api.transactions.create.mutate(input, { context: { idempotencyKey: keyFor(input) } });
    } catch (error) {
      answered(error);
      throw error;
    }
  };
}
