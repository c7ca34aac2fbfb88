// Why a typed text is not a valid amount and how to correct it, in the reader's language.
"use client";
import { useTranslations } from "next-intl";
import { decimalsOf, exampleMoney, largestMoney, parseMoney } from "./money-text";

/** Checks a typed amount in a currency; null if it is valid. */
export function useMoneyProblem(locale: string): (text: string, code: string) => string | null {
  const t = useTranslations("money");
  return (text, code) => {
    const parsed = parseMoney(text, code, locale);
    if (!("problem" in parsed)) return null;
    const example = exampleMoney(code, locale);
    switch (parsed.problem) {
      case "empty":
      case "malformed":
      case "ambiguous":
        return t(parsed.problem, { example });
      case "tooPrecise":
        return t("tooPrecise", { digits: decimalsOf(code) });
      case "zero":
        return t("zero");
      case "tooLarge":
        return t("tooLarge", { maximum: largestMoney(code, locale) });
    }
  };
}
