// Finds attempts: the transactions that pay, or try to pay, a payment request.
import { and, asc, desc, eq, inArray, isNotNull, isNull, ne, notInArray, type SQL } from "drizzle-orm";
import type { Reader, Tx } from "@/db/client";
import { preparedOne, slot } from "@/db/prepared";
import { payments, storedMethods, transactions } from "@/db/tables";
import { methodByKey, onPageOf } from "./methods/store";

export type AttemptRow = typeof transactions.$inferSelect;

const byKey = preparedOne("payments.attempt_by_key", (tx: Tx) =>
  tx
    .select()
    .from(transactions)
    .where(eq(transactions.attemptKey, slot("attemptKey"))),
);

/** The attempt of a form, for a payer who sends the form again. */
interface KnownAttempt {
  paymentId: string | null;
  actionUrl: string | null;
}

/** The attempt that was made with a pay form's one-time token, to pay or to store a card. */
export const findAttempt = async (tx: Tx, attemptKey: string): Promise<KnownAttempt | undefined> =>
  (await byKey(tx, { attemptKey })) ?? methodByKey(tx, attemptKey);

/** The newest use of a reusable link that one of these forms began and that may still take money; none of `except`. */
export async function findUseUnderWay(
  q: Reader,
  linkId: string,
  attemptKeys: readonly string[],
  except: readonly string[],
): Promise<typeof payments.$inferSelect | undefined> {
  const begun = q
    .select({ id: transactions.paymentId })
    .from(transactions)
    .where(inArray(transactions.attemptKey, [...attemptKeys]));
  const [row] = await q
    .select()
    .from(payments)
    .where(
      and(
        inArray(payments.id, begun),
        notInArray(payments.id, [...except]),
        eq(payments.parentPaymentId, linkId),
        eq(payments.place, "held"),
        // An authorized payment has succeeded: the next one from the same browser is another use.
        ne(payments.status, "authorized"),
      ),
    )
    .orderBy(desc(payments.id))
    .limit(1);
  return row;
}

/** The payment request's open authorization holds. */
export const openHoldsOf = (tx: Tx, paymentId: string): Promise<AttemptRow[]> =>
  tx
    .select()
    .from(transactions)
    .where(
      and(
        eq(transactions.paymentId, paymentId),
        eq(transactions.type, "payment"),
        eq(transactions.status, "authorized"),
      ),
    )
    .orderBy(asc(transactions.id));

/**
 * Whether an attempt to pay is in progress, or authorized, for a payment request of one of the customers. Uses of reusable
 * links do not count: anybody can begin one with the customer's address, again and again.
 */
export async function isBeingPaid(tx: Tx, customerIds: readonly string[]): Promise<boolean> {
  const underWay = ["pending", "requires_action", "processing", "authorized"] as const;
  const [row] = await tx
    .select({ id: transactions.id })
    .from(payments)
    .innerJoin(transactions, eq(transactions.paymentId, payments.id))
    .where(
      and(
        inArray(payments.customerId, [...customerIds]),
        eq(transactions.type, "payment"),
        inArray(transactions.status, [...underWay]),
        isNull(payments.parentPaymentId),
      ),
    )
    .limit(1);
  return row !== undefined;
}

/** Up to `limit` uses of reusable links by one of the customers that wait for a confirmation and are not canceled. */
export async function findUnconfirmedUses(tx: Tx, customerIds: readonly string[], limit: number): Promise<string[]> {
  const rows = await tx
    .selectDistinct({ id: payments.id })
    .from(payments)
    .innerJoin(transactions, eq(transactions.paymentId, payments.id))
    .where(
      and(
        inArray(payments.customerId, [...customerIds]),
        isNotNull(payments.parentPaymentId),
        isNull(payments.canceledAt),
        eq(transactions.status, "requires_action"),
      ),
    )
    .orderBy(asc(payments.id))
    .limit(limit);
  return rows.map(({ id }) => id);
}

/** An attempt that waits for the payer's confirmation. */
export interface Challenged {
  id: string;
  provider: string | null;
  providerReference: string | null;
  livemode: boolean;
  createdAt: number;
  /** The kind of the job that looks it up. */
  lookUp: "payments.lookup" | "payments.look_up_method";
}

/** The attempt to store a card that meets the condition and waits for the payer's confirmation, if any. */
export async function challengedMethodOf(tx: Tx, condition: SQL | undefined): Promise<Challenged | undefined> {
  const [method] = await tx
    .select()
    .from(storedMethods)
    .where(and(condition, eq(storedMethods.status, "requires_action")));
  return method && { ...method, providerReference: method.attemptReference, lookUp: "payments.look_up_method" };
}

/** The payment request's attempt that waits for the payer's confirmation, if any. */
export async function challengedAttemptOf(
  tx: Tx,
  { id: paymentId, isTrial }: Pick<typeof payments.$inferSelect, "id" | "isTrial">,
): Promise<Challenged | undefined> {
  if (isTrial) return challengedMethodOf(tx, onPageOf(paymentId));
  const [row] = await tx
    .select()
    .from(transactions)
    .where(and(eq(transactions.paymentId, paymentId), eq(transactions.status, "requires_action")))
    .orderBy(asc(transactions.id));
  return row && { ...row, lookUp: "payments.lookup" };
}
