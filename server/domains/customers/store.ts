// Rows of customers and their search words: found, locked and written.
import { and, asc, eq, inArray, notInArray, sql } from "drizzle-orm";
import type { Reader, Tx } from "@/db/client";
import { isUniqueViolation, LostRace } from "@/db/errors";
import { keepOutOfOrder, lock } from "@/db/lock";
import { preparedOne, slot } from "@/db/prepared";
import { preparedByShape } from "@/db/shapes";
import { accounts, customers, customerWords } from "@/db/tables";
import { isInScope } from "@/server/domains/accounts/rules";
import type { Scope } from "@/server/kit/context";
import { isId } from "@/server/kit/ids";
import { type CustomerContent, customerWordsOf, emailKeyOf, emptyContent } from "./rules";

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
  const [row] = await lockCustomers(tx, scope, [id]);
  return row;
}

/** The customers if the scope sees them all, in the order of the ids, locked until the transaction ends; else none. */
export async function lockCustomers(tx: Tx, scope: Scope, ids: readonly string[]): Promise<CustomerRow[]> {
  const find = async () => {
    const rows: CustomerRow[] = [];
    for (const id of ids) {
      const row = await findCustomer(tx, scope, id);
      if (row) rows.push(row);
    }
    return rows.length === ids.length ? rows : [];
  };
  if ((await find()).length === 0) return [];
  await lock(tx, customers, ids);
  return find();
}

const states = preparedByShape<{ ids: readonly string[] }, Pick<CustomerRow, "id" | "mergedInto" | "erasedAt">[]>(
  (q, { ids }) =>
    q
      .select({ id: customers.id, mergedInto: customers.mergedInto, erasedAt: customers.erasedAt })
      .from(customers)
      .where(inArray(customers.id, [...ids])),
);

type Keep = (tx: Tx, ids: readonly string[]) => Promise<void>;

const inOrder: Keep = (tx, ids) => lock(tx, customers, ids, "keep");

/** For a transaction that has locked payment requests, which come later in the order of locks. */
export const outOfOrder: Keep = (tx, ids) => keepOutOfOrder(tx, customers, ids);

/**
 * Keeps the customers from being merged or erased until the transaction ends, because it is going to name them. The
 * transaction runs again if that has happened since they were found.
 */
export async function keepCustomers(tx: Tx, ids: readonly string[], keep: Keep = inOrder): Promise<void> {
  if (ids.length === 0) return;
  await keep(tx, ids);
  const rows = await states(tx, { ids });
  if (rows.some(({ mergedInto, erasedAt }) => mergedInto !== null || erasedAt !== null)) {
    throw new LostRace(new Error("A customer was merged or erased meanwhile."));
  }
}

const readOne = preparedOne("customers_read", (q: Reader) =>
  q
    .select()
    .from(customers)
    .where(eq(customers.id, slot("id"))),
);

/** The customer, of any organization. */
export const readCustomer = (q: Reader, id: string): Promise<CustomerRow | undefined> => readOne(q, { id });

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

/** The account's customer with this reference, which may have been merged. */
export const findByReference = (q: Reader, accountId: string, reference: string): Promise<CustomerRow | undefined> =>
  byReference(q, { accountId, reference });

/** The account's oldest customer with this folded e-mail, which may have been merged. */
export const findByEmail = (q: Reader, accountId: string, emailKey: string): Promise<CustomerRow | undefined> =>
  byEmail(q, { accountId, emailKey });

/** Whether the account has a customer with this folded e-mail besides these. */
export async function isEmailOfOthers(
  q: Reader,
  accountId: string,
  emailKey: string,
  ids: readonly string[],
): Promise<boolean> {
  const others = q
    .select({ id: customers.id })
    .from(customers)
    .where(
      and(eq(customers.accountId, accountId), eq(customers.emailKey, emailKey), notInArray(customers.id, [...ids])),
    );
  return (await others.limit(1)).length > 0;
}

interface NewCustomer extends CustomerContent {
  id: string;
  organizationId: string;
  accountId: string;
  requestEmailKey: string | null;
  createdAt: number;
  updatedAt: number;
}

const mergedOnes = preparedByShape<{ ids: readonly string[] }, CustomerRow[]>((q, { ids }) =>
  q
    .select()
    .from(customers)
    .where(inArray(customers.mergedInto, [...ids])),
);

/** The customers that were merged into it. */
export const findMerged = (q: Reader, id: string): Promise<CustomerRow[]> => mergedOnes(q, { ids: [id] });

/** The ids of the customer and of those that were merged into it. */
export const familyOf = async (q: Reader, id: string): Promise<string[]> => [
  id,
  ...(await findMerged(q, id)).map((merged) => merged.id),
];

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
  await rewriteWords(tx, updated);
  return updated;
}

/**
 * Records that one customer was merged into another; both are locked. It keeps its reference and address, by which
 * payment requests find the other, and its words become those of the other.
 */
export async function markMerged(
  tx: Tx,
  { row, into, now }: { row: CustomerRow; into: CustomerRow; now: number },
): Promise<CustomerRow> {
  const updatedAt = Math.max(now, row.updatedAt + 1);
  const [merged] = await tx
    .update(customers)
    .set({ mergedInto: into.id, updatedAt })
    .where(eq(customers.id, row.id))
    .returning();
  if (!merged) throw new Error(`The customer ${row.id} is gone although it was locked.`);
  // Those that were merged into it before lead to the survivor too, in one step.
  await tx.update(customers).set({ mergedInto: into.id }).where(eq(customers.mergedInto, row.id));
  await tx.delete(customerWords).where(eq(customerWords.customerId, row.id));
  await rewriteWords(tx, into);
  return merged;
}

/** Erases what identifies the customers, which the caller has locked. Their rows stay. */
export async function eraseCustomers(tx: Tx, ids: readonly string[], now: number): Promise<void> {
  await tx.delete(customerWords).where(inArray(customerWords.customerId, [...ids]));
  const keys = { emailKey: null, requestEmailKey: null };
  await tx
    .update(customers)
    .set({ ...emptyContent, address: sql`null`, ...keys, updatedAt: now, erasedAt: now })
    .where(inArray(customers.id, [...ids]));
}

/** Takes its reference from a customer that was merged into another, which is going to have it itself. */
export async function giveUpReference(tx: Tx, id: string): Promise<void> {
  await tx.update(customers).set({ reference: null }).where(eq(customers.id, id));
}

async function rewriteWords(tx: Tx, row: CustomerRow): Promise<void> {
  await tx.delete(customerWords).where(eq(customerWords.customerId, row.id));
  await insertWords(tx, row, await findMerged(tx, row.id));
}

/** Its own words, and those of the customers that were merged into it. */
async function insertWords(tx: Tx, row: CustomerRow, merged: readonly CustomerRow[] = []): Promise<void> {
  const { id: customerId, organizationId } = row;
  const words = [...new Set([row, ...merged].flatMap(customerWordsOf))];
  if (words.length > 0) {
    await tx.insert(customerWords).values(words.map((word) => ({ customerId, organizationId, word })));
  }
}
