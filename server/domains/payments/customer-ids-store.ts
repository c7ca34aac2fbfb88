// Which customers payment requests are addressed to, for the transactions that count towards them.
import {
  and,
  eq,
  inArray,
  isNotNull,
  notInArray,
  or,
  type Placeholder,
  type SQL,
  type SQLWrapper,
  sql,
} from "drizzle-orm";
import type { Reader, Tx } from "@/db/client";
import { customers, payments } from "@/db/tables";
import { unindexed } from "@/db/unindexed";
import type { SaidOfCustomer } from "@/server/domains/transactions/payment-requests";

/** The customers of these payment requests, by id: the survivors of those that were merged. */
export async function customersOf(q: Reader | Tx, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await q
    .select({ id: payments.id, customerId: sql<string>`coalesce(${customers.mergedInto}, ${customers.id})` })
    .from(payments)
    .innerJoin(customers, eq(customers.id, payments.customerId))
    .where(and(inArray(payments.id, [...ids]), isNotNull(payments.customerId)));
  return new Map(rows.map(({ id, customerId }) => [id, customerId]));
}

/** Selects the ids of the customer's payment requests: of all, or of the one with this id. */
export const idsOfCustomer = (q: Reader, customerId: Placeholder, id?: SQL): SQLWrapper =>
  q
    .select({ id: payments.id })
    .from(payments)
    .where(
      id === undefined
        ? eq(payments.customerId, customerId)
        : and(eq(payments.id, id), eq(unindexed(payments.customerId), customerId)),
    );

/**
 * Selects the id of the payment request if it says the same of its customer: the same address, which is none of
 * `notThese`, or the same address and reference.
 */
export const idsWithCustomer = (
  q: Reader,
  id: SQL,
  { emailKey, reference }: SaidOfCustomer,
  notThese: readonly string[],
): SQLWrapper => {
  const { customerEmailKey, customer } = payments;
  const hasAddress = and(sql`${customerEmailKey} = ${emailKey}`, notInArray(customerEmailKey, [...notThese]));
  const saysBoth = and(
    sql`${customerEmailKey} is not distinct from ${emailKey}`,
    sql`${customer}->>'reference' is not distinct from ${reference}`,
  );
  return q
    .select({ id: payments.id })
    .from(payments)
    .where(and(eq(payments.id, id), or(hasAddress, saysBoth)));
};
