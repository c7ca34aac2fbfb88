// Finds the open payment requests of an account, which end when it closes.
import { and, asc, eq, gt, inArray, not, or, type SQL, sql } from "drizzle-orm";
import type { Reader, Tx } from "@/db/client";
import { lock } from "@/db/lock";
import { accounts, payments, transactions } from "@/db/tables";
import { limits } from "@/server/kit/limits";
import { isDue, isLink, statusIn } from "./conditions-store";
import type { PaymentStatus } from "./rules";

/** Whether the account is closed. Waits for a closing in progress, and locks the status until the transaction ends. */
export async function isClosed(tx: Tx, accountId: string): Promise<boolean> {
  await lock(tx, accounts, [accountId], "keep");
  return (await tx.$count(accounts, and(eq(accounts.id, accountId), eq(accounts.status, "closed")))) > 0;
}

const unended: PaymentStatus[] = [
  ...["draft", "pending", "requires_action", "processing", "authorized", "partially_paid"],
  // Only while something is due.
  ...["partially_refunded", "refunded", "disputed"],
] as PaymentStatus[];

/** Payment requests that end with their account: neither paid nor ended, or with a lapsed authorization hold. */
const endsWithAccount = (accountId: string, now: number): SQL | undefined =>
  and(
    eq(payments.accountId, accountId),
    inArray(payments.status, unended),
    or(isDue, isLink),
    or(statusIn(unended, now), gt(payments.amountCapturable, 0)),
  );

/** Whether a decided capture is still being tried. It is not canceled: its money belongs to the account. */
const isBeingCaptured = (now: number): SQL => sql`exists (select 1 from ${transactions}
  where ${transactions.paymentId} = ${payments.id} and ${transactions.status} = 'authorized'
  and ${transactions.captureRequested} is not null and ${transactions.captureBefore} > ${now - limits.charge.lateCaptureMs})`;

const openOf = (accountId: string, now: number): SQL | undefined =>
  and(endsWithAccount(accountId, now), not(isBeingCaptured(now)));

/** Up to `limit` open payment requests of the account that are not being captured, in id order. */
export async function findOpen(q: Reader, accountId: string, now: number, limit: number): Promise<string[]> {
  const rows = await q
    .select({ id: payments.id })
    .from(payments)
    .where(openOf(accountId, now))
    .orderBy(asc(payments.id))
    .limit(limit);
  return rows.map(({ id }) => id);
}

/** Those of the payment requests that are still open. Some may have been paid before the caller had their locks. */
export const stillOpen = (tx: Tx, accountId: string, now: number, ids: readonly string[]) =>
  tx
    .select({ id: payments.id, organizationId: payments.organizationId })
    .from(payments)
    .where(and(openOf(accountId, now), inArray(payments.id, [...ids])))
    .orderBy(asc(payments.id));

/** How many of the account's payment requests are open at `now`, and how many of these are being captured. */
export async function countOpenPayments(q: Reader, accountId: string, now: number) {
  const isOpen = endsWithAccount(accountId, now);
  return {
    open: await q.$count(payments, isOpen),
    beingCaptured: await q.$count(payments, and(isOpen, isBeingCaptured(now))),
  };
}
