// Money in tests: transactions made by short commands, results of a provider, and the balances that follow.
import { and, eq, isNotNull, like, or, sql } from "drizzle-orm";
import type * as z from "zod";
import { journals, ledgerAccounts, postings, transactions } from "@/db/tables";
import { verifyLedger } from "@/server/domains/ledger/verify";
import type { ProviderResult } from "@/server/domains/providers/provider";
import { inBackground } from "@/server/domains/records/in-background";
import { createTransaction } from "@/server/domains/transactions/operations/create";
import type { TransactionRow } from "@/server/domains/transactions/present";
import { insertTransaction, type NewTransactionRow } from "@/server/domains/transactions/record";
import type { Transaction } from "@/server/domains/transactions/schema";
import { settle } from "@/server/domains/transactions/settle";
import type { Actor, CallRequest } from "@/server/kit/context";
import type { TestUser, World } from "./world";

export type CreateInput = z.input<typeof createTransaction.input>;

export const create = (
  world: World,
  actor: Actor,
  input: CreateInput,
  request?: Partial<CallRequest>,
): Promise<Transaction> => world.call(createTransaction, actor, input, request);

/** Puts money on the user's account, as an offline payment recorded by the organization's admin. */
export const earn = (world: World, { actor, accountId }: TestUser, amount: number, currency = "EUR") =>
  create(world, actor, { type: "payment", account_id: accountId, amount, currency });

/** Starts a charge at the sandbox provider: inserts the row that its result will settle. */
export async function beginCharge(
  world: World,
  { accountId, actor }: TestUser,
  given: Partial<NewTransactionRow> = {},
): Promise<TransactionRow> {
  const organizationId = actor.type === "anonymous" ? "" : actor.organizationId;
  const row = await inBackground(world.runtime, "test.charge", async (ctx) => {
    const id = ctx.id("txn");
    ctx.audit({ target: id, organizationId });
    return insertTransaction(ctx, {
      id,
      organizationId,
      accountId,
      type: "payment",
      status: "processing",
      direction: "in",
      amount: 1000,
      currency: "EUR",
      livemode: false,
      provider: "sandbox",
      ...given,
    });
  });
  if (!row) throw new Error("The charge has already been started.");
  return row;
}

/** Settles a provider's result for a transaction. */
export const settleNow = (world: World, id: string, result: ProviderResult): Promise<TransactionRow> =>
  inBackground(world.runtime, "test.settle", (ctx) => {
    ctx.audit({ target: id });
    return settle(ctx, id, result);
  });

export async function rowOf(world: World, id: string): Promise<TransactionRow> {
  const [row] = await world.runtime.db.read.select().from(transactions).where(eq(transactions.id, id));
  if (!row) throw new Error(`No transaction ${id}.`);
  return row;
}

/** An owner's balances in a currency by ledger account name, parts added up, zeros left out. */
export async function balancesOf(world: World, ownerId: string, currency = "EUR"): Promise<Record<string, number>> {
  const rows = await world.runtime.db.read
    .select({ name: ledgerAccounts.name, balance: ledgerAccounts.balance })
    .from(ledgerAccounts)
    .where(
      and(
        or(eq(ledgerAccounts.accountId, ownerId), like(ledgerAccounts.id, `${ownerId}/%`)),
        eq(ledgerAccounts.currency, currency),
      ),
    );
  const sums: Record<string, number> = {};
  for (const { name, balance } of rows) sums[name] = (sums[name] ?? 0) + balance;
  return Object.fromEntries(Object.entries(sums).filter(([, balance]) => balance !== 0));
}

/** The events of a transaction's journals, in order of posting. */
export async function journalEventsOf(world: World, transactionId: string): Promise<string[]> {
  const rows = await world.runtime.db.read
    .select({ id: journals.id, event: journals.event, sequence: sql`min(${postings.sequence})`.mapWith(Number) })
    .from(journals)
    .innerJoin(postings, eq(postings.journalId, journals.id))
    .innerJoin(ledgerAccounts, eq(ledgerAccounts.id, postings.ledgerAccountId))
    .where(and(eq(journals.transactionId, transactionId), isNotNull(ledgerAccounts.accountId)))
    .groupBy(journals.id, journals.event);
  return rows.sort((a, b) => a.sequence - b.sequence).map((row) => row.event);
}

/** Throws unless the whole ledger is proved sound, by the reader that shares no code with the writer. */
export async function expectSoundLedger({ runtime, database }: World): Promise<void> {
  const proof = await verifyLedger(database.url, runtime.keys);
  if (!proof.ok) throw new Error(`The ledger is not sound: ${JSON.stringify(proof.fault)}`);
}
