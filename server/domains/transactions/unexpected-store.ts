// Finds the transactions whose provider reported a dispute that could not be booked.
import { and, desc, eq, sql } from "drizzle-orm";
import type { Reader } from "@/db/client";
import type { UnexpectedDispute } from "@/db/schema/values";
import { accounts, transactions } from "@/db/tables";
import type { Scope } from "@/server/kit/context";

interface Unexpected {
  id: string;
  /** Epoch ms. */
  at: number;
  dispute: UnexpectedDispute;
}

/** Those in the scope that nobody has looked into yet, the latest payment first. */
export async function listUnexpected(
  q: Reader,
  { organizationId, ownerUserId, accountId }: Scope,
  limit: number,
): Promise<Unexpected[]> {
  const rows = await q
    .select({
      id: transactions.id,
      at: transactions.unexpectedDisputeAt,
      dispute: transactions.unexpectedDispute,
    })
    .from(transactions)
    .innerJoin(accounts, eq(accounts.id, transactions.accountId))
    .where(
      and(
        eq(transactions.organizationId, organizationId),
        // A literal, as in the index.
        sql`${transactions.unexpectedDisputeAt} is not null`,
        ownerUserId === null ? undefined : eq(accounts.ownerUserId, ownerUserId),
        accountId === null ? undefined : eq(accounts.id, accountId),
      ),
    )
    .orderBy(desc(transactions.createdAt), desc(transactions.id))
    .limit(limit);
  return rows.flatMap(({ id, at, dispute }) => (at === null || dispute === null ? [] : [{ id, at, dispute }]));
}
