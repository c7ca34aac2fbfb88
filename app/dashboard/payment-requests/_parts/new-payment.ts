// The state of the form for a new payment request or draft: its values, their problems, and its submission.
"use client";
import { useForm } from "@mantine/form";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";
import { useTRPCClient } from "@/app/_trpc/client";
import { useIdempotencyKey } from "@/app/_trpc/idempotency-key";
import { refusalCode } from "@/app/_trpc/refusal";
import { useFormSubmission } from "@/app/_ui/form-submission";
import type { FieldProblem } from "@/app/_ui/problem-summary";
import { contentOf } from "./content-values";
import { needsMore } from "./needs-more";
import { createdPath, editPath } from "./payment-path";
import { useRequestProblems } from "./request-problems";
import { type RequestValues, requestOf } from "./request-values";

export interface Choices {
  /** For numbers. */
  locale: string;
  /** The reader's day, by the organization's clock. */
  today: string;
  /** The form's initial values. */
  initial: RequestValues;
  /** Whether it waits for its customer. Its description may stay empty: one made over the API may have none. */
  isOpen?: boolean;
}

/** The form itself. While `isDraft.current` is set, it is checked as a draft, which may be without a description. */
export function useRequestForm({ locale, initial, isOpen = false }: Omit<Choices, "today">) {
  const isDraft = useRef(false);
  const [typed, setTyped] = useState(initial);
  const [isMore, setIsMore] = useState(needsMore(initial));
  const form = useForm<RequestValues>({
    mode: "uncontrolled",
    initialValues: initial,
    validateInputOnBlur: true,
    // What is left empty is no mistake yet. Its problem would push the button that adds a line away from the pointer.
    enhanceGetInputProps: ({ inputProps }) => (inputProps.defaultValue === "" ? { onBlur: undefined } : {}),
    validate: useRequestProblems(locale, { isOpen, mayLack: () => isDraft.current || isOpen }),
    onValuesChange: setTyped,
  });
  // An amount that was too precise for one currency may be valid in the other.
  form.watch("currency", () => form.clearFieldError("amount"));
  // The customer that was chosen belongs to the account before.
  form.watch("account", ({ value, previousValue }) => {
    if (value !== previousValue) form.setFieldValue("kept", { customer: { email: "" } });
  });
  const options = {
    fieldOf: (error: unknown) => (refusalCode(error) === "duplicate_reference" ? "reference" : null),
    inSummary: useProblemInRow(),
  };
  return { form, typed, isMore, setIsMore, isDraft, options };
}

export type RequestState = ReturnType<typeof useRequestForm>;
export type RequestForm = RequestState["form"];

export function useNewPayment(choices: Choices) {
  const router = useRouter();
  const create = useCreate(choices.locale);
  const { form, isDraft, options, ...state } = useRequestForm(choices);
  const send = (values: RequestValues) => create(values, isDraft.current);
  const submission = useFormSubmission(form, send, (path) => router.push(path), { ...options, asksToLeave: true });
  useProblemsShown(submission.summary.fields, state.setIsMore);
  return { form, ...state, ...submission, isDraft };
}

/** The fields that are shown without a click on "More options". */
const shownFields = new Set(["description", "amount", "currency", "account", "customer", "email"]);

/** Shows the optional fields once one of them has a problem. They stay visible when it is corrected. */
export function useProblemsShown(problems: readonly FieldProblem[], setIsMore: (isMore: boolean) => void): void {
  const hasProblemInMore = problems.some(({ field }) => !shownFields.has(field));
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new problem shows them.
  useEffect(() => {
    if (hasProblemInMore) setIsMore(true);
  }, [hasProblemInMore]);
}

/** The labels of the fields of a line item. */
const lineLabels = {
  name: "lineName",
  quantity: "lineQuantity",
  least: "lineQuantity",
  most: "lineQuantity",
  price: "linePrice",
  discount: "lineDiscount",
  tax: "lineTax",
  category: "lineCategory",
  exemption: "lineExemption",
} as const;

/** The problem of a field with its line item or metadata, of which there may be several. */
function useProblemInRow() {
  const t = useTranslations("newPayment");
  return ({ field, text }: FieldProblem): string => {
    const [rows, index, name] = field.split(".");
    if (index === undefined) return text;
    const number = Number(index) + 1;
    if (rows !== "lines") return t("problemInRow", { row: t("metadataKey", { number }), text });
    const label = t(lineLabels[name as keyof typeof lineLabels]);
    return t("problemInLine", { line: t("line", { number }), field: label, text });
  };
}

/** Sends the values; resolves with the page to go to. A retry after a lost answer creates no second payment request. */
function useCreate(locale: string) {
  const api = useTRPCClient();
  const { keyFor, renew, answered } = useIdempotencyKey();
  return async (values: RequestValues, draft: boolean): Promise<string> => {
    const request = requestOf(values, locale);
    const input = draft ? { ...request, description: contentOf(values, locale).description, draft } : request;
    const { payment_id: id } = await api.payments.create
      .mutate(input, { context: { idempotencyKey: keyFor(input) } })
      .catch((error: unknown) => {
        answered(error);
        throw error;
      });
    renew();
    return draft ? editPath(id) : createdPath(id);
  };
}
