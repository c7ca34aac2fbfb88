// What the pay page would show of the values of the form, while somebody is typing them.
import type { inferRouterInputs } from "@trpc/server";
import { parseMoney } from "@/app/_ui/money-text";
import { wholeNumberOf } from "@/app/_ui/whole-number";
import { limits } from "@/server/kit/limits";
import type { AppRouter } from "@/server/pipeline/trpc-router";
import { endsTooEarly, invoiceOf } from "./invoice-values";
import { lineOf, linesTotal } from "./line-values";
import { linkOf, mayHaveTrial } from "./link-values";
import {
  amountOf,
  endOfDay,
  hasInstallments,
  keptOf,
  linesOf,
  partsOf,
  type RequestValues,
  termsOf,
  unlessEmpty,
} from "./request-values";

type Shown = inferRouterInputs<AppRouter>["payments"]["preview"];

/** What the pay page would show of the values, as far as they are valid. An amount that cannot be read is left out. */
export function shownOf(values: RequestValues, locale: string, now: number): Shown {
  const { type, currency, account } = values;
  const parsed = parseMoney(values.amount, currency, locale);
  const lines = values.lines.filter((line) => lineOf(line, currency, locale) !== null);
  const items = linesOf({ ...values, lines }, locale);
  const link = linkOf(values, locale);
  const hasSum = items.length > 0 && linesTotal(lines, currency, locale) !== null;
  const terms = termsOf(values, locale);
  const hasTerms = wholeNumberOf(values.intervalCount, limits.subscriptionIntervalCount, locale) !== null;
  return {
    ...{ account_id: account, type, currency, capture_method: values.capture },
    // As soon as there is a line, the lines decide about the amount.
    amount: values.lines.length === 0 && !link.custom_amount && "amount" in parsed ? parsed.amount : null,
    ...link,
    line_items: hasSum ? items.map(shownLine) : null,
    description: values.description.trim() || null,
    reference: values.reference.trim() || null,
    subscription: type === "subscription" && hasTerms && terms ? { ...terms, ...shownTerms(values, locale) } : null,
    ...partsShown(values, locale),
    due_at: type === "invoice" && !hasInstallments(values) ? (unlessEmpty(values.due, String) ?? null) : null,
    expires_at: unlessEmpty(values.expires, (day) => endOfDayAhead(day, now)) ?? null,
    locale: values.locale || null,
  };
}

/** A line whose name, or the reason of whose exemption, is still to be typed. */
function shownLine(item: ReturnType<typeof linesOf>[number]): typeof item {
  const reason = item.tax_exemption_reason ?? (item.tax_category === "E" ? "…" : null);
  return { ...item, name: item.name || "…", ...(reason !== null && { tax_exemption_reason: reason }) };
}

type ShownInvoice = inferRouterInputs<AppRouter>["payments"]["previewInvoice"];

/** What the invoice would show of the values, as far as they are valid. */
export function shownInvoiceOf(values: RequestValues, locale: string, now: number): ShownInvoice {
  const name = values.customer.trim();
  const email = values.email.trim();
  const days = { issueDate: dayOf(values.issueDate), serviceFrom: dayOf(values.serviceFrom) };
  const serviceTo = endsTooEarly(values) ? "" : dayOf(values.serviceTo);
  return {
    ...shownOf(values, locale, now),
    type: "invoice",
    customer: name || email ? { ...keptOf(values), name: name || null, email: isAddress(email) ? email : null } : null,
    invoice: invoiceOf({ ...values, ...days, serviceTo }) ?? null,
  };
}

/** The day; empty for one that there is not, as while its year is typed. */
const dayOf = (day: string): string => (/^[12]\d{3}-\d\d-\d\d$/.test(day) ? day : "");

/** Whether it may be a whole e-mail address. While one is typed, the invoice is without it. */
const isAddress = (text: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text);

/** The trial, if its days can be read; how many cycles there are is not shown. */
function shownTerms(values: RequestValues, locale: string): { cycles: null; trial_days: number | null } {
  return {
    cycles: null,
    trial_days: mayHaveTrial(values) ? wholeNumberOf(values.trial, limits.trialDays, locale) : null,
  };
}

/** The end of a day that has not passed. While a year is typed, it is long ago. */
function endOfDayAhead(day: string, now: number): string | undefined {
  const end = endOfDay(day);
  return end !== undefined && Date.parse(end) > now ? end : undefined;
}

/** The parts that it can be paid in. A minimum above the amount is being typed. */
function partsShown(values: RequestValues, locale: string): Partial<Shown> {
  const { allow_partial, minimum_amount: minimum, installments } = partsOf(values, locale);
  const isMinimum = minimum != null && minimum <= (amountOf(values, locale) ?? 0);
  return { allow_partial, minimum_amount: isMinimum ? minimum : null, installments };
}
