// The values of the form for a payment request that was saved before.

import type { inferRouterOutputs } from "@trpc/server";
import { dayOf, endOfDay } from "@/app/_ui/day-bounds";
import { moneyText } from "@/app/_ui/money-text";
import { pieces } from "@/server/kit/units";
import type { AppRouter } from "@/server/pipeline/trpc-router";
import { monthlyInstallments } from "./installment-split";
import { savedInvoice } from "./invoice-values";
import { untaxedCategories } from "./line-values";
import { blankValues, type Kept, type RequestValues } from "./request-values";

type Payment = inferRouterOutputs<AppRouter>["payments"]["get"];

/** The values of a payment request. It expires by the reader's time zone, and is due by the account's. */
export function savedValues(
  payment: Payment,
  locale: string,
  { timeZone, dueTimeZone }: { timeZone: string; dueTimeZone: string },
): RequestValues {
  const { currency } = payment;
  const money = (amount: number | null) => (amount ? moneyText(amount, currency, locale) : "");
  const percent = (points: number | null) =>
    points === null ? "" : points === 0 ? "0" : moneyText(points, "EUR", locale).replace(/\D00$/, "");
  const day = (instant: string | null) => (instant === null ? "" : dayOf(instant, timeZone));
  const dueDay = (instant: string | null) => (instant === null ? "" : dayOf(instant, dueTimeZone));
  return {
    ...blankValues(currency, payment.account_id),
    description: payment.description ?? "",
    amount: money(payment.amount),
    email: payment.customer?.email ?? "",
    customer: payment.customer?.name ?? "",
    type: payment.type,
    due: payment.installments === null ? dueDay(payment.due_at) : "",
    interval: payment.subscription?.interval ?? "month",
    intervalCount: String(payment.subscription?.interval_count ?? 1),
    cycles: String(payment.subscription?.cycles ?? ""),
    trial: String(payment.subscription?.trial_days ?? ""),
    lines: payment.line_items.map((line) => ({
      name: line.name,
      quantity: String(line.quantity),
      unit: line.unit ?? pieces,
      price: money(line.unit_amount),
      discount: money(line.discount_amount),
      // What is not subject to tax has no rate.
      tax: percent(line.tax_category === "O" ? 0 : line.tax_rate_bp),
      category: untaxedCategories.find((category) => category === line.tax_category) ?? "Z",
      exemption: line.tax_exemption_reason ?? "",
      least: String(line.adjustable_quantity?.minimum ?? ""),
      most: String(line.adjustable_quantity?.maximum ?? ""),
    })),
    ...linkValues(payment, money),
    ...savedInvoice(payment.invoice),
    capture: payment.capture_method,
    ...planValues(payment, dueTimeZone),
    minimum: money(payment.minimum_amount),
    expires: day(payment.expires_at),
    reference: payment.reference ?? "",
    reminders: remindersAhead(payment)
      .map(({ offset_days }) => offset_days)
      .join(", "),
    locale: payment.locale ?? "",
    returnUrl: payment.success_url ?? "",
    cancelUrl: payment.cancel_url ?? "",
    metadata: Object.entries(payment.metadata).map(([key, value]) => ({ key, value })),
    kept: { customer: keptCustomer(payment) },
  };
}

/** How often it can be paid, and between which amounts its payers choose. */
function linkValues(
  { usage_limit: limit, custom_amount: custom }: Payment,
  money: (amount: number | null) => string,
): Partial<RequestValues> {
  return {
    uses: limit === 1 ? "once" : limit === null ? "unlimited" : "limited",
    usageLimit: limit === null || limit === 1 ? "" : String(limit),
    priced: custom ? "custom" : "fixed",
    customMinimum: money(custom?.minimum ?? null),
    customMaximum: money(custom?.maximum ?? null),
    customSuggested: money(custom?.suggested ?? null),
  };
}

/** The reminders that are still to go. */
const remindersAhead = ({ reminders }: Payment) =>
  (reminders ?? []).filter((one) => one.sent_at === null && one.skipped_reason === null);

/** How it is paid in parts. Installments change in the form of a draft alone, and only if the form can make them. */
function planValues(payment: Payment, timeZone: string): Partial<RequestValues> {
  const { installments } = payment;
  const [first] = installments ?? [];
  if (!installments || !first) return { parts: payment.allow_partial ? "any" : "none" };
  const plan = installments.map(({ amount, due_at }) => ({ amount, due_at }));
  const firstDue = dayOf(first.due_at, timeZone);
  const made = monthlyInstallments(payment.amount ?? 0, plan.length, firstDue);
  const isMonthly = plan.every(
    ({ amount, due_at }, i) =>
      amount === made[i]?.amount && Date.parse(due_at) + 1 === Date.parse(endOfDay(made[i].due_at, timeZone) ?? ""),
  );
  if (payment.status !== "draft" || !isMonthly) return { parts: "kept", plan };
  return { parts: "installments", installmentCount: String(plan.length), firstDue };
}

/** A final request stays with its customer when the name is corrected; that of a draft can still be another. */
function keptCustomer({ customer, status }: Payment): Kept["customer"] {
  if (customer === null) return { email: "" };
  const { customer_id: id, name, email, reference, metadata } = customer;
  const chosen = id !== null && status === "draft" && { name: name ?? "" };
  return { email: email ?? "", ...(id !== null && { customer_id: id }), ...chosen, reference, metadata };
}

interface Addressee {
  customer_id: string;
  name: string | null;
  email: string | null;
}

/** The values of a payment request to a customer. */
export const addressedTo = ({ customer_id, name, email }: Addressee) => ({
  ...{ customer: name ?? "", email: email ?? "" },
  kept: { customer: { customer_id, name: name ?? "", email: email ?? "" } },
});
