// The money of accounts: one query over balances posted in the ledger and processing payments.
import { and, eq, inArray, sql } from "drizzle-orm";
import { bySize, idSlots, inBatches } from "@/db/batches";
import type { Reader } from "@/db/client";
import { prepared, preparedOne, slot } from "@/db/prepared";
import { ledgerAccounts, organizations, transactions } from "@/db/tables";

/** One part of an account's money: the balance of a ledger account, or the sum of its processing payments. */
export interface BalancePart {
  accountId: string;
  currency: string;
  name: string;
  amount: number;
}

/** Payments that their provider is processing, or that wait for the payer's confirmation. */
const isUnderWay = sql`${transactions.status} in ('processing', 'requires_action')`;

const balanceStatement = bySize((size) =>
  prepared(`transactions_balances_${size}`, (q: Reader) => {
    const posted = q
      .select({
        accountId: sql<string>`${ledgerAccounts.accountId}`.as("account_id"),
        currency: sql<string>`${ledgerAccounts.currency}`.as("currency"),
        name: sql<string>`${ledgerAccounts.name}`.as("name"),
        amount: sql<number>`${ledgerAccounts.balance}`.mapWith(Number).as("amount"),
      })
      .from(ledgerAccounts)
      .innerJoin(organizations, eq(organizations.id, ledgerAccounts.organizationId))
      .where(and(inArray(ledgerAccounts.accountId, idSlots(size)), isOfMode(ledgerAccounts.livemode)));
    const processing = q
      .select({
        accountId: sql<string>`${transactions.accountId}`.as("account_id"),
        currency: sql<string>`${transactions.currency}`.as("currency"),
        name: sql<string>`'processing'`.as("name"),
        amount: sql<number>`cast(sum(${transactions.amount}) as bigint)`.mapWith(Number).as("amount"),
      })
      .from(transactions)
      .innerJoin(organizations, eq(organizations.id, transactions.organizationId))
      .where(
        and(
          inArray(transactions.accountId, idSlots(size)),
          // The first condition is implied by the second; it tells both planners that the partial index applies.
          isUnderWay,
          eq(transactions.status, "processing"),
          eq(transactions.type, "payment"),
          isOfMode(transactions.livemode),
        ),
      )
      .groupBy(transactions.accountId, transactions.currency);
    return posted.unionAll(processing);
  }),
);

/** The condition for money of the joined organization's current mode. */
const isOfMode = (livemode: typeof ledgerAccounts.livemode | typeof transactions.livemode) =>
  sql`${livemode} = (${organizations.mode} = 'live')`;

/** The parts of these accounts' money. One statement, so that a page of accounts shows one instant. */
export const balanceParts = (q: Reader, accountIds: readonly string[]): Promise<BalancePart[]> =>
  inBatches(accountIds, (batch) => balanceStatement(batch.length)(q, batch));

const underWayStatement = preparedOne("transactions_under_way", (q: Reader) =>
  q
    .select({ amount: sql<number>`cast(coalesce(sum(${transactions.amount}), 0) as bigint)`.mapWith(Number) })
    .from(transactions)
    // The statuses are literals, not parameters: only then do both planners know that the partial index applies.
    .where(
      and(
        eq(transactions.accountId, slot("accountId")),
        eq(transactions.currency, slot("currency")),
        isUnderWay,
        eq(transactions.type, "payment"),
      ),
    ),
);

/** The money that attempts in progress may bring to an account, in minor units. */
export const amountUnderWay = async (q: Reader, accountId: string, currency: string): Promise<number> =>
  (await underWayStatement(q, { accountId, currency }))?.amount ?? 0;
