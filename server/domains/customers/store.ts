// Rows of customers and their search words: found, locked and written.
import { and, asc, eq } from "drizzle-orm";
import type { Reader, Tx } from "@/db/client";
import { isUniqueViolation, LostRace } from "@/db/errors";
import { lock } from "@/db/lock";
import { preparedOne, slot } from "@/db/prepared";
import { accounts, customers, customerWords } from "@/db/tables";
import { isInScope } from "@/server/domains/accounts/rules";
import type { Scope } from "@/server/kit/context";
import { isId } from "@/server/kit/ids";
import { type CustomerContent, customerWordsOf, emailKeyOf } from "./rules";

export type CustomerRow = typeof customers.$inferSelect;

const findById = preparedOne("customers_find", (q: Reader) =>
  q
    .select({ customer: customers, ownerUserId: accounts.ownerUserId })
    .from(customers)
    .innerJoin(accounts, eq(accounts.id, customers.accountId))
    .where(and(eq(customers.id, slot("id")), eq(customers.organizationId, slot("organizationId")))),
);

/** The customer, if the scope sees its account. */
export async function findCustomer(q: Reader, scope: Scope, id: string): Promise<CustomerRow | undefined> {
  if (!isId("cus", id)) return undefined;
  const found = await findById(q, { id, organizationId: scope.organizationId });
  if (!found) return undefined;
  const { customer, ownerUserId } = found;
  return isInScope(scope, { id: customer.accountId, ownerUserId }) ? customer : undefined;
}

/** The customer if the scope sees it, locked until the transaction ends. */
export async function lockCustomer(tx: Tx, scope: Scope, id: string): Promise<CustomerRow | undefined> {
  const seen = await findCustomer(tx, scope, id);
  if (!seen) return undefined;
  await lock(tx, customers, [seen.id]);
  return findCustomer(tx, scope, id);
}

const byReference = preparedOne("customers_by_reference", (q: Reader) =>
  q
    .select()
    .from(customers)
    .where(and(eq(customers.accountId, slot("accountId")), eq(customers.reference, slot("reference")))),
);

const byEmail = preparedOne("customers_by_email", (q: Reader) =>
  q
    .select()
    .from(customers)
    .where(and(eq(customers.accountId, slot("accountId")), eq(customers.emailKey, slot("emailKey"))))
    .orderBy(asc(customers.createdAt), asc(customers.id))
    .limit(1),
);

/** The account's customer with this reference. */
export const findByReference = (q: Reader, accountId: string, reference: string): Promise<CustomerRow | undefined> =>
  byReference(q, { accountId, reference });

/** The account's oldest customer with this folded e-mail. */
export const findByEmail = (q: Reader, accountId: string, emailKey: string): Promise<CustomerRow | undefined> =>
  byEmail(q, { accountId, emailKey });

interface NewCustomer extends CustomerContent {
  id: string;
  organizationId: string;
  accountId: string;
  requestEmailKey: string | null;
  createdAt: number;
  updatedAt: number;
}

/**
 * Inserts the customer with its search words; undefined if the account has one with its reference, or one that was made
 * for a payment request to its address.
 */
export async function insertCustomer(tx: Tx, row: NewCustomer): Promise<CustomerRow | undefined> {
  const [inserted] = await tx
    .insert(customers)
    .values({ ...row, emailKey: emailKeyOf(row.email) })
    .onConflictDoNothing()
    .returning();
  if (inserted) await insertWords(tx, inserted);
  return inserted;
}

/** Changes a customer that the caller has locked. The transaction runs again if another takes the reference meanwhile. */
export async function updateCustomer(
  tx: Tx,
  row: CustomerRow,
  content: CustomerContent,
  now: number,
): Promise<CustomerRow> {
  const emailKey = emailKeyOf(content.email);
  const requestEmailKey = row.requestEmailKey === emailKey ? emailKey : null;
  const updatedAt = Math.max(now, row.updatedAt + 1);
  const [updated] = await tx
    .update(customers)
    .set({ ...content, emailKey, requestEmailKey, updatedAt })
    .where(eq(customers.id, row.id))
    .returning()
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? new LostRace(error) : error;
    });
  if (!updated) throw new Error(`The customer ${row.id} is gone although it was locked.`);
  await tx.delete(customerWords).where(eq(customerWords.customerId, row.id));
  await insertWords(tx, updated);
  return updated;
}

async function insertWords(tx: Tx, row: CustomerRow): Promise<void> {
  const { id: customerId, organizationId } = row;
  const words = customerWordsOf(row);
  if (words.length > 0) {
    await tx.insert(customerWords).values(words.map((word) => ({ customerId, organizationId, word })));
  }
}
