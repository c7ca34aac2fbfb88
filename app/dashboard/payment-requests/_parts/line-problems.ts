// Problems of the line items in the form for a new payment request, and how to correct them.
"use client";
import { useTranslations } from "next-intl";
import { useMoneyProblem } from "@/app/_ui/money-problem";
import { largestMoney } from "@/app/_ui/money-text";
import { isFraction } from "@/app/_ui/whole-number";
import { limits } from "@/server/kit/limits";
import {
  basisPointsOf,
  hasNoDiscount,
  isDiscountTooLarge,
  isUntaxed,
  type LineValues,
  sumProblemOf,
} from "./line-values";
import { adjustableOf, isReusableForm } from "./link-values";
import type { RequestValues } from "./request-values";

/** The validation rules of the fields of a line. `wholeNumber` says what is wrong with a number from 1. */
export function useLineProblems(locale: string, wholeNumber: (text: string, most: number) => string | null) {
  const t = useTranslations("newPayment");
  const moneyProblem = useMoneyProblem(locale);
  const lineAt = (path: string, { lines }: RequestValues) => lines[Number(path.split(".")[1])];
  /** What is wrong with the sum is said once, at the first line. */
  const sumProblem = (path: string, { lines, currency }: RequestValues) =>
    path.startsWith("lines.0.") ? sumProblemOf(lines, currency, locale) : null;
  const tooLargeDiscount = (line: LineValues | undefined, currency: string) =>
    line !== undefined && isDiscountTooLarge(line, currency, locale) ? t("discountTooLarge") : null;
  const tooLargeSum = (path: string, values: RequestValues) =>
    sumProblem(path, values) === "tooLarge"
      ? t("linesTooLarge", { maximum: largestMoney(values.currency, locale) })
      : null;
  return {
    name: (text: string) => (text.trim() === "" ? t("lineNameMissing") : null),
    quantity: (text: string) => (isFraction(text, locale) ? t("quantityFraction") : wholeNumber(text, limits.quantity)),
    price: (text: string, values: RequestValues, path: string) =>
      moneyProblem(text, values.currency) ?? tooLargeSum(path, values),
    discount: (text: string, values: RequestValues, path: string) => {
      if (hasNoDiscount(text, values.currency, locale)) return null;
      const line = lineAt(path, values);
      if (line && isReusableForm(values) && adjustableOf(line, locale) !== null) return t("discountAdjustable");
      const own = moneyProblem(text, values.currency) ?? tooLargeDiscount(line, values.currency);
      return own ?? (sumProblem(path, values) === "zero" ? t("linesZero") : null);
    },
    category: (category: string, { lines }: RequestValues) => {
      const isOutside = (line: LineValues) => isUntaxed(line, locale) && line.category === "O";
      return category === "O" && lines.some(isOutside) && !lines.every(isOutside) ? t("categoryMixed") : null;
    },
    exemption: (text: string, values: RequestValues, path: string) => {
      const line = lineAt(path, values);
      const isNeeded = line !== undefined && isUntaxed(line, locale) && line.category === "E";
      return isNeeded && text.trim() === "" ? t("exemptionMissing") : null;
    },
    tax: (text: string) => (basisPointsOf(text, locale) === undefined ? t("percentWrong") : null),
  };
}
