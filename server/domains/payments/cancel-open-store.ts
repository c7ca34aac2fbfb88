// Rows of what ends with an account: its requests that are still open.
import { and, asc, eq, gt, inArray, not, or, type SQL, sql } from "drizzle-orm";
import type { Reader, Tx } from "@/db/client";
import { lock } from "@/db/lock";
import { accounts, payments, transactions } from "@/db/tables";
import { captureTriesMs } from "@/server/domains/transactions/charge-times";
import { isDue, statusIn } from "./conditions-store";
import type { PaymentStatus } from "./rules";

/** Whether the account is closed, once no closing is under way; it stays closed or open until the transaction ends. */
export async function isClosed(tx: Tx, accountId: string): Promise<boolean> {
  await lock(tx, accounts, [accountId], "keep");
  return (await tx.$count(accounts, and(eq(accounts.id, accountId), eq(accounts.status, "closed")))) > 0;
}

const unended: PaymentStatus[] = [
  ...["draft", "pending", "requires_action", "processing", "authorized", "partially_paid"],
  // While something is due.
  ...["partially_refunded", "refunded"],
] as PaymentStatus[];

/** The condition for what ends with an account: requests that are neither paid nor over, and holds that ran out of time. */
const endsWith = (accountId: string, now: number): SQL | undefined =>
  and(
    eq(payments.accountId, accountId),
    inArray(payments.status, unended),
    isDue,
    or(statusIn(unended, now), gt(payments.amountCapturable, 0)),
  );

/** A capture that was decided goes on for as long as it is tried: its money is the account's. */
const isBeingCaptured = (now: number): SQL => sql`exists (select 1 from ${transactions}
  where ${transactions.paymentId} = ${payments.id} and ${transactions.status} = 'authorized'
  and ${transactions.captureRequested} is not null and ${transactions.captureBefore} > ${now - captureTriesMs})`;

/** Locks up to `limit` of the account's open requests; those that are still open then and do not wait for a capture. */
export async function lockOpenPayments(tx: Tx, accountId: string, now: number, limit: number) {
  const isOpen = and(endsWith(accountId, now), not(isBeingCaptured(now)));
  const find = (condition: SQL | undefined) =>
    tx
      .select({ id: payments.id, organizationId: payments.organizationId })
      .from(payments)
      .where(condition)
      .orderBy(asc(payments.id))
      .limit(limit);
  const ids = (await find(isOpen)).map(({ id }) => id);
  if (ids.length === 0) return [];
  await lock(tx, payments, ids);
  // One that was paid before the lock was ours is not open any more.
  return find(and(isOpen, inArray(payments.id, ids)));
}

/** The number of the account's requests that are still open at `now`, and of those that only wait for a capture. */
export async function countOpenPayments(q: Reader, accountId: string, now: number) {
  const isOpen = endsWith(accountId, now);
  return {
    open: await q.$count(payments, isOpen),
    beingCaptured: await q.$count(payments, and(isOpen, isBeingCaptured(now))),
  };
}
