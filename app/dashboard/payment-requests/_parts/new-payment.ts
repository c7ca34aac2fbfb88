// The state of the form for a new payment request: its values, their problems, and its submission.
"use client";
import { useForm } from "@mantine/form";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { useTRPCClient } from "@/app/_trpc/client";
import { useIdempotencyKey } from "@/app/_trpc/idempotency-key";
import { refusalCode } from "@/app/_trpc/refusal";
import { useFormSubmission } from "@/app/_ui/form-submission";
import type { FieldProblem } from "@/app/_ui/problem-summary";
import { useRequestProblems } from "./request-problems";
import { needsMore, type RequestValues, requestOf } from "./request-values";

export interface Choices {
  /** For numbers. */
  locale: string;
  /** The form's initial values. */
  initial: RequestValues;
}

/** The page of a payment request, with the panel that confirms its creation. */
const createdPath = (id: string): string => `/dashboard/payment-requests/${id}?created=true`;

export function useNewPayment({ locale, initial }: Choices) {
  const router = useRouter();
  const create = useCreate(locale);
  const [typed, setTyped] = useState(initial);
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
  const submission = useFormSubmission(form, create, (id) => router.push(createdPath(id)), {
    fieldOf: (error) => (refusalCode(error) === "duplicate_reference" ? "reference" : null),
    inSummary: useProblemInRow(),
    asksToLeave: true,
  });
  const hasProblemInMore = submission.summary.fields.some(({ field }) => !shownFields.has(field));
  // They stay visible when the problem is corrected.
  useEffect(() => {
    if (hasProblemInMore) setIsMore(true);
  }, [hasProblemInMore]);
  return { form, typed, isMore, setIsMore, ...submission };
}

/** The fields that are shown without a click on "More options". */
const shownFields = new Set(["description", "amount", "currency", "account", "customer", "email"]);

export type RequestForm = ReturnType<typeof useNewPayment>["form"];

/** The problem of a field with its line item or metadata, of which there may be several. */
function useProblemInRow() {
  const t = useTranslations("newPayment");
  return ({ field, text }: FieldProblem): string => {
    const [rows, index] = field.split(".");
    if (index === undefined) return text;
    const number = Number(index) + 1;
    return t("problemInRow", { row: t(rows === "lines" ? "line" : "metadataKey", { number }), text });
  };
}

/** Sends the values; resolves with the new payment request's id. A retry after a lost answer creates no second payment request. */
function useCreate(locale: string) {
  const api = useTRPCClient();
  const { keyFor, renew, answered } = useIdempotencyKey();
  return async (values: RequestValues): Promise<string> => {
    const input = requestOf(values, locale);
    const payment = await api.payments.create
      .mutate(input, { context: { idempotencyKey: keyFor(input) } })
      .catch((error: unknown) => {
        answered(error);
        throw error;
      });
    renew();
    return payment.payment_id;
  };
}
