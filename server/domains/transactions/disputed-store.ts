// Finds the accounts with disputes, along the partial index that has no others.
import { type AnyColumn, and, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Reader } from "@/db/client";
import { transactions } from "@/db/tables";

/** The condition that a payment of the account of this id is disputed, or was lost. */
export const isDisputedAccount = (q: Reader, organizationId: string, accountId: AnyColumn): SQL =>
  inArray(
    accountId,
    q
      .select({ id: transactions.accountId })
      .from(transactions)
      // Literals, as in the index.
      .where(and(eq(transactions.organizationId, organizationId), sql`dispute_status in ('open', 'lost')`)),
  );
