// Customers' credit: made of a payment's surplus, spent oldest first, taken back and given back by refunds, and moved by
// merges. Locks the credits; the caller posts the journal of the movement.
import type { Tx } from "@/db/client";
import type { CreditPart } from "@/server/domains/ledger/rules";
import type { WriteContext } from "@/server/kit/context";
import { limits } from "@/server/kit/limits";
import { drawn, type Share, sumOf } from "./credit-rules";
import {
  type CreditHolder,
  type CreditRow,
  changeCredit,
  countGivenBack,
  deleteUses,
  findCredits,
  insertCredit,
  insertUses,
  lockCredits,
  spendableIds,
  usesOf,
} from "./credit-store";
import { keepCustomers, readCustomer } from "./store";

type NewCredit = Omit<CreditRow, "amountLeft" | "amountSpent" | "createdAt">;

/** Makes credit of a payment's surplus. The caller keeps the customer (`keepCustomers`). */
export const makeCredit = (ctx: Pick<WriteContext, "db" | "now">, credit: NewCredit): Promise<void> =>
  insertCredit(ctx.db, { ...credit, createdAt: ctx.now });

/** The payments of whose credit one transaction can spend a customer's, oldest first. The caller keeps the customer. */
export const creditSources = (tx: Tx, holder: CreditHolder): Promise<string[]> =>
  spendableIds(tx, holder, limits.creditSources);

/** The payments whose credit a payment was made of. */
export const sourcesOf = async (tx: Tx, paymentId: string): Promise<string[]> =>
  (await usesOf(tx, paymentId)).map(({ creditId }) => creditId);

/** Locks the credit that was made of these payments, and says what is left of each, oldest first. */
export async function holdCredit(tx: Tx, sources: readonly string[]): Promise<Share[]> {
  const rows = await lockCredits(tx, sources);
  return rows.map(({ id, amountLeft: amount }) => ({ id, amount }));
}

/**
 * Keeps the customer whose credit a payment was made of, so that a refund can give it back. False if it was erased. The
 * caller has not locked the payment yet.
 */
export async function keepHolderOf(tx: Tx, paymentId: string): Promise<boolean> {
  const [use] = await usesOf(tx, paymentId);
  const credit = use && (await findCredits(tx, [use.creditId])).get(use.creditId);
  const holder = credit && (await readCustomer(tx, credit.customerId));
  if (!holder) throw new Error(`The payment ${paymentId} was not made of credit.`);
  if (holder.erasedAt !== null) return false;
  await keepCustomers(tx, [holder.id]);
  return true;
}

/** Spends credit that `holdCredit` has locked, oldest first. Resolves to the payments that it was made of. */
export async function spendCredit(
  tx: Tx,
  transactionId: string,
  held: readonly Share[],
  amount: number,
): Promise<string[]> {
  const shares = drawn(held, amount);
  await insertUses(tx, transactionId, "spent", shares);
  for (const share of shares) await changeCredit(tx, share.id, -share.amount, share.amount);
  return shares.map(({ id }) => id);
}

/**
 * Takes credit back for a refund of its source: as much of `amount` as is left. Null if that is nothing. The caller has
 * locked the credit.
 */
export async function takeBack(
  tx: Tx,
  refundId: string,
  credit: CreditRow | undefined,
  amount: number,
): Promise<CreditPart | null> {
  const taken = Math.min(amount, credit?.amountLeft ?? 0);
  if (credit === undefined || taken === 0) return null;
  await insertUses(tx, refundId, "taken_back", [{ id: credit.id, amount: taken }]);
  await changeCredit(tx, credit.id, -taken, 0);
  return { customerId: credit.customerId, amount: taken };
}

/** What a refund took of its source's credit, which it locks; null if it took nothing. */
export async function takenBackBy(tx: Tx, refundId: string): Promise<CreditPart | null> {
  const [use] = (await usesOf(tx, refundId)).filter(({ kind }) => kind === "taken_back");
  const [credit] = use ? await lockCredits(tx, [use.creditId]) : [];
  return use && credit ? { customerId: credit.customerId, amount: use.amount } : null;
}

/** Returns to the credit what a refund took of it, because the refund failed. The caller has locked the credit. */
export async function undoTakeBack(tx: Tx, refundId: string): Promise<void> {
  for (const { creditId, amount } of await usesOf(tx, refundId)) await changeCredit(tx, creditId, amount, 0);
  await deleteUses(tx, refundId);
}

/**
 * Gives credit back for a refund of a payment that was made of it, to the credits that were spent: the newest first, so
 * that the oldest stay spent. The caller has locked the payment. `sources` are the payments that the credit was made of.
 */
export async function giveBack(
  tx: Tx,
  { refundId, paymentId, amount }: { refundId: string; paymentId: string; amount: number },
): Promise<CreditPart & { sources: string[] }> {
  const uses = new Map((await usesOf(tx, paymentId)).map((use) => [use.creditId, use]));
  const credits = await lockCredits(tx, [...uses.keys()]);
  const [first] = credits;
  if (!first) throw new Error(`The payment ${paymentId} was not made of credit.`);
  const open = credits.map(({ id }) => {
    const use = uses.get(id);
    return { id, amount: (use?.amount ?? 0) - (use?.amountGivenBack ?? 0) };
  });
  const shares = drawn(open.reverse(), amount);
  await insertUses(tx, refundId, "given_back", shares);
  for (const share of shares) {
    await countGivenBack(tx, paymentId, share);
    await changeCredit(tx, share.id, share.amount, -share.amount);
  }
  // A merge moves all credits of a customer together, so they still belong to one.
  return { customerId: first.customerId, amount: sumOf(shares), sources: shares.map(({ id }) => id) };
}
