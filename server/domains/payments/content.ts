// What a payment request says, as callers give it and as its row keeps it: for new ones, changes and drafts.
import type { LineItem } from "@/db/schema/line-values";
import type { Installment } from "@/db/schema/values";
import { limits } from "@/server/kit/limits";
import type { Fail } from "@/server/kit/operation";
import { dueInstant } from "./due-date";
import { type Content, faultsOf } from "./input-schema";
import { invoiceColumn } from "./invoices/terms";
import { sumOf } from "./line-sums";
import { withoutBlankTerms } from "./line-terms";
import { linkColumns } from "./links/terms";
import { noSuchDate, partialColumns, type Setting } from "./partial-terms";
import { isForSandbox } from "./return-url";
import { defaultExpiryMs, problemWithExpiry } from "./rules";
import type { PaymentRow } from "./store";

type Refuse = Fail<"invalid_request" | "amount_mismatch">;

/** The columns of what a payment request says, without its expiry. */
export function columnsOf(content: Content, setting: Setting, fail: Refuse) {
  const lineItems = (content.line_items ?? []).map(completeLine);
  const { custom_amount: custom } = content;
  const amount = custom ? null : amountOf(content.amount ?? null, lineItems, fail);
  const terms = partialColumns(content, amount, setting, fail);
  const isTrial = content.subscription?.trial_days != null;
  const link = linkColumns(content, lineItems, amount, fail);
  return {
    type: content.type,
    amount,
    ...terms,
    ...link,
    // Nothing is due of what begins a trial.
    ...{ isTrial, amountWaived: isTrial ? (amount ?? 0) : link.amountWaived },
    currency: content.currency,
    description: content.description ?? null,
    reference: content.reference ?? null,
    lineItems,
    subscription: content.subscription
      ? {
          ...content.subscription,
          trial_days: content.subscription.trial_days ?? null,
          cycles: content.subscription.cycles ?? null,
        }
      : null,
    invoice: content.invoice ? invoiceColumn(content.invoice) : null,
    captureMethod: content.capture_method,
    successUrl: content.success_url ?? null,
    cancelUrl: content.cancel_url ?? null,
    locale: content.locale ?? null,
    metadata: content.metadata ?? {},
    dueAt: terms.installments?.[0]?.due_at ?? dueAtOf(content, setting, fail),
  };
}

/**
 * What the row says. The amount of line items follows from them, and when it is due from installments. `offsets` are the
 * days of its reminders.
 */
export const contentOf = (row: PaymentRow, offsets: readonly number[] | null): Content => ({
  type: row.type,
  amount: row.lineItems.length > 0 ? null : row.amount,
  currency: row.currency,
  description: row.description,
  reference: row.reference,
  line_items: row.lineItems,
  capture_method: row.captureMethod,
  expires_at: row.expiresAt,
  due_at: row.installments === null ? row.dueAt : null,
  allow_partial: row.allowPartial,
  minimum_amount: row.minimumAmount,
  installments: row.installments && [...row.installments],
  usage_limit: row.usageLimit,
  custom_amount: row.customAmount,
  subscription: row.subscription,
  invoice: row.invoice,
  success_url: row.successUrl,
  cancel_url: row.cancelUrl,
  locale: row.locale,
  reminders: offsets && { offsets_days: [...offsets] },
  metadata: row.metadata,
});

/**
 * Refuses content whose fields contradict each other, or that lacks the e-mail that its reminders need. Whether it does
 * is not asked if `email` is undefined.
 */
export function checkContent(content: Content, email: string | null | undefined, fail: Refuse): void {
  const [fault] = faultsOf(content);
  if (fault) fail("invalid_request", fault.join(": "));
  if (content.reminders && email === null) fail("invalid_request", "customer.email: is required for reminders");
}

/** Refuses addresses in the live mode that only work on the payer's own computer. */
export function checkReturnUrls(
  { success_url, cancel_url }: Pick<Content, "success_url" | "cancel_url">,
  livemode: boolean,
  fail: Refuse,
): void {
  if (!livemode) return;
  for (const [field, url] of Object.entries({ success_url, cancel_url })) {
    if (url && isForSandbox(url)) fail("invalid_request", `${field}: must be an https address`);
  }
}

/** The line item as rows keep it. */
export const completeLine = (line: NonNullable<Content["line_items"]>[number]): LineItem => ({
  ...withoutBlankTerms(line),
  tax_rate_bp: line.tax_rate_bp ?? null,
  discount_amount: line.discount_amount ?? null,
  adjustable_quantity: line.adjustable_quantity ?? null,
});

/** The given amount, or that of line items, which it must equal. Minor units. */
export function amountOf(given: number | null, lines: readonly LineItem[], fail: Refuse): number {
  if (lines.length === 0 && given !== null) return given;
  const sum = sumOf(lines);
  if ("problem" in sum) {
    return fail(
      "invalid_request",
      sum.problem === "out_of_range"
        ? `line_items: their sum must be from 1 to ${limits.amount}`
        : `line_items[${sum.line}].discount_amount: is larger than the line's amount`,
    );
  }
  if (given !== null && given !== sum.amount) {
    return fail("amount_mismatch", `The line items add up to ${sum.amount}, not to ${given}.`);
  }
  return sum.amount;
}

function dueAtOf({ due_at: dueAt }: Content, { timezone }: Setting, fail: Refuse): number | null {
  if (dueAt == null) return null;
  return dueInstant(dueAt, timezone) ?? fail("invalid_request", `due_at: ${noSuchDate}`);
}

type Dates = Pick<Content, "type" | "expires_at" | "installments">;

/** The expiry of a payment request that becomes final at `now`, and states its own or none. */
export const expiryOf = ({ type, expires_at, installments }: Dates, now: number): number | null =>
  expires_at ?? (type === "invoice" || installments ? null : now + defaultExpiryMs);

/** Refuses an expiry that has passed at `now`, is too far away, or comes before an installment is due. */
export function checkExpiry(
  expiresAt: number | null | undefined,
  installments: readonly Installment[] | null,
  now: number,
  fail: Fail<"invalid_request">,
): void {
  const problem = expiresAt == null ? null : problemWithExpiry(expiresAt, installments, now);
  if (problem !== null) fail("invalid_request", `expires_at: ${problem}`);
}
