// The terms on which a payment request can be paid in parts: their input, and what is stored of it.
import * as z from "zod";
import type { Installment } from "@/db/schema/values";
import { smallestPart } from "@/server/kit/currency";
import * as fields from "@/server/kit/fields";
import { dayMs, limits } from "@/server/kit/limits";
import type { Fail } from "@/server/kit/operation";
import { dueInstant } from "./due-date";
import { installmentStatuses } from "./installments";

const { least, most, longestDays } = limits.installments;

const installment = z
  .strictObject({
    amount: fields.amount,
    due_at: fields.dueDate.meta({ description: "A date means the end of that day in the account's time zone." }),
  })
  .meta({ id: "InstallmentInput" });

/** The input fields that let a payment request be paid in parts. */
export const partialTerms = {
  allow_partial: z
    .boolean()
    .nullish()
    .meta({ description: "Whether the customer may pay any part. Not with installments." }),
  minimum_amount: fields.amount.nullish().meta({
    description:
      "Minor units of the smallest part, with `allow_partial`; at most half of the amount. Without it, and at least: a " +
      `hundredth of the amount, or about half a euro if that is more (${smallestPart("EUR")} in EUR, ${smallestPart("JPY")} in JPY). ` +
      "The rest may be smaller once it is all that is due.",
  }),
  installments: z
    .array(installment)
    .min(least)
    .max(most)
    .nullish()
    .meta({
      description:
        "Parts with due dates of their own, in ascending order, that add up to the amount; each at least about half a euro. Money counts towards the " +
        `oldest one that is not paid in full. The last one is due in the future, at most ${longestDays} days from now.`,
    }),
};

/** An installment in a response. */
export const installmentOut = z
  .strictObject({
    amount: z.int(),
    due_at: fields.timestamp,
    amount_paid: fields.total.meta({ description: "Minor units paid so far. Refunds do not change it." }),
    status: z.enum(installmentStatuses).meta({
      description:
        "`due` is the oldest one that is not paid in full; it is `overdue` once its due date has passed. `ended` is " +
        "one that was not paid before the payment request was canceled or expired.",
    }),
  })
  .meta({ id: "Installment" });

interface Input {
  type: string;
  capture_method: string;
  allow_partial?: boolean | null | undefined;
  minimum_amount?: number | null | undefined;
  installments?: readonly { amount: number; due_at: number | string }[] | null | undefined;
  due_at?: unknown;
}

/** What the fields contradict in each other, whatever the amounts and dates are: the field, and what is wrong with it. */
export function partialFaultsOf(input: Input): [field: string, fault: string][] {
  const { allow_partial: allowPartial, minimum_amount: minimum, installments } = input;
  const part = allowPartial ? "allow_partial" : installments ? "installments" : null;
  const faults: [string, string][] = [];
  if (minimum != null && !allowPartial) faults.push(["minimum_amount", "is only allowed with allow_partial"]);
  if (part === null) return faults;
  if (allowPartial && installments) faults.push(["installments", "is not allowed with allow_partial"]);
  if (input.type === "subscription") faults.push([part, "is not allowed for subscriptions"]);
  if (input.capture_method === "manual") faults.push([part, "is not allowed with capture_method manual"]);
  if (installments && input.due_at != null)
    faults.push(["due_at", "is not allowed with installments, which have their own"]);
  return faults;
}

/** Where and when a payment request is written. */
export interface Setting {
  /** In which dates end. */
  timezone: string;
  now: number;
}

/** The columns of the terms. Refuses amounts that do not fit the payment request, and dates out of order. */
export function partialColumns(
  input: Pick<Input, "allow_partial" | "minimum_amount" | "installments">,
  amount: number | null,
  { timezone, now }: Setting,
  fail: Fail<"invalid_request" | "amount_mismatch">,
): { allowPartial: boolean; minimumAmount: number | null; installments: Installment[] | null } {
  const minimumAmount = input.minimum_amount ?? null;
  if (minimumAmount !== null && amount !== null && minimumAmount > amount) {
    return fail("invalid_request", `minimum_amount: must not exceed the amount, ${amount}`);
  }
  const installments =
    input.installments?.map(
      (one, i): Installment => ({
        amount: one.amount,
        due_at: dueInstant(one.due_at, timezone) ?? fail("invalid_request", `installments[${i}].due_at: ${noSuchDate}`),
      }),
    ) ?? null;
  if (installments !== null && amount !== null) checkInstallments(installments, amount, now, fail);
  return { allowPartial: input.allow_partial ?? false, minimumAmount, installments };
}

export const noSuchDate = "is not a date that exists";

function checkInstallments(
  installments: readonly Installment[],
  amount: number,
  now: number,
  fail: Fail<"invalid_request" | "amount_mismatch">,
): void {
  for (const [i, { due_at }] of installments.entries()) {
    const before = installments[i - 1];
    if (before && due_at <= before.due_at) {
      fail("invalid_request", `installments[${i}].due_at: must be later than that of the one before`);
    }
  }
  if ((installments.at(-1)?.due_at ?? 0) > now + longestDays * dayMs) {
    const last = installments.length - 1;
    fail("invalid_request", `installments[${last}].due_at: must be at most ${longestDays} days from now`);
  }
  const sum = installments.reduce((total, one) => total + one.amount, 0);
  if (sum !== amount) fail("amount_mismatch", `The installments add up to ${sum}, not to ${amount}.`);
}
