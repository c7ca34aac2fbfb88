// Row locks. Every transaction takes them in the order below, so that no two transactions deadlock.
import { asc, inArray, type SQL } from "drizzle-orm";
import type { AnyPgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Tx } from "./client";
import { dialect } from "./dialect";
import { LostRace } from "./errors";
import { preparedByShape } from "./shapes";

// The order; within a table, by id:
//   0. the organization (privileged writes: server/pipeline/confirm-caller.ts)
//   0a. the clock of a sandbox organization; a call without a caller locks it once it knows the organization
//   1. throttles of sign-in and sign-up
//   2. accounts
//   3. users, then sessions, then invitations; throttles of a user who is locked (one-time codes, sign-ins)
//   4. customers
//   5. payment requests; a reusable link before its uses, which have larger ids; then their subscriptions, each
//      time that a payment request is locked
//   5a. the series of invoice numbers, then the claim of the tax number and prefix
//   6. transactions
//   7. customers' credit
//   8. sums that dashboard sessions have moved (step-up)
//   9. ledger accounts
//   9a. the series of credit note numbers
//   10. API keys
//   11. throttles of payment attempts, mails and notices, mails, jobs, the sandbox provider's operations
// A transaction may skip any of them and may lock a row again. A row that it inserts locks the rows it refers to only
// against removal (FOR KEY SHARE), which the locks below allow, so inserts need no place in the order.
// SQLite has one writer and needs no row locks.

type Lockable = PgTable & { id: AnyPgColumn };

/**
 * `change`: no other transaction may change or lock the rows. `keep`: others may keep them too, but not change them.
 */
type LockPurpose = "change" | "keep";

const strengths = { change: "no key update", keep: "share" } as const;

const lockStatement = (table: Lockable, purpose: LockPurpose) =>
  preparedByShape<{ ids: readonly string[] }, unknown[]>((q, { ids }) =>
    q
      .select({ id: table.id })
      .from(table)
      .where(inArray(table.id, [...ids]))
      .orderBy(asc(table.id))
      .for(strengths[purpose]),
  );

const statements = {
  change: new Map<Lockable, ReturnType<typeof lockStatement>>(),
  keep: new Map<Lockable, ReturnType<typeof lockStatement>>(),
};

/** Locks every row that meets the condition, in id order, until the transaction ends. For sets too large for ids. */
export async function lockWhere(tx: Tx, table: Lockable, condition: SQL | undefined): Promise<void> {
  if (dialect === "sqlite") return;
  await tx.select({ id: table.id }).from(table).where(condition).orderBy(asc(table.id)).for(strengths.change);
}

/** Locks the rows with these ids, in id order, until the transaction ends. */
export async function lock(
  tx: Tx,
  table: Lockable,
  ids: readonly string[],
  purpose: LockPurpose = "change",
): Promise<void> {
  if (dialect === "sqlite" || ids.length === 0) return;
  const known = statements[purpose];
  const statement = known.get(table) ?? lockStatement(table, purpose);
  known.set(table, statement);
  await statement(tx, { ids: [...new Set(ids)].sort() });
}

const unlocked = new Map<Lockable, ReturnType<typeof unlockedStatement>>();

const unlockedStatement = (table: Lockable) =>
  preparedByShape<{ ids: readonly string[] }, unknown[]>((q, { ids }) =>
    q
      .select({ id: table.id })
      .from(table)
      .where(inArray(table.id, [...ids]))
      .for(strengths.keep, { skipLocked: true }),
  );

/**
 * Keeps the rows as they are until the transaction ends, although it has locked rows that come later in the order. It
 * never waits, and so never deadlocks: if another transaction is changing such a row, this one is rolled back, waits for
 * the other without holding anything, and runs again.
 */
export async function keepOutOfOrder(tx: Tx, table: Lockable, ids: readonly string[]): Promise<void> {
  const wanted = [...new Set(ids)];
  if (dialect === "sqlite" || wanted.length === 0) return;
  const statement = unlocked.get(table) ?? unlockedStatement(table);
  unlocked.set(table, statement);
  const kept = await statement(tx, { ids: wanted });
  if (kept.length === wanted.length) return;
  throw new LostRace(new Error("A row that is to be kept is being changed."), (later) =>
    lock(later, table, wanted, "keep"),
  );
}
