// Payment requests without a database: the arithmetic of line items, the transitions between states, dates and limits.
import type { LineItem, paymentStatuses } from "@/db/schema/values";
import { limits } from "@/server/kit/limits";

export type PaymentStatus = (typeof paymentStatuses)[number];

const dayMs = 86_400_000;

/** A request that says nothing about it expires after this long; invoices do not expire, they fall due. */
export const defaultExpiryMs = 30 * dayMs;

export const longestExpiryMs = 366 * dayMs;

/** How long an authorization may wait for its capture. */
export const authorizationLifetimeMs = 7 * dayMs;

/** What a provider has not answered by then is asked about: later than any call to it can take. */
export const firstLookupMs = 30_000;

/** How long a payer may take to confirm an attempt; then it is given up. */
export const challengeMs = 15 * 60_000;

/** Declined attempts after which a request has failed for good. */
export const mostAttempts = 10;

/** Minor units of one line: quantity x unit amount, less the discount, plus the tax rounded half up. Null if below 0. */
export function lineTotal(line: LineItem): bigint | null {
  const net = netOf(line);
  return net < 0n ? null : net + taxOf(line);
}

/** Minor units of a line before tax. */
export const netOf = (line: LineItem): bigint =>
  BigInt(line.quantity) * BigInt(line.unit_amount) - BigInt(line.discount_amount ?? 0);

/** Minor units of a line's tax, rounded half up once. */
export const taxOf = (line: LineItem): bigint => (netOf(line) * BigInt(line.tax_rate_bp ?? 0) + 5_000n) / 10_000n;

export type Sum = { amount: number } | { problem: "line_below_zero"; line: number } | { problem: "out_of_range" };

/** The amount that the lines ask for, in exact integers. */
export function sumOf(lines: readonly LineItem[]): Sum {
  let sum = 0n;
  for (const [index, line] of lines.entries()) {
    const total = lineTotal(line);
    if (total === null) return { problem: "line_below_zero", line: index };
    sum += total;
  }
  return sum >= 1n && sum <= BigInt(limits.amount) ? { amount: Number(sum) } : { problem: "out_of_range" };
}

/** Where an attempt that ended without money leaves a request, some of which may have been paid, or given back, before. */
const afterAttempt: readonly PaymentStatus[] = ["pending", "partially_paid", "partially_refunded", "refunded"];

const ends: readonly PaymentStatus[] = ["failed", "canceled", "expired"];

/** What may follow a refund of a request that was paid only in part: the rest is paid, or called off. */
const whileDue: readonly PaymentStatus[] = ["requires_action", "processing", "authorized", "failed", "canceled"];

/** From each status to those that may follow it; a test holds the event log to this table. */
export const next: Readonly<Record<PaymentStatus, readonly PaymentStatus[]>> = {
  draft: ["pending", "canceled"],
  pending: ["requires_action", "processing", "authorized", "partially_paid", "paid", ...ends],
  requires_action: ["processing", "authorized", "paid", ...afterAttempt, ...ends],
  processing: ["requires_action", "authorized", "paid", ...afterAttempt, ...ends],
  authorized: ["paid", ...afterAttempt, "canceled", "expired"],
  partially_paid: ["requires_action", "processing", "authorized", "paid", "partially_refunded", "refunded", ...ends],
  paid: ["partially_refunded", "refunded", "disputed"],
  partially_refunded: ["paid", "partially_paid", "refunded", "disputed", ...whileDue],
  refunded: ["paid", "partially_paid", "partially_refunded", "disputed", ...whileDue],
  disputed: ["paid", "partially_refunded", "refunded"],
  // Money that arrives after the end is accepted and shown: the payer's provider has taken it.
  failed: ["canceled", "paid", "authorized"],
  canceled: ["paid"],
  // Nor does the end stop what the payer has confirmed and the provider is still at work on.
  expired: ["processing", "paid", "authorized", "canceled"],
};

const cancelable: readonly PaymentStatus[] = ["draft", "pending", "authorized", "partially_paid", "failed"];
const payable: readonly PaymentStatus[] = ["pending", "partially_paid"];

/** Statuses that say what was given back, and leave open whether the request was paid in full before. */
const givenBack: readonly PaymentStatus[] = ["partially_refunded", "refunded"];

/** Whether the request can be called off; nothing may be under way at the provider. `due` in minor units. */
export const isCancelable = (status: PaymentStatus, due: number): boolean =>
  cancelable.includes(status) || (givenBack.includes(status) && due > 0);

/** Whether the payer can submit. `due` in minor units. */
export const isPayable = (status: PaymentStatus, due: number): boolean =>
  payable.includes(status) || (givenBack.includes(status) && due > 0);

/** Whether the account's links can be paid: it is open, and its owner has not been removed. */
export const isAvailable = (account: {
  status: "open" | "closed";
  ownerUserId: string | null;
  orphanedAt: number | null;
}) => account.status === "open" && (account.ownerUserId !== null || account.orphanedAt === null);
