// Searches of accounts, and the names of some.
import { and, eq, exists, getTableColumns, inArray, like, lt, not, type SQL, sql } from "drizzle-orm";
import type { Reader } from "@/db/client";
import { withinBudget } from "@/db/prepared";
import { accounts, ledgerAccounts, organizations } from "@/db/tables";
import { unindexed } from "@/db/unindexed";
import type { Scope } from "@/server/kit/context";
import { foldEmail } from "@/server/kit/fields";
import { isId } from "@/server/kit/ids";
import type { Source, Stretch } from "@/server/kit/look-through";
import { after, downTo, newestFirst } from "@/server/kit/page";
import { wordsOf } from "@/server/kit/words";
import { mayBeInDebt } from "./debts";
import type { AccountFilters } from "./schema";
import type { AccountRow } from "./store";

/** The accounts that one index yields: of an owner, who belongs to one organization, or of the organization. */
const candidatesOf = (q: Reader, { organizationId, ownerUserId, accountId }: Scope, owes?: boolean) => {
  if (owes) return mayBeInDebt()(q, organizationId, accounts.id);
  if (accountId !== null) return eq(accounts.id, accountId);
  return ownerUserId === null ? eq(accounts.organizationId, organizationId) : eq(accounts.ownerUserId, ownerUserId);
};

/** The condition that an account lost its owner: literals, as in the condition of the partial index. */
export const isOrphaned = sql`(${accounts.orphanedAt} is not null and ${accounts.status} = 'open')`;

/** The condition that an account has less than nothing available in a currency, in its organization's current mode. */
export const isInDebt = (q: Reader): SQL =>
  exists(
    q
      .select({ one: sql`1` })
      .from(ledgerAccounts)
      .innerJoin(organizations, eq(organizations.id, ledgerAccounts.organizationId))
      .where(
        and(
          eq(ledgerAccounts.accountId, accounts.id),
          eq(ledgerAccounts.name, "available"),
          lt(ledgerAccounts.balance, 0),
          sql`${ledgerAccounts.livemode} = (${organizations.mode} = 'live')`,
        ),
      ),
  );

function matching(q: Reader, scope: Scope, filters: AccountFilters): SQL | undefined {
  return and(
    candidatesOf(q, scope, filters.in_debt),
    eq(unindexed(accounts.organizationId), scope.organizationId),
    scope.accountId === null ? undefined : eq(unindexed(accounts.id), scope.accountId),
    scope.ownerUserId === null ? undefined : eq(unindexed(accounts.ownerUserId), scope.ownerUserId),
    filters.status && inArray(accounts.status, filters.status),
    filters.account_type && inArray(accounts.accountType, filters.account_type),
    filters.email === undefined ? undefined : eq(accounts.emailKey, foldEmail(filters.email)),
    filters.orphaned === undefined ? undefined : filters.orphaned ? isOrphaned : not(isOrphaned),
    filters.in_debt === undefined ? undefined : filters.in_debt ? isInDebt(q) : not(isInDebt(q)),
    filters.q === undefined ? undefined : searched(filters.q),
  );
}

/**
 * Every word must be a prefix of a word of the account. Words have only letters and digits, so LIKE needs no escape.
 */
function searched(q: string): SQL | undefined {
  const text = q.trim();
  if (isId("acct", text)) return eq(accounts.id, text);
  const words = wordsOf(text);
  if (words.length === 0) return sql`1 = 0`;
  return and(...words.map((word) => like(accounts.searchText, `% ${word}%`)));
}

/** The matching accounts that the scope sees. */
export function accountSource(q: Reader, scope: Scope, filters: AccountFilters): Source<AccountRow> {
  const within = ({ after: position, until }: Stretch) =>
    and(matching(q, scope, filters), after(accounts, position), downTo(accounts, until));
  const { createdAt, id } = accounts;
  return {
    async edge(position, size) {
      const [row] = await q
        .select({ createdAt, id })
        .from(accounts)
        .where(and(candidatesOf(q, scope, filters.in_debt), after(accounts, position)))
        .orderBy(...newestFirst(accounts))
        .limit(1)
        .offset(size - 1);
      return row ?? null;
    },
    rows: (stretch, limit, budget) =>
      withinBudget<AccountRow[]>(
        q
          .select(getTableColumns(accounts))
          .from(accounts)
          .where(within(stretch))
          .orderBy(...newestFirst(accounts))
          .limit(limit),
        budget,
      ),
    count: (stretch) => q.$count(accounts, within(stretch)),
  };
}

/** The names of these accounts, as far as the scope sees them. */
export async function findAccountNames(
  q: Reader,
  scope: Scope,
  ids: readonly string[],
): Promise<Pick<AccountRow, "id" | "name" | "status">[]> {
  const { id, name, status } = accounts;
  return q
    .select({ id, name, status })
    .from(accounts)
    .where(and(inArray(id, [...ids]), matching(q, scope, {})));
}
