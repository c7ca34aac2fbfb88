// Presents subscriptions on the wire.
import type * as z from "zod";
import type { Reader, Tx } from "@/db/client";
import { methodsById } from "@/server/domains/payments/methods/store";
import { presentLine } from "@/server/domains/payments/present";
import { iso, isoOrNull } from "@/server/process/clock";
import { nextChargeAt } from "./rules";
import type { cycle, SubscriptionRecord } from "./schema";
import type { CycleRow, SubscriptionRow } from "./store";

const present = (row: SubscriptionRow, method: SubscriptionRecord["payment_method"]): SubscriptionRecord => ({
  subscription_id: row.id,
  account_id: row.accountId,
  customer_id: row.customerId,
  status: row.status,
  amount: row.amount,
  currency: row.currency,
  interval: row.interval,
  interval_count: row.intervalCount,
  cycles: row.cycles,
  cycles_done: row.cyclesDone,
  trial_ends_at: isoOrNull(row.trialEndsAt),
  current_period_start: isoOrNull(row.currentPeriodStart),
  current_period_end: isoOrNull(row.currentPeriodEnd),
  next_charge_at: isoOrNull(nextChargeAt(row)),
  cancel_at_period_end: row.cancelAtPeriodEnd,
  resume_at: isoOrNull(row.resumeAt),
  pause_reason: row.pauseReason,
  canceled_at: isoOrNull(row.canceledAt),
  ended_at: isoOrNull(row.endedAt),
  end_reason: row.endReason,
  payment_method: method,
  first_payment_id: row.firstPaymentId,
  latest_payment_id: row.latestPaymentId,
  description: row.description,
  line_items: row.lineItems.map(presentLine),
  metadata: row.metadata,
  livemode: row.livemode,
  created_at: iso(row.createdAt),
  updated_at: iso(row.updatedAt),
});

/** Reads the stored cards of the subscriptions, and presents them in the same order. */
export async function shownSubscriptions(
  q: Reader | Tx,
  rows: readonly SubscriptionRow[],
): Promise<SubscriptionRecord[]> {
  const methods = await methodsById(
    q,
    rows.flatMap(({ methodId }) => methodId ?? []),
  );
  return rows.map((row) => present(row, methods.get(row.methodId ?? "")?.paymentMethod ?? null));
}

/** The same of one. */
export async function shownSubscription(q: Reader | Tx, row: SubscriptionRow): Promise<SubscriptionRecord> {
  const [method] = row.methodId === null ? [] : (await methodsById(q, [row.methodId])).values();
  return present(row, method?.paymentMethod ?? null);
}

export const presentCycle = (row: CycleRow): z.input<typeof cycle> => ({
  ...{ cycle: row.cycle, payment_id: row.paymentId, amount: row.amount, is_missed: row.isMissed },
  ...{ period_start: iso(row.periodStart), period_end: iso(row.periodEnd), paid_at: isoOrNull(row.paidAt) },
});
