// Problems of the values that say how a new payment request is paid in parts, and how to correct them.
"use client";
import { useTranslations } from "next-intl";
import { useMoneyProblem } from "@/app/_ui/money-problem";
import { formatMoney, parseMoney, smallestPart, smallestPartOf } from "@/app/_ui/money-text";
import { wholeNumberOf } from "@/app/_ui/whole-number";
import { limits } from "@/server/kit/limits";
import { endsBeforeDue } from "./date-problems";
import { amountOf, hasInstallments, mayBePaidInParts, plannedInstallments, type RequestValues } from "./request-values";

/** The validation rules of the fields. `future` says what is wrong with a day that is not ahead. */
export function usePartProblems(locale: string, future: (day: string) => string | null) {
  const t = useTranslations("newPayment");
  const moneyProblem = useMoneyProblem(locale);
  const minimumProblem = (text: string, values: RequestValues) => {
    const minimum = parseMoney(text, values.currency, locale);
    const amount = amountOf(values, locale);
    const least = smallestPartOf({ amount: amount ?? 0, currency: values.currency });
    if ("amount" in minimum && minimum.amount < least) {
      return t("minimumTooSmall", { least: formatMoney(least, values.currency, locale) });
    }
    const isTooLarge = "amount" in minimum && amount !== null && 2 * minimum.amount > amount;
    return isTooLarge ? t("minimumTooLarge") : moneyProblem(text, values.currency);
  };
  const countProblem = (text: string, values: RequestValues) => {
    const { least, most } = limits.installments;
    const count = wholeNumberOf(text, most, locale);
    if (count === null || count < least) return t("installmentCountWrong", { least, most });
    const smallest = count * smallestPart(values.currency);
    return (amountOf(values, locale) ?? smallest) < smallest ? t("installmentsTooSmall") : null;
  };
  /** The payment request must not end before it, or its last installment, is due. */
  const expiryProblem = (day: string, values: RequestValues) => {
    const last = hasInstallments(values) ? plannedInstallments(values, locale)?.at(-1)?.due_at : undefined;
    if (last !== undefined && day !== "" && day <= last) return future(day) ?? t("expiresBeforeLast");
    return future(day) ?? (endsBeforeDue(values) ? t("expiresBeforeDue") : null);
  };
  /** Installments that the form cannot make stay as they are, and so does their sum. */
  const planProblem = (values: RequestValues) => {
    const sum = values.plan?.reduce((total, one) => total + one.amount, 0);
    return !mayBePaidInParts(values) || amountOf(values, locale) === sum ? null : t("planKeptMismatch");
  };
  const isPaidBy = (parts: RequestValues["parts"], values: RequestValues) =>
    values.parts === parts && mayBePaidInParts(values);
  return {
    expires: expiryProblem,
    parts: (kind: string, values: RequestValues) => (kind === "kept" ? planProblem(values) : null),
    minimum: (text: string, values: RequestValues) =>
      isPaidBy("any", values) && text.trim() !== "" ? minimumProblem(text, values) : null,
    installmentCount: (text: string, values: RequestValues) =>
      isPaidBy("installments", values) ? countProblem(text, values) : null,
    firstDue: (day: string, values: RequestValues) => {
      if (!isPaidBy("installments", values)) return null;
      return day === "" ? t("firstDueMissing") : future(day);
    },
  };
}
