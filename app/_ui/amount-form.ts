// A form with one amount of money, which starts with a proposal: its value, the problem with it, the server's answer.
"use client";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { useIdempotencyKey } from "@/app/_trpc/idempotency-key";
import { useFormSubmission } from "./form-submission";
import { useMoneyProblem } from "./money-problem";
import { moneyText, parseMoney } from "./money-text";

interface Given {
  /** Minor units. */
  proposed: number;
  currency: string;
  locale: string;
  /** What is wrong with an amount, besides how it is written. */
  problemWith?(amount: number): string | null;
  /** Receives the Idempotency-Key that belongs to the amount. */
  act(amount: number, idempotencyKey: string): Promise<unknown>;
  onBusy(isBusy: boolean): void;
  onDone(amount: number): void;
}

/** The state of the form. `amount` is null while the text is no amount. */
export function useAmountForm({ proposed, currency, locale, problemWith, act, onBusy, onDone }: Given) {
  const { keyFor, answered } = useIdempotencyKey();
  const moneyProblem = useMoneyProblem(locale);
  const [typed, setTyped] = useState(() => moneyText(proposed, currency, locale));
  const amountOf = (text: string): number | null => {
    const parsed = parseMoney(text, currency, locale);
    return "amount" in parsed ? parsed.amount : null;
  };
  const form = useForm({
    mode: "uncontrolled",
    initialValues: { amount: moneyText(proposed, currency, locale) },
    validateInputOnBlur: true,
    validate: { amount: (text) => problemWith?.(amountOf(text) ?? 0) ?? moneyProblem(text, currency) },
    onValuesChange: ({ amount }) => setTyped(amount),
  });
  async function send(values: { amount: string }): Promise<number> {
    const amount = amountOf(values.amount);
    if (amount === null) throw new Error("The form was sent with an amount that it had refused.");
    onBusy(true);
    try {
      await act(amount, keyFor({ amount }));
      return amount;
    } catch (error) {
      answered(error);
      throw error;
    } finally {
      onBusy(false);
    }
  }
  return { form, typed, amount: amountOf(typed), ...useFormSubmission(form, send, onDone) };
}
