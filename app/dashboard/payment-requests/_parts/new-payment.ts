// The state of the form for a new payment request: its values, their problems, the created payment request.
"use client";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { useTRPCClient } from "@/app/_trpc/client";
import { useIdempotencyKey } from "@/app/_trpc/idempotency-key";
import { useFormSubmission } from "@/app/_ui/form-submission";
import { useRequestProblems } from "./request-problems";
import { blankValues, needsMore, type RequestValues, requestOf } from "./request-values";

export interface Choices {
  /** For numbers. */
  locale: string;
  /** The form's initial values. */
  initial: RequestValues;
}

export interface Created {
  id: string;
  url: string;
  /** Minor units. */
  amount: number;
  currency: string;
}

export function useNewPayment({ locale, initial }: Choices) {
  const create = useCreate(locale);
  const [typed, setTyped] = useState(initial);
  const [created, setCreated] = useState<Created | null>(null);
  const [isMore, setIsMore] = useState(needsMore(initial));
  const form = useForm<RequestValues>({
    mode: "uncontrolled",
    initialValues: initial,
    validateInputOnBlur: true,
    validate: useRequestProblems(locale),
    onValuesChange: setTyped,
  });
  // An amount that was too precise for one currency may be valid in the other.
  form.watch("currency", () => form.clearFieldError("amount"));
  const submission = useFormSubmission(form, create, setCreated);

  function startAgain() {
    const blank = blankValues(initial.currency, initial.account);
    form.setInitialValues(blank);
    form.setValues(blank);
    form.clearErrors();
    setTyped(blank);
    setIsMore(false);
    setCreated(null);
  }
  return { form, typed, created, startAgain, isMore, setIsMore, ...submission };
}

export type RequestForm = ReturnType<typeof useNewPayment>["form"];

/** Sends the values. A retry after a lost answer creates no second payment request. */
function useCreate(locale: string) {
  const api = useTRPCClient();
  const { keyFor, renew, answered } = useIdempotencyKey();
  return async (values: RequestValues): Promise<Created> => {
    const input = requestOf(values, locale);
    const payment = await api.payments.create
      .mutate(input, { context: { idempotencyKey: keyFor(input) } })
      .catch((error: unknown) => {
        answered(error);
        throw error;
      });
    renew();
    return {
      id: payment.payment_id,
      url: payment.payment_url ?? "",
      amount: payment.amount,
      currency: payment.currency,
    };
  };
}
