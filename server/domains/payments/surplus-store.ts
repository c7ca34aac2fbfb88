// Reads the surplus of payment requests: how much of it is left, and which payments can refund it.
import { and, asc, desc, eq, gt, inArray, sql } from "drizzle-orm";
import type { Reader } from "@/db/client";
import { prepared, slot } from "@/db/prepared";
import { accounts, customerCredits, payments, transactions } from "@/db/tables";
import type { Scope } from "@/server/kit/context";
import type { PaymentRow } from "./store";
import { refundableAmount } from "./transaction-ids-store";

const surpluses = prepared("payments.surplus_refunds", (q: Reader) =>
  q
    .select({ status: transactions.status, amount: transactions.amountSurplus })
    .from(transactions)
    .where(
      and(
        eq(transactions.paymentId, slot("id")),
        eq(transactions.type, "refund"),
        inArray(transactions.status, ["pending", "succeeded"]),
        gt(transactions.amountSurplus, 0),
      ),
    ),
);

async function surplusOf(q: Reader, paymentId: string, status: "pending" | "succeeded"): Promise<number> {
  const rows = await surpluses(q, { id: paymentId });
  return rows.reduce((sum, row) => sum + (row.status === status ? row.amount : 0), 0);
}

/** Minor units of the payment request's surplus that have been refunded. */
export const surplusRefunded = (q: Reader, paymentId: string): Promise<number> => surplusOf(q, paymentId, "succeeded");

/** Minor units of the payment request's surplus that pending refunds will return. */
export const surplusRefunding = (q: Reader, paymentId: string): Promise<number> => surplusOf(q, paymentId, "pending");

/** The condition for overpaid payment requests in the scope. A literal, as in the condition of the partial index. */
function overpaidIn({ organizationId, ownerUserId, accountId }: Scope) {
  return and(
    eq(payments.organizationId, organizationId),
    sql`${payments.amountOverpaid} > 0`,
    ownerUserId === null ? undefined : eq(accounts.ownerUserId, ownerUserId),
    accountId === null ? undefined : eq(accounts.id, accountId),
  );
}

/** Overpaid payment requests in the scope, oldest first. */
export async function listOverpaid(q: Reader, scope: Scope, limit: number): Promise<PaymentRow[]> {
  const rows = await q
    .select({ payment: payments })
    .from(payments)
    .innerJoin(accounts, eq(accounts.id, payments.accountId))
    .where(overpaidIn(scope))
    .orderBy(asc(payments.createdAt), asc(payments.id))
    .limit(limit);
  return rows.map((row) => row.payment);
}

/** The number of overpaid payment requests in the scope. */
export async function countOverpaid(q: Reader, scope: Scope): Promise<number> {
  const [row] = await q
    .select({ count: sql`count(*)`.mapWith(Number) })
    .from(payments)
    .innerJoin(accounts, eq(accounts.id, payments.accountId))
    .where(overpaidIn(scope));
  return row?.count ?? 0;
}

/**
 * The payment request's payments of which surplus can still be refunded, latest first: not those whose refund would
 * first take back credit of the customer.
 */
export function listRefundable(q: Reader, paymentId: string): Promise<{ id: string; left: number }[]> {
  return q
    .select({ id: transactions.id, left: refundableAmount.mapWith(Number) })
    .from(transactions)
    .leftJoin(customerCredits, eq(customerCredits.id, transactions.id))
    .where(
      and(
        eq(transactions.paymentId, paymentId),
        eq(transactions.type, "payment"),
        gt(refundableAmount, 0),
        sql`coalesce(${customerCredits.amountLeft}, 0) = 0`,
      ),
    )
    .orderBy(desc(transactions.settledAt), desc(transactions.id));
}
