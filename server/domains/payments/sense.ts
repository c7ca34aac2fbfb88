// What makes no sense of a payment request that becomes final, although each of its fields is allowed.
import { smallestPart, smallestPartOf } from "@/server/kit/currency";
import type { Fail } from "@/server/kit/operation";
import { iso } from "@/server/process/clock";
import { reminderAt, type Waking } from "./reminder-times";
import type { PaymentRow } from "./store";

type Refuse = Fail<"invalid_request">;
type Dates = Pick<PaymentRow, "dueAt" | "expiresAt" | "installments">;

/**
 * Refuses parts that no payer could ever choose or that are too small, an amount of the payer's own that is, and
 * installments that are all over at `now`.
 */
export function checkParts(
  {
    amount,
    currency,
    allowPartial,
    minimumAmount,
    installments,
    customAmount,
  }: Pick<PaymentRow, "amount" | "currency" | "installments" | "allowPartial" | "minimumAmount" | "customAmount">,
  now: number,
  fail: Refuse,
): void {
  if (customAmount !== null && customAmount.minimum < smallestPart(currency)) {
    fail("invalid_request", `custom_amount.minimum: must be at least ${smallestPart(currency)}`);
  }
  // Payers who choose the amount pay it at once.
  if (amount === null) return;
  const least = smallestPartOf({ amount, currency });
  if (allowPartial && minimumAmount !== null && minimumAmount < least) {
    fail("invalid_request", `minimum_amount: must be at least ${least}`);
  }
  // A part leaves at least the minimum.
  if (allowPartial && amount < 2 * (minimumAmount ?? least)) {
    if (minimumAmount === null) fail("invalid_request", `allow_partial: an amount of ${amount} has no parts`);
    fail("invalid_request", `minimum_amount: must be at most half of the amount, ${amount}: no part could be paid`);
  }
  const small = installments?.findIndex((one) => one.amount < smallestPart(currency)) ?? -1;
  if (small >= 0) fail("invalid_request", `installments[${small}].amount: must be at least ${smallestPart(currency)}`);
  const last = installments?.at(-1);
  if (installments && last && last.due_at <= now) {
    fail(
      "invalid_request",
      `installments[${installments.length - 1}].due_at: must be in the future: it is the last one`,
    );
  }
}

/** Refuses an expiry before the due date. That of installments is checked wherever an expiry is. */
export function checkDueBeforeExpiry({ dueAt, expiresAt, installments }: Dates, fail: Refuse): void {
  if (installments === null && dueAt !== null && expiresAt !== null && expiresAt < dueAt) {
    fail("invalid_request", `expires_at: must not be before due_at, ${iso(dueAt)}`);
  }
}

/**
 * Refuses reminders none of which could go: all are over at `now`, or the payment request expires before them. Those of a
 * draft are not asked: what is over when it becomes final counts as missed.
 */
export function checkReminders(
  { dueAt, expiresAt, installments }: Dates,
  offsets: readonly number[] | null,
  { now, waking }: { now: number; waking: Waking },
  fail: Refuse,
): void {
  const bases = installments?.map((one) => one.due_at) ?? [dueAt ?? expiresAt].filter((at) => at !== null);
  if (offsets === null || offsets.length === 0 || bases.length === 0) return;
  const instants = bases.flatMap((base) => offsets.map((days) => reminderAt(base, days, waking)));
  const canGo = (at: number) => at > now && (expiresAt === null || at < expiresAt);
  if (!instants.some(canGo)) {
    fail("invalid_request", "reminders.offsets_days: all of them lie in the past, or at or after the expiry");
  }
}
