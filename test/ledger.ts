// A ledger for tests: what the product does with money, as short commands on a separate organization.
import { and, eq, inArray, sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { events, transactions } from "@/db/tables";
import { type Entry, tryPostJournals } from "@/server/domains/ledger/post";
import type { Journal } from "@/server/domains/ledger/rules";
import { ledgerAccountId, normalSide } from "@/server/domains/ledger/rules";
import { balancesOf } from "@/server/domains/transactions/balances";
import { eventData } from "@/server/domains/transactions/present";
import type { World } from "./world";

type Row = typeof transactions.$inferInsert;
type Need = Pick<Row, "type" | "status" | "direction" | "accountId" | "amount" | "currency">;

/** A command was refused and changed nothing. The message says why. */
export class Refused extends Error {}

/** Checks and changes other rows before the journals are posted. Resolves to false if their state does not allow it. */
type Guard = (tx: Tx) => Promise<boolean>;

export interface TestLedger {
  organizationId: string;
  accountIds: [string, string, string];
  /** The expected balance of every ledger account: the sum of the journals posted. */
  expected: Map<string, number>;
  /**
   * Inserts a transaction with its journals and returns its id. Throws {@link Refused} if `guard` or the ledger
   * refuses.
   */
  post(row: Need & Partial<Row>, ...journals: (Journal | Guard)[]): Promise<string>;
  /** Posts journals for an existing transaction, whose row the guard updates. */
  move(transactionId: string, guard: Guard, ...journals: Journal[]): Promise<void>;
}

type Clocked = Pick<World, "runtime" | "clock" | "id" | "organization">;

/** Opens an empty ledger with three accounts, or opens `known` again with its own clock. */
export async function openLedger(
  world: Clocked,
  known?: Pick<TestLedger, "organizationId" | "accountIds">,
): Promise<TestLedger> {
  const { organizationId, accountIds } = known ?? (await newLedger(world));
  const expected = new Map<string, number>();
  const liveOnes = new Set<string>();
  const posted = (entry: Entry) => {
    for (const { currency, postings } of entry.journals) {
      for (const { account, side, amount } of postings) {
        const id = ledgerAccountId(entry, account, currency);
        expected.set(id, (expected.get(id) ?? 0) + (side === normalSide(account.name) ? amount : -amount));
      }
    }
  };
  async function write(entry: Entry, rows: Guard): Promise<void> {
    const now = world.clock.now();
    await world.runtime.db.write(async (tx) => {
      if (!(await rows(tx))) throw new Refused("the transaction's row");
      const refusal = await tryPostJournals({ db: tx, realNow: now, id: world.id, runtime: world.runtime }, entry);
      if (refusal) throw new Refused(refusal);
    });
    posted(entry);
  }
  const entryOf = (id: string, livemode: boolean, journals: Journal[]): Entry => ({
    ...{ organizationId, livemode, source: { kind: "transaction", id }, valueAt: null, journals },
  });
  return {
    organizationId,
    accountIds,
    expected,
    async post(row, ...given) {
      const journals = given.filter((one) => typeof one !== "function");
      const guards = given.filter((one) => typeof one === "function");
      const id = world.id("txn");
      const now = world.clock.now();
      const base = {
        id,
        organizationId,
        metadata: {},
        livemode: false,
        effectiveAt: now,
        createdAt: now,
        updatedAt: now,
      };
      if (row.livemode) liveOnes.add(id);
      await write(entryOf(id, row.livemode ?? false, journals), async (tx) => {
        for (const guard of guards) if (!(await guard(tx))) return false;
        const [inserted] = await tx
          .insert(transactions)
          .values({ ...base, ...row })
          .returning();
        if (!inserted) return false;
        await tx.insert(events).values({
          id: world.id("evt"),
          organizationId,
          accountId: row.accountId,
          type: "transaction.created",
          objectId: id,
          sequence: 1,
          data: eventData(inserted),
          createdAt: now,
        });
        return true;
      });
      return id;
    },
    move: (transactionId, rows, ...journals) =>
      write(entryOf(transactionId, liveOnes.has(transactionId), journals), rows),
  };
}

/** The balances that these accounts show. */
export const shownBalances = ({ runtime }: Pick<World, "runtime">, accountIds: readonly string[]) =>
  balancesOf(runtime.db.read, accountIds);

async function newLedger(world: Clocked): Promise<Pick<TestLedger, "organizationId" | "accountIds">> {
  const { id, admin, member, other } = await world.organization();
  return { organizationId: id, accountIds: [admin.accountId, member.accountId, other.accountId] };
}

/** Changes a transaction if it is in one of these statuses and `guard` holds; false otherwise. */
export async function guardedUpdate(
  tx: Tx,
  id: string,
  statuses: NonNullable<Row["status"]>[],
  set: Record<string, unknown>,
  guard = sql`true`,
): Promise<boolean> {
  const changed = await tx
    .update(transactions)
    .set(set)
    .where(and(eq(transactions.id, id), inArray(transactions.status, statuses), guard))
    .returning({ id: transactions.id });
  return changed.length === 1;
}
