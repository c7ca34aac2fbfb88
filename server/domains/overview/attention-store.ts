// Counts accounts and admins that need attention, along partial indices that hold no others.
import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Reader } from "@/db/client";
import { accounts, users } from "@/db/tables";
import { adminRoles } from "@/server/access/may";
import { mayBeInDebt } from "@/server/domains/accounts/debts";
import { isInDebt, isOrphaned } from "@/server/domains/accounts/search-store";

/** The condition of the partial index over active admins: literals, as in it. */
const isActiveAdmin = sql`${users.role} in (${sql.raw(adminRoles.map((role) => `'${role}'`).join(", "))}) and ${users.status} = 'active'`;

const countUpTo = async (q: Reader, table: typeof accounts | typeof users, where: SQL | undefined, most: number) =>
  (await q.select({ id: table.id }).from(table).where(where).limit(most)).length;

/** Open accounts of the organization whose owner was removed: at most `most`. */
export const countOrphaned = (q: Reader, organizationId: string, most: number): Promise<number> =>
  countUpTo(q, accounts, and(eq(accounts.organizationId, organizationId), isOrphaned), most);

/** Accounts of the organization with a balance below zero: at most `most`. */
export async function countInDebt(q: Reader, { organizationId, accountIds }: Owing, most: number): Promise<number> {
  const isOwn = accountIds === null ? undefined : inArray(accounts.id, [...accountIds]);
  return countUpTo(q, accounts, and(isOwn, mayBeInDebt()(q, organizationId, accounts.id), isInDebt(q)), most);
}

interface Owing {
  organizationId: string;
  /** Only these; null for all. */
  accountIds: readonly string[] | null;
}

/** Active admins of the organization without a second factor: at most `most`. */
export const countAdminsWithoutFactor = (q: Reader, organizationId: string, most: number): Promise<number> =>
  countUpTo(q, users, and(eq(users.organizationId, organizationId), isActiveAdmin, eq(users.mfaEnabled, false)), most);
