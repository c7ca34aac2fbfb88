// Invariants of a payment request at any moment: rows, events and ledger must agree.
import { asc, eq, inArray } from "drizzle-orm";
import { expect } from "vitest";
import { events, journals, ledgerAccounts, postings } from "@/db/tables";
import { normalSide } from "@/server/domains/ledger/rules";
import { amountDue, derivePaymentStatus, type PaymentPart, statusAt, totalsOf } from "@/server/domains/payments/derive";
import { next as nextOfPayment, type PaymentStatus } from "@/server/domains/payments/rules";
import { type PaymentRow, partsOf } from "@/server/domains/payments/store";
import type { TransactionRow } from "@/server/domains/transactions/present";
import {
  capturedStatus,
  next as nextOfTransaction,
  openHold,
  type TransactionStatus,
} from "@/server/domains/transactions/rules";
import { paymentRow, transactionsOf } from "./payer";
import type { World } from "./world";

/** Throws unless status, amounts, events and postings of the payment request agree. */
export async function expectOneTruth(world: World, paymentId: string): Promise<void> {
  const row = await paymentRow(world, paymentId);
  const rows = await transactionsOf(world, paymentId);
  const parts = await world.runtime.db.write((tx) => partsOf(tx, paymentId));
  expect(row).toMatchObject(totalsOf({ ...row, parts }));
  // Readers add the effect of time passed since the last write, so the status is compared as of that write.
  expect(row.status).toBe(derivePaymentStatus({ ...row, parts }, row.updatedAt));
  expectAddedUp(row, rows);
  expectFollowsTime(row, parts);
  expectOneAtATime(row, rows);
  for (const one of rows) {
    expectAmounts(one, rows);
    await expectEvents(world, one, one.type);
  }
  await expectEvents(world, row);
  expect(await postedFor(world, rows)).toEqual(expectedBalances(rows));
}

/** At every relevant instant from now on, the stored status must equal the one derived then. */
function expectFollowsTime(row: PaymentRow, parts: readonly PaymentPart[]): void {
  const facts = { ...row, parts };
  const ends = [row.expiresAt, ...parts.map((part) => part.captureBefore)].filter((at) => at !== null);
  const instants = ends.flatMap((at) => [at - 1, at]).filter((at) => at >= row.updatedAt);
  for (const at of instants) expect(statusAt(row, at), `at ${at}`).toBe(derivePaymentStatus(facts, at));
}

/** At most one attempt is in progress, and none began after the payment request ended. */
function expectOneAtATime(row: PaymentRow, rows: readonly TransactionRow[]): void {
  const payments = rows.filter((one) => one.type === "payment");
  const open = payments.filter(({ status }) => /^(requires_action|processing|authorized)$/.test(status));
  expect(open.length).toBeLessThanOrEqual(1);
  for (const { createdAt } of payments) {
    if (row.expiresAt !== null) expect(createdAt).toBeLessThan(row.expiresAt);
    if (row.canceledAt !== null) expect(createdAt).toBeLessThanOrEqual(row.canceledAt);
  }
}

/** Paid and due amounts add up to the amount plus the surplus, of which a part may have been refunded. */
function expectAddedUp(row: PaymentRow, rows: readonly TransactionRow[]): void {
  const surplusRefunded = rows
    .filter((one) => one.type === "refund" && one.status === "succeeded")
    .reduce((sum, one) => sum + (one.amountSurplus ?? 0), 0);
  const { amount, amountPaid, amountWaived, amountOverpaid } = row;
  expect(amountPaid + amountWaived + amountDue(row)).toBe(amount + amountOverpaid + surplusRefunded);
  for (const one of [amountPaid, amountWaived, amountOverpaid, amountDue(row)]) expect(one).toBeGreaterThanOrEqual(0);
}

/** The invariants of one transaction's amounts, and that its status follows from them. */
function expectAmounts(row: TransactionRow, all: readonly TransactionRow[]): void {
  if (row.type !== "payment") return;
  const { amount, amountAuthorized, amountCaptured, amountRefunded, amountRefunding, status } = row;
  const refunds = all.filter((one) => one.parentTransactionId === row.id);
  expect(amountRefunded).toBe(sumOf(refunds, "succeeded"));
  expect(amountRefunding).toBe(sumOf(refunds, "pending"));
  expect(amountRefunded + amountRefunding).toBeLessThanOrEqual(amountCaptured);
  expect(amountCaptured).toBeLessThanOrEqual(amountAuthorized);
  expect(amountAuthorized).toBeLessThanOrEqual(amount);
  expect(openHold(row), status).toBe(status === "authorized" ? amountAuthorized : 0);
  if (amountCaptured > 0) expect(status).toBe(capturedStatus(row));
  else expect(["processing", "requires_action", "authorized", "failed", "canceled", "expired"]).toContain(status);
}

const sumOf = (refunds: readonly TransactionRow[], status: TransactionStatus): number =>
  refunds.reduce((sum, one) => sum + (one.status === status ? one.amount : 0), 0);

/** Checks that an object's events have no gaps, describe only allowed steps, and end in the object's current state. */
async function expectEvents(
  world: World,
  object: { id: string; status: string },
  type?: TransactionRow["type"],
): Promise<void> {
  const recorded = await world.runtime.db.read
    .select({ sequence: events.sequence, type: events.type, data: events.data })
    .from(events)
    .where(eq(events.objectId, object.id))
    .orderBy(asc(events.sequence));
  expect(recorded.map(({ sequence }) => sequence)).toEqual(recorded.map((_, i) => i + 1));
  // A surplus and late money have their own events, which may come without a change of status.
  const changes = recorded.filter(({ type }) => type !== "payment.overpaid" && type !== "payment.paid_late");
  const steps = changes.map(({ data }) => ({ from: data.previous_status as PaymentStatus, to: data.status as string }));
  for (const [i, { from, to }] of steps.entries()) {
    const before = steps[i - 1];
    // Two events may describe one step.
    if (!before || (!type && from === before.from && to === before.to)) continue;
    if (type) {
      expect(leadsTo(type, before.to as TransactionStatus, to as TransactionStatus), `${before.to} to ${to}`).toBe(
        true,
      );
    } else {
      expect(from).toBe(before.to);
      expect(nextOfPayment[from], `${from} to ${to}`).toContain(to);
    }
  }
  if (!type) expect(steps.at(-1)?.to).toBe(object.status);
}

/** Whether the allowed transitions lead from one status to the other, directly or through steps without events. */
function leadsTo(type: TransactionRow["type"], from: TransactionStatus, to: TransactionStatus): boolean {
  const reached = new Set<TransactionStatus>([from]);
  for (const status of reached) for (const after of nextOfTransaction[type][status] ?? []) reached.add(after);
  return reached.has(to);
}

/** The balances that these transactions imply, counting each journal once. Zeros are left out. */
function expectedBalances(rows: readonly TransactionRow[]): Record<string, number> {
  const total: Record<string, number> = {};
  const add = (name: string, amount: number) => {
    total[name] = (total[name] ?? 0) + amount;
  };
  for (const row of rows) {
    const place = row.provider === null ? "bank" : `provider:${row.provider}:clearing`;
    const open = row.status === "authorized" ? openHold(row) : 0;
    add("memo:auth_open", open);
    add("memo:auth_contra", open);
    add("available", row.amountCaptured);
    add(place, row.amountCaptured);
    if (row.type !== "refund" || row.status === "failed") continue;
    add("available", -row.amount);
    if (row.status === "pending") add("refund_pending", row.amount);
    else add(place, -row.amount);
  }
  return withoutZeros(total);
}

/** The balances posted for these transactions. Throws if an event of one of them was posted twice. */
async function postedFor({ runtime }: World, rows: readonly TransactionRow[]): Promise<Record<string, number>> {
  const ids = rows.map((row) => row.id);
  if (ids.length === 0) return {};
  const posted = await runtime.db.read
    .select({ id: journals.transactionId, event: journals.event })
    .from(journals)
    .where(inArray(journals.transactionId, ids));
  const named = posted.map(({ id, event }) => `${id} ${event}`);
  expect(named.filter((name, i) => named.indexOf(name) !== i)).toEqual([]);
  const lines = await runtime.db.read
    .select({ name: ledgerAccounts.name, side: postings.side, amount: postings.amount })
    .from(journals)
    .innerJoin(postings, eq(postings.journalId, journals.id))
    .innerJoin(ledgerAccounts, eq(ledgerAccounts.id, postings.ledgerAccountId))
    .where(inArray(journals.transactionId, ids));
  const total: Record<string, number> = {};
  for (const { name, side, amount } of lines) {
    const grows = side === normalSide(name as Parameters<typeof normalSide>[0]);
    total[name] = (total[name] ?? 0) + (grows ? amount : -amount);
  }
  return withoutZeros(total);
}

const withoutZeros = (total: Record<string, number>): Record<string, number> =>
  Object.fromEntries(Object.entries(total).filter(([, amount]) => amount !== 0));
