// Customers' credit: what each credit was made of, what is left of it, and what transactions did with it.
import { and, asc, eq, gt, inArray, type SQL, sql, sum } from "drizzle-orm";
import type { Reader, Tx } from "@/db/client";
import { lock, lockWhere } from "@/db/lock";
import { customerCredits, customerCreditUses, organizations } from "@/db/tables";
import type { Share } from "./credit-rules";

export type CreditRow = typeof customerCredits.$inferSelect;
type CreditUse = typeof customerCreditUses.$inferSelect;

/** Whose credit of one currency, real money or not. */
export interface CreditHolder {
  customerId: string;
  currency: string;
  livemode: boolean;
}

// A literal, as in the condition of the partial index.
const isLeft = sql`${customerCredits.amountLeft} > 0`;

const isOfHolder = ({ customerId, currency, livemode }: CreditHolder): SQL | undefined =>
  and(
    eq(customerCredits.customerId, customerId),
    eq(customerCredits.currency, currency),
    eq(customerCredits.livemode, livemode),
    isLeft,
  );

/** Inserts a credit of which nothing has been spent. */
export async function insertCredit(tx: Tx, credit: Omit<CreditRow, "amountLeft" | "amountSpent">): Promise<void> {
  await tx.insert(customerCredits).values({ ...credit, amountLeft: credit.amount, amountSpent: 0 });
}

/** The credits that were made of these payments, by the payment. */
export async function findCredits(q: Reader | Tx, ids: readonly string[]): Promise<ReadonlyMap<string, CreditRow>> {
  if (ids.length === 0) return new Map();
  const rows = await q
    .select()
    .from(customerCredits)
    .where(inArray(customerCredits.id, [...ids]));
  return new Map(rows.map((row) => [row.id, row]));
}

/** Locks credits until the transaction ends, and reads them, oldest first. */
export async function lockCredits(tx: Tx, ids: readonly string[]): Promise<CreditRow[]> {
  if (ids.length === 0) return [];
  await lock(tx, customerCredits, ids);
  return tx
    .select()
    .from(customerCredits)
    .where(inArray(customerCredits.id, [...ids]))
    .orderBy(asc(customerCredits.createdAt), asc(customerCredits.id));
}

/** The ids of up to `limit` credits of which something is left, oldest first. */
export async function spendableIds(q: Reader | Tx, holder: CreditHolder, limit: number): Promise<string[]> {
  const rows = await q
    .select({ id: customerCredits.id })
    .from(customerCredits)
    .where(isOfHolder(holder))
    .orderBy(asc(customerCredits.createdAt), asc(customerCredits.id))
    .limit(limit);
  return rows.map(({ id }) => id);
}

/** What one transaction can spend of the holder's credits, the oldest `limit` of them, in minor units. */
export async function spendableCredit(q: Reader | Tx, holder: CreditHolder, limit: number): Promise<number> {
  const oldest = q
    .select({ left: customerCredits.amountLeft })
    .from(customerCredits)
    .where(isOfHolder(holder))
    .orderBy(asc(customerCredits.createdAt), asc(customerCredits.id))
    .limit(limit)
    .as("oldest");
  const [row] = await q.select({ amount: sum(oldest.left).mapWith(Number) }).from(oldest);
  return row?.amount ?? 0;
}

/** What is left of each customer's credits in its organization's current mode, by currency in alphabetical order. */
export async function creditOfMany(
  q: Reader | Tx,
  customerIds: readonly string[],
): Promise<(customerId: string) => { currency: string; amount: number }[]> {
  if (customerIds.length === 0) return () => [];
  const { customerId, currency, amountLeft, livemode, organizationId } = customerCredits;
  const rows = await q
    .select({ customerId, currency, amount: sum(amountLeft).mapWith(Number) })
    .from(customerCredits)
    .innerJoin(organizations, eq(organizations.id, organizationId))
    .where(and(inArray(customerId, [...customerIds]), isLeft, sql`${livemode} = (${organizations.mode} = 'live')`))
    .groupBy(customerId, currency)
    .orderBy(asc(currency));
  return (id) =>
    rows.filter((row) => row.customerId === id).map(({ currency: of, amount }) => ({ currency: of, amount }));
}

/** Whether something is left of the credit of one of these customers, in any mode. */
export async function haveCredit(q: Reader | Tx, customerIds: readonly string[]): Promise<boolean> {
  const found = q
    .select({ id: customerCredits.id })
    .from(customerCredits)
    .where(and(inArray(customerCredits.customerId, [...customerIds]), isLeft));
  return (await found.limit(1)).length > 0;
}

/** Adds to what is left and what is spent of a credit that the caller has locked. */
export async function changeCredit(tx: Tx, id: string, left: number, spent: number): Promise<void> {
  const { amountLeft, amountSpent } = customerCredits;
  await tx
    .update(customerCredits)
    .set({ amountLeft: sql`${amountLeft} + ${left}`, amountSpent: sql`${amountSpent} + ${spent}` })
    .where(eq(customerCredits.id, id));
}

/** Records what a transaction does with credits. */
export async function insertUses(
  tx: Tx,
  transactionId: string,
  kind: CreditUse["kind"],
  shares: readonly Share[],
): Promise<void> {
  await tx
    .insert(customerCreditUses)
    .values(shares.map(({ id: creditId, amount }) => ({ transactionId, creditId, kind, amount })));
}

/** What a transaction did with credits. */
export const usesOf = (q: Reader | Tx, transactionId: string): Promise<CreditUse[]> =>
  q
    .select()
    .from(customerCreditUses)
    .where(eq(customerCreditUses.transactionId, transactionId))
    .orderBy(asc(customerCreditUses.creditId));

/** Records that a refund gave back a part of what a payment, which the caller has locked, spent of a credit. */
export async function countGivenBack(tx: Tx, transactionId: string, { id, amount }: Share): Promise<void> {
  const { amountGivenBack, creditId } = customerCreditUses;
  await tx
    .update(customerCreditUses)
    .set({ amountGivenBack: sql`${amountGivenBack} + ${amount}` })
    .where(and(eq(customerCreditUses.transactionId, transactionId), eq(creditId, id)));
}

/** Removes what a refund took of a credit, because the refund failed. */
export async function deleteUses(tx: Tx, transactionId: string): Promise<void> {
  await tx.delete(customerCreditUses).where(eq(customerCreditUses.transactionId, transactionId));
}

/** A sum of credits in one currency that moves to another customer. */
interface MovedCredit {
  organizationId: string;
  accountId: string;
  currency: string;
  livemode: boolean;
  amount: number;
  /** The newest of the credits. */
  newestId: string;
}

/** Locks all credits of a customer, which no other may get meanwhile, and adds up what is left of them by currency. */
export async function lockAllCredits(tx: Tx, customerId: string): Promise<MovedCredit[]> {
  const c = customerCredits;
  await lockWhere(tx, c, eq(c.customerId, customerId));
  return tx
    .select({
      organizationId: c.organizationId,
      accountId: c.accountId,
      currency: c.currency,
      livemode: c.livemode,
      amount: sum(c.amountLeft).mapWith(Number),
      newestId: sql<string>`max(${c.id})`,
    })
    .from(c)
    .where(and(eq(c.customerId, customerId), gt(c.amountLeft, 0)))
    .groupBy(c.organizationId, c.accountId, c.currency, c.livemode)
    .orderBy(asc(c.currency));
}

/** Gives all credits of a customer to another, also those of which nothing is left. The caller has locked them. */
export async function reassignCredits(tx: Tx, from: string, to: string): Promise<void> {
  await tx.update(customerCredits).set({ customerId: to }).where(eq(customerCredits.customerId, from));
}
