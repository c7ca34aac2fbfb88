// The values of the form for a new payment request, and the API request that they make.
import type { inferRouterInputs } from "@trpc/server";
import { parseMoney } from "@/app/_ui/money-text";
import { wholeNumberOf } from "@/app/_ui/whole-number";
import { limits } from "@/server/kit/limits";
import { readWhole } from "@/server/kit/typed-number";
import type { AppRouter } from "@/server/pipeline/trpc-router";
import { isOtherName } from "../../customers/_parts/customer-path";
import { monthlyInstallments, type PlannedInstallment } from "./installment-split";
import { blankInvoice, type InvoiceValues, invoiceOf } from "./invoice-values";
import { type LineValues, lineOf, linesTotal } from "./line-values";
import {
  adjustableOf,
  blankLink,
  hasCustomAmount,
  isReusableForm,
  type LinkValues,
  linkOf,
  mayHaveTrial,
} from "./link-values";
import { reminderDaysOf } from "./reminder-days";

type NewPayment = inferRouterInputs<AppRouter>["payments"]["create"];
type PaymentType = NewPayment["type"];
type LineItem = NonNullable<NewPayment["line_items"]>[number];
type Interval = NonNullable<NewPayment["subscription"]>["interval"];

/** Every field as its text. */
export interface RequestValues extends LinkValues, InvoiceValues, Record<string, unknown> {
  description: string;
  amount: string;
  currency: string;
  account: string;
  email: string;
  customer: string;
  type: PaymentType;
  due: string;
  interval: Interval;
  intervalCount: string;
  cycles: string;
  /** Days of the trial. */
  trial: string;
  lines: LineValues[];
  capture: "automatic" | "manual";
  /** `kept`: by the installments of `plan`, which cannot change in the form. */
  parts: "none" | "any" | "installments" | "kept";
  plan: PlannedInstallment[] | null;
  minimum: string;
  installmentCount: string;
  firstDue: string;
  expires: string;
  reference: string;
  reminders: string;
  locale: string;
  returnUrl: string;
  cancelUrl: string;
  metadata: { key: string; value: string }[];
  kept: Kept;
}

/** What a saved payment request has that the form does not show. */
export interface Kept {
  /** Whom it is addressed to, as long as the e-mail address stays, and the name of one that was chosen in a form. */
  customer: {
    email: string;
    name?: string;
    customer_id?: string;
    reference?: string | null;
    metadata?: Record<string, string>;
  };
}

/** The values of the empty form. */
export const blankValues = (currency: string, account: string): RequestValues => ({
  description: "",
  amount: "",
  currency,
  account,
  email: "",
  customer: "",
  type: "product",
  due: "",
  interval: "month",
  intervalCount: "1",
  cycles: "",
  trial: "",
  lines: [],
  capture: "automatic",
  ...blankLink,
  ...blankInvoice,
  parts: "none",
  plan: null,
  minimum: "",
  installmentCount: "3",
  firstDue: "",
  expires: "",
  reference: "",
  reminders: "",
  locale: "",
  returnUrl: "",
  cancelUrl: "",
  metadata: [],
  kept: { customer: { email: "" } },
});

/** The line items that are valid, of a reusable link with the quantities that its payers choose between. */
export function linesOf(
  values: Pick<RequestValues, "lines" | "currency" | "uses" | "type">,
  locale: string,
): LineItem[] {
  return values.lines.flatMap((line) => {
    const item = lineOf(line, values.currency, locale);
    const range = isReusableForm(values) ? adjustableOf(line, locale) : null;
    return item === null ? [] : [range === null ? item : { ...item, adjustable_quantity: range }];
  });
}

/** The last moment of a day in the browser's time zone; undefined if there is no such day, such as one of year 12026. */
export function endOfDay(day: string): string | undefined {
  const end = new Date(`${day}T23:59:59.999`);
  return Number.isNaN(end.getTime()) ? undefined : end.toISOString();
}

export const unlessEmpty = <T>(text: string, value: (text: string) => T | undefined): T | undefined =>
  text.trim() === "" ? undefined : value(text.trim());

/** A hold is for the whole amount, and a subscription and each payer of a link have payments of their own. */
export const mayBePaidInParts = (values: Pick<RequestValues, "type" | "capture" | "uses">): boolean =>
  values.type !== "subscription" && values.capture !== "manual" && !isReusableForm(values);

/** Whether it is paid by installments, which have due dates of their own. */
export const hasInstallments = (values: RequestValues): boolean =>
  (values.parts === "installments" || values.parts === "kept") && mayBePaidInParts(values);

/** What is asked for in minor units; null while it cannot be requested. */
export function amountOf({ amount, lines, currency }: RequestValues, locale: string): number | null {
  if (lines.length > 0) return linesTotal(lines, currency, locale);
  const parsed = parseMoney(amount, currency, locale);
  return "amount" in parsed ? parsed.amount : null;
}

/** The installments; null while something about them is missing or wrong. */
export function plannedInstallments(values: RequestValues, locale: string): PlannedInstallment[] | null {
  if (values.parts === "kept") return values.plan;
  const { least, most } = limits.installments;
  const amount = amountOf(values, locale);
  const count = wholeNumberOf(values.installmentCount, most, locale);
  if (amount === null || count === null || count < least || amount < count || values.firstDue === "") return null;
  return monthlyInstallments(amount, count, values.firstDue);
}

/** In which parts it can be paid. */
export function partsOf(values: RequestValues, locale: string): Partial<NewPayment> {
  if (values.parts === "none" || !mayBePaidInParts(values)) return {};
  if (values.parts !== "any") return { installments: plannedInstallments(values, locale) };
  const minimum = parseMoney(values.minimum, values.currency, locale);
  return { allow_partial: true, ...("amount" in minimum && { minimum_amount: minimum.amount }) };
}

/** The API request for valid values; throws for invalid ones, since the form has checked them. */
export function requestOf(values: RequestValues, locale: string): NewPayment {
  const { currency, type, lines } = values;
  const parsed = parseMoney(values.amount, currency, locale);
  const items = linesOf(values, locale);
  const isChosen = hasCustomAmount(values);
  if (items.length !== lines.length || (items.length === 0 && !isChosen && !("amount" in parsed))) {
    throw new Error("The form was sent with an amount that it had refused.");
  }
  const name = values.customer.trim();
  const email = values.email.trim();
  const metadata = values.metadata.filter(({ key }) => key.trim() !== "").map(({ key, value }) => [key.trim(), value]);
  const request = {
    type,
    currency,
    amount: items.length === 0 && !isChosen && "amount" in parsed ? parsed.amount : undefined,
    ...linkOf(values, locale),
    line_items: items.length > 0 ? items : undefined,
    description: values.description.trim(),
    account_id: values.account || undefined,
    customer: name || email ? { ...keptOf(values), name: name || null, email: email || null } : undefined,
    due_at: type === "invoice" && !hasInstallments(values) ? unlessEmpty(values.due, String) : undefined,
    invoice: invoiceOf(values),
    ...partsOf(values, locale),
    subscription: type === "subscription" ? termsOf(values, locale) : undefined,
    capture_method: values.capture === "manual" ? values.capture : undefined,
    expires_at: unlessEmpty(values.expires, endOfDay),
    reference: unlessEmpty(values.reference, String),
    reminders: unlessEmpty(isReusableForm(values) ? "" : values.reminders, (text) => ({
      offsets_days: reminderDaysOf(text) ?? [],
    })),
    locale: unlessEmpty(values.locale, String),
    success_url: unlessEmpty(values.returnUrl, (url) => url.trim()),
    cancel_url: unlessEmpty(values.cancelUrl, (url) => url.trim()),
    metadata: metadata.length > 0 ? Object.fromEntries(metadata) : undefined,
  };
  return Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined)) as NewPayment;
}

/** Another e-mail address is another customer's, and so is another name than that of a customer who was chosen. */
export function keptOf(values: RequestValues): Omit<Kept["customer"], "email" | "name"> {
  const { email, name, ...others } = values.kept.customer;
  const isRenamed = name !== undefined && isOtherName(values.customer, name);
  return values.email.trim() === email && !isRenamed ? others : {};
}

/** What another name changes: a customer who was chosen is no longer meant, nor is the e-mail address of that one. */
export function changedByName(
  name: string,
  { email, kept }: RequestValues,
): Partial<Pick<RequestValues, "email" | "kept">> {
  const { customer: chosen } = kept;
  if (chosen.name === undefined || !isOtherName(name, chosen.name)) return {};
  return { kept: { customer: { email: "" } }, ...(email.trim() === chosen.email && { email: "" }) };
}

/** A whole number that the form has checked. */
const numberIn = (text: string, locale: string): number => readWhole(text, locale) ?? 0;

export const termsOf = (values: RequestValues, locale: string): NewPayment["subscription"] => ({
  interval: values.interval,
  interval_count: numberIn(values.intervalCount, locale),
  cycles: unlessEmpty(values.cycles, (text) => numberIn(text, locale)),
  ...(mayHaveTrial(values) && values.trial.trim() !== "" && { trial_days: numberIn(values.trial, locale) }),
});
