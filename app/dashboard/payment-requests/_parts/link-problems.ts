// Problems of the values that make a new payment request a reusable link, and how to correct them.
"use client";
import { useTranslations } from "next-intl";
import { useMoneyProblem } from "@/app/_ui/money-problem";
import { formatMoney, parseMoney, smallestPart } from "@/app/_ui/money-text";
import { wholeNumberOf } from "@/app/_ui/whole-number";
import { limits } from "@/server/kit/limits";
import { hasCustomAmount, isReusableForm } from "./link-values";
import type { RequestValues } from "./request-values";

/** The validation rules of the fields. */
export function useLinkProblems(locale: string) {
  const t = useTranslations("newPayment");
  const moneyProblem = useMoneyProblem(locale);
  const amountIn = (text: string, { currency }: RequestValues) => {
    const parsed = parseMoney(text, currency, locale);
    return "amount" in parsed ? parsed.amount : null;
  };
  const isBelow = (a: number | null, b: number | null) => a !== null && b !== null && a < b;
  const minimumProblem = (text: string, values: RequestValues) => {
    const least = smallestPart(values.currency);
    const isTooSmall = isBelow(amountIn(text, values), least);
    const problem = isTooSmall
      ? t("customMinimumTooSmall", { least: formatMoney(least, values.currency, locale) })
      : null;
    return moneyProblem(text, values.currency) ?? problem;
  };
  const maximumProblem = (text: string, values: RequestValues) =>
    moneyProblem(text, values.currency) ??
    (isBelow(amountIn(text, values), amountIn(values.customMinimum, values)) ? t("customMaximumTooSmall") : null);
  const suggestedProblem = (text: string, values: RequestValues) => {
    const amount = amountIn(text, values);
    const isOut =
      isBelow(amount, amountIn(values.customMinimum, values)) ||
      isBelow(amountIn(values.customMaximum, values), amount);
    return moneyProblem(text, values.currency) ?? (isOut ? t("customSuggestedOut") : null);
  };
  const ofCustom =
    (problem: (text: string, values: RequestValues) => string | null) => (text: string, values: RequestValues) =>
      hasCustomAmount(values) ? problem(text, values) : null;
  /** Both ends of a range are needed, and the quantity lies between them. */
  const rangeProblem = (text: string, values: RequestValues, path: string) => {
    const line = values.lines[Number(/\.(\d+)\./.exec(path)?.[1])];
    if (!line || !isReusableForm(values) || (line.least.trim() === "" && line.most.trim() === "")) return null;
    const { quantity: most } = limits;
    if (wholeNumberOf(text, most, locale) === null) return t("wholeNumber", { most });
    const numberIn = (typed: string) => wholeNumberOf(typed, most, locale);
    const quantity = numberIn(line.quantity);
    return isBelow(quantity, numberIn(line.least)) || isBelow(numberIn(line.most), quantity) ? t("rangeWrong") : null;
  };
  return {
    fields: {
      usageLimit: (text: string, values: RequestValues) => {
        if (!isReusableForm(values) || values.uses !== "limited") return null;
        const { uses: most } = limits.links;
        return (wholeNumberOf(text, most, locale) ?? 1) < 2 ? t("usageLimitWrong", { most }) : null;
      },
      customMinimum: ofCustom(minimumProblem),
      customMaximum: ofCustom(maximumProblem),
      customSuggested: ofCustom((text, values) => (text.trim() === "" ? null : suggestedProblem(text, values))),
    },
    range: rangeProblem,
  };
}
