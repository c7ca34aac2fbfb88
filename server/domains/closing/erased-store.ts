// Finds the mails to erase with a customer, and which records of responses have been erased since.
import { and, asc, eq, gt, gte, inArray, isNotNull, isNull, lte, ne, or, sql } from "drizzle-orm";
import type { Reader, Tx } from "@/db/client";
import { beginsWith } from "@/db/prefix";
import { creditNotes, customers, invoices, jobs, mails, payments, transactions } from "@/db/tables";

/** By what mails to erased customers are found. */
interface Recipients {
  organizationId: string;
  accountId: string;
  customerIds: readonly string[];
  /** Folded addresses of these customers alone. */
  emailKeys: readonly string[];
  /** Epoch ms. */
  erasedAt: number;
}

/**
 * The ids of up to `limit` mails from the account to these addresses after an id, in id order. Those about payment
 * requests to other customers, who named the same address there, are not among them.
 */
export async function findMailsTo(
  tx: Tx,
  { organizationId, accountId, customerIds, emailKeys, erasedAt }: Recipients,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  if (emailKeys.length === 0) return [];
  const rows = await tx
    .select({ id: mails.id })
    .from(mails)
    .leftJoin(payments, eq(payments.id, mails.paymentId))
    .where(
      and(
        eq(mails.organizationId, organizationId),
        // The index of addresses is in byte order, as prefixes are.
        or(...emailKeys.map((key) => and(beginsWith(mails.toKey, key), eq(mails.toKey, key)))),
        eq(mails.accountId, accountId),
        isNull(mails.userId),
        lte(mails.createdAt, erasedAt),
        gt(mails.id, after),
        // Also true without a payment request. One whose address is another now was addressed anew after the mail.
        or(
          isNull(payments.customerId),
          inArray(payments.customerId, [...customerIds]),
          isNull(payments.customerEmailKey),
          ne(payments.customerEmailKey, mails.toKey),
        ),
      ),
    )
    .orderBy(asc(mails.id))
    .limit(limit);
  return rows.map(({ id }) => id);
}

/** The customers among those with these ids that have been erased. */
export const findErasedCustomers = (q: Reader, ids: readonly string[]) =>
  q
    .select()
    .from(customers)
    .where(and(inArray(customers.id, [...ids]), isNotNull(customers.erasedAt)));

/** The progress of the erasures that began at `since` (epoch ms) or later, of customers of the account, and go on. */
export async function erasuresSince(q: Reader, accountId: string, since: number) {
  const isGoingOn = eq(jobs.key, sql`'customers.erase:' || ${customers.id}`);
  const rows = await q
    .select({ progress: jobs.progress })
    .from(customers)
    .innerJoin(jobs, isGoingOn)
    .where(and(eq(customers.accountId, accountId), gte(customers.erasedAt, since)));
  return rows.map(({ progress }) => progress);
}

/** The snapshots of payment requests. */
export const snapshotsOfPayments = (q: Reader, ids: readonly string[]) =>
  q
    .select({ id: payments.id, customer: payments.customer, customerId: payments.customerId })
    .from(payments)
    .where(inArray(payments.id, [...ids]));

/** The snapshots of transactions. */
export const snapshotsOfTransactions = (q: Reader, ids: readonly string[]) =>
  q
    .select({ id: transactions.id, customer: transactions.customer })
    .from(transactions)
    .where(inArray(transactions.id, [...ids]));

/**
 * The numbers of up to `limit` invoices to these customers, and then of their credit notes, the oldest first: their
 * records keep what they say, as long as the organization has chosen. A credit note that was made after its invoice had
 * been erased never said anything about the customer.
 */
export async function keptPapers(q: Reader, customerIds: readonly string[], limit: number): Promise<string[]> {
  const numbers = await keptInvoices(q, customerIds, limit);
  const notes = await q
    .select({ record: creditNotes.record })
    .from(creditNotes)
    .innerJoin(payments, eq(payments.id, creditNotes.paymentId))
    .innerJoin(invoices, eq(invoices.paymentId, creditNotes.paymentId))
    .where(
      and(
        inArray(payments.customerId, [...customerIds]),
        isNull(creditNotes.erasedAt),
        or(isNull(invoices.erasedAt), lte(creditNotes.createdAt, invoices.erasedAt)),
      ),
    )
    .orderBy(asc(creditNotes.createdAt), asc(creditNotes.id))
    .limit(limit - numbers.length);
  return [...numbers, ...notes.map(({ record }) => record.number)];
}

async function keptInvoices(q: Reader, customerIds: readonly string[], limit: number): Promise<string[]> {
  const rows = await q
    .select({ number: payments.invoiceNumber })
    .from(payments)
    .innerJoin(invoices, eq(invoices.paymentId, payments.id))
    .where(and(inArray(payments.customerId, [...customerIds]), isNull(invoices.erasedAt)))
    .orderBy(asc(payments.createdAt), asc(payments.id))
    .limit(limit);
  return rows.flatMap(({ number }) => number ?? []);
}
