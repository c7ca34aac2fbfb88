// The values that make a payment request a reusable link, and what they say in an API request.
import type { inferRouterInputs } from "@trpc/server";
import { parseMoney } from "@/app/_ui/money-text";
import { wholeNumberOf } from "@/app/_ui/whole-number";
import { limits } from "@/server/kit/limits";
import type { AppRouter } from "@/server/pipeline/trpc-router";

type NewPayment = inferRouterInputs<AppRouter>["payments"]["create"];

/** Every field as its text. */
export interface LinkValues {
  uses: "once" | "limited" | "unlimited";
  usageLimit: string;
  /** Who decides about the amount of a reusable link. */
  priced: "fixed" | "custom";
  customMinimum: string;
  customMaximum: string;
  customSuggested: string;
}

export const blankLink: LinkValues = {
  uses: "once",
  usageLimit: "",
  priced: "fixed",
  customMinimum: "",
  customMaximum: "",
  customSuggested: "",
};

/** Whether several payers can pay it. Each invoice is for one customer. */
export const isReusableForm = ({ uses, type }: Pick<LinkValues, "uses"> & { type: string }): boolean =>
  uses !== "once" && type !== "invoice";

/** A trial charges nothing at first, so nothing can be held, and each payer of a link pays at once. */
export const mayHaveTrial = (values: Parameters<typeof isReusableForm>[0] & { capture: string }): boolean =>
  values.capture !== "manual" && !isReusableForm(values);

/** Whether each payer chooses the amount. Where there are line items, they decide. */
export const hasCustomAmount = (values: LinkValues & { type: string; lines: readonly unknown[] }): boolean =>
  isReusableForm(values) && values.priced === "custom" && values.lines.length === 0;

/** What the values say about reusable links; nothing while something about them is missing or wrong. */
export function linkOf(
  values: LinkValues & { type: string; lines: readonly unknown[]; currency: string },
  locale: string,
): Pick<NewPayment, "usage_limit" | "custom_amount"> {
  if (!isReusableForm(values)) return {};
  const usage_limit =
    values.uses === "unlimited" ? null : (wholeNumberOf(values.usageLimit, limits.links.uses, locale) ?? 1);
  if (!hasCustomAmount(values)) return { usage_limit };
  const money = (text: string) => {
    const parsed = parseMoney(text, values.currency, locale);
    return "amount" in parsed ? parsed.amount : null;
  };
  const [minimum, maximum] = [money(values.customMinimum), money(values.customMaximum)];
  if (minimum === null || maximum === null || minimum > maximum) return { usage_limit };
  const suggested = money(values.customSuggested);
  const isWithin = suggested !== null && suggested >= minimum && suggested <= maximum;
  return { usage_limit, custom_amount: { minimum, maximum, suggested: isWithin ? suggested : null } };
}

/** Between which quantities the payer of a line chooses; null if its quantity is fixed, or a number is missing. */
export function adjustableOf({ least, most }: { least: string; most: string }, locale: string) {
  const [minimum = null, maximum = null] = [least, most].map((text) => wholeNumberOf(text, limits.quantity, locale));
  return minimum === null || maximum === null || minimum > maximum ? null : { minimum, maximum };
}
