// The state of the form for a new payment request: what is typed, whether it will do, what came of it.
"use client";
import { useForm } from "@mantine/form";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useTRPCClient } from "@/app/_trpc/client";
import { useIdempotencyKey } from "@/app/_trpc/idempotency-key";
import { isEmail } from "@/app/_ui/email-text";
import { useFormSubmission } from "@/app/_ui/form-submission";
import { useMoneyProblem } from "@/app/_ui/money-problem";
import { parseMoney } from "@/app/_ui/money-text";

export interface Choices {
  /** For numbers. */
  locale: string;
  /** The currency to begin with. */
  currency: string;
  /** The account to begin with; empty where the server alone decides which is meant. */
  account: string;
}

export interface Created {
  url: string;
  /** Minor units. */
  amount: number;
  currency: string;
}

export function useNewPayment({ locale, currency, account }: Choices) {
  const t = useTranslations("newPayment");
  const moneyProblem = useMoneyProblem(locale);
  const create = useCreate(locale);
  const [typed, setTyped] = useState({ amount: "", currency });
  const [created, setCreated] = useState<Created | null>(null);
  const form = useForm({
    mode: "uncontrolled",
    initialValues: { description: "", amount: "", currency, account, email: "" },
    validateInputOnBlur: true,
    validate: {
      description: (value) => (value.trim() === "" ? t("descriptionMissing") : null),
      amount: (value, values) => moneyProblem(value, values.currency),
      email: (value) => (value.trim() === "" || isEmail(value) ? null : t("emailWrong")),
    },
  });
  form.watch("amount", ({ value }) => setTyped((before) => ({ ...before, amount: value })));
  form.watch("currency", ({ value }) => {
    setTyped((before) => ({ ...before, currency: value }));
    // What was too precise for one currency may suit the other.
    form.clearFieldError("amount");
  });
  const submission = useFormSubmission(form, create, setCreated);

  function startAgain() {
    form.reset();
    setTyped({ amount: "", currency });
    setCreated(null);
  }
  return { form, typed, created, startAgain, ...submission };
}

interface Values {
  description: string;
  amount: string;
  currency: string;
  account: string;
  email: string;
}

/** Sends what is typed. Sent again after a lost answer, it is still the same request. */
function useCreate(locale: string) {
  const api = useTRPCClient();
  const { keyFor, renew } = useIdempotencyKey();
  return async (values: Values): Promise<Created> => {
    const parsed = parseMoney(values.amount, values.currency, locale);
    if (!("amount" in parsed)) throw new Error("The form was sent with an amount that it had refused.");
    const email = values.email.trim();
    const input = {
      type: "product" as const,
      amount: parsed.amount,
      currency: values.currency,
      description: values.description.trim(),
      ...(values.account === "" ? {} : { account_id: values.account }),
      ...(email === "" ? {} : { customer: { email } }),
    };
    const payment = await api.payments.create.mutate(input, { context: { idempotencyKey: keyFor(input) } });
    renew();
    return { url: payment.payment_url ?? "", amount: payment.amount, currency: payment.currency };
  };
}
