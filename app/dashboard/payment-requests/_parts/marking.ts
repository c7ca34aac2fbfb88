// The state of the form that marks a payment request as paid: its values, their problems, the server's answer.
"use client";
import { useForm } from "@mantine/form";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useTRPCClient } from "@/app/_trpc/client";
import { useIdempotencyKey } from "@/app/_trpc/idempotency-key";
import { useFormSubmission } from "@/app/_ui/form-submission";
import { useMoneyProblem } from "@/app/_ui/money-problem";
import { formatMoney, moneyText, parseMoney } from "@/app/_ui/money-text";
import { useNow } from "@/app/_ui/organization-time";
import { receivedAt } from "@/app/_ui/received-at";
import type { MethodOption } from "../../transactions/_parts/offline-methods";

export interface Marking {
  /** The payment request. */
  id: string;
  /** Minor units. */
  due: number;
  /** What is asked for next, in minor units: less than what is due where there are installments. */
  next: number;
  /** Whether a surplus can become credit of the customer. */
  mayCredit: boolean;
  currency: string;
  locale: string;
  /** IANA name of the reader's time zone. */
  timeZone: string;
  methods: readonly MethodOption[];
}

interface Callbacks {
  /** Called with the recorded amount, in minor units. */
  onDone(amount: number): void;
  onBusy(isBusy: boolean): void;
}

export function useMarkPaid({ id, due, next, mayCredit, currency, locale, timeZone, ...on }: Marking & Callbacks) {
  const t = useTranslations("markPaid");
  const api = useTRPCClient();
  const now = useNow();
  const { keyFor, answered } = useIdempotencyKey();
  const moneyProblem = useMoneyProblem(locale);
  const expected = moneyText(next, currency, locale);
  const [typed, setTyped] = useState(expected);
  const [keepsSurplus, setKeepsSurplus] = useState(false);
  const amountOf = (text: string): number | null => {
    const parsed = parseMoney(text, currency, locale);
    return "amount" in parsed ? parsed.amount : null;
  };
  /** The start of the day; null if it is not a day or is in the future. */
  const form = useForm({
    mode: "uncontrolled",
    initialValues: {
      amount: expected,
      method: "" as MethodOption["value"],
      received: "",
      note: "",
      reference: "",
      keepSurplus: false,
    },
    validateInputOnBlur: true,
    validate: {
      amount: (text, { keepSurplus }) =>
        (amountOf(text) ?? 0) > due && !(mayCredit && keepSurplus)
          ? t(mayCredit ? "keepOrLess" : "tooMuch", { amount: formatMoney(due, currency, locale) })
          : moneyProblem(text, currency),
      received: (day) => (day !== "" && receivedAt(day, now(), timeZone) === null ? t("receivedLate") : null),
    },
    onValuesChange: ({ amount, keepSurplus }) => {
      setTyped(amount);
      setKeepsSurplus(keepSurplus);
    },
  });
  async function send({ method, received, ...values }: typeof form.values): Promise<number> {
    const amount = amountOf(values.amount);
    if (amount === null) throw new Error("The form was sent with an amount that it had refused.");
    const text = { reason: values.note.trim() || null, reference: values.reference.trim() || null };
    const overpayment = amount > due ? ("credit" as const) : null;
    const input = {
      payment_id: id,
      amount,
      method: method || null,
      received_at: receivedAt(received, now(), timeZone),
      overpayment,
      ...text,
    };
    on.onBusy(true);
    try {
      await api.payments.markPaid.mutate(input, { context: { idempotencyKey: keyFor(input) } });
      return amount;
    } catch (error) {
      answered(error);
      throw error;
    } finally {
      on.onBusy(false);
    }
  }
  const sent = useFormSubmission(form, send, on.onDone, { asksToLeave: true });
  return { form, typed, amount: amountOf(typed), keepsSurplus, ...sent };
}
