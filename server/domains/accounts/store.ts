// Queries of accounts.
import { and, asc, eq, getTableColumns, inArray, ne, type SQL, sql } from "drizzle-orm";
import type { Reader, Tx } from "@/db/client";
import { dialect } from "@/db/dialect";
import { lockWhere } from "@/db/lock";
import { prepared, preparedOne, slot, withinBudget } from "@/db/prepared";
import { accounts } from "@/db/tables";
import { unindexed } from "@/db/unindexed";
import type { Scope } from "@/server/kit/context";
import { foldEmail } from "@/server/kit/fields";
import { isId } from "@/server/kit/ids";
import type { Source, Stretch } from "@/server/kit/look-through";
import { after, downTo, newestFirst } from "@/server/kit/page";
import { wordsOf } from "@/server/kit/words";
import { isInScope } from "./rules";
import type { AccountFilters } from "./schema";

export type AccountRow = typeof accounts.$inferSelect;
type NewAccountRow = typeof accounts.$inferInsert;

const findById = preparedOne("accounts_find", (q: Reader) =>
  q
    .select()
    .from(accounts)
    .where(and(eq(accounts.id, slot("id")), eq(accounts.organizationId, slot("organizationId")))),
);

const findOwn = prepared("accounts_find_own", (q: Reader) =>
  q
    .select({ id: accounts.id })
    .from(accounts)
    .where(
      and(
        eq(accounts.ownerUserId, slot("userId")),
        eq(accounts.organizationId, slot("organizationId")),
        eq(accounts.status, "open"),
      ),
    )
    .limit(2),
);

/** The account if the scope sees it. */
export async function findAccount(q: Reader, scope: Scope, id: string): Promise<AccountRow | undefined> {
  if (!isId("acct", id)) return undefined;
  const row = await findById(q, { id, organizationId: scope.organizationId });
  return row && isInScope(scope, row) ? row : undefined;
}

/** An account that must exist; throws otherwise. */
export async function readAccount(q: Reader, organizationId: string, id: string): Promise<AccountRow> {
  const row = await findById(q, { id, organizationId });
  if (!row) throw new Error(`The account ${id} does not exist.`);
  return row;
}

/** Whether an account of the organization is open. */
export const isOpen = async (q: Reader, organizationId: string, id: string): Promise<boolean> =>
  (await findById(q, { id, organizationId }))?.status === "open";

/** The ids of the user's open accounts; at most two, enough to know whether there are several. */
export async function findOwnOpenIds(q: Reader, organizationId: string, userId: string): Promise<string[]> {
  const rows = await findOwn(q, { organizationId, userId });
  return rows.map((row) => row.id);
}

const lockById = (strength: "share" | "no key update") =>
  preparedOne(`accounts_lock_${strength}`, (tx: Tx) => {
    const query = tx
      .select()
      .from(accounts)
      .where(and(eq(accounts.id, slot("id")), eq(accounts.organizationId, slot("organizationId"))));
    // SQLite has one writer, so no other transaction can change the row.
    return dialect === "postgres" ? query.for(strength) : query;
  });
const lock = { share: lockById("share"), update: lockById("no key update") };

/** The account if the scope sees it, locked until the transaction ends: `share` bars changes, `update` allows one. */
export async function lockAccount(
  tx: Tx,
  scope: Scope,
  id: string,
  strength: "share" | "update",
): Promise<AccountRow | undefined> {
  if (!isId("acct", id)) return undefined;
  const row = await lock[strength](tx, { id, organizationId: scope.organizationId });
  return row && isInScope(scope, row) ? row : undefined;
}

/** The accounts of an owner. An owner belongs to one organization. */
export const isOwnedBy = (organizationId: string, userId: string): SQL | undefined =>
  and(eq(accounts.ownerUserId, userId), eq(unindexed(accounts.organizationId), organizationId));

/** Locks all accounts of the user until the transaction ends. */
export const lockOwned = (tx: Tx, organizationId: string, userId: string): Promise<void> =>
  lockWhere(tx, accounts, isOwnedBy(organizationId, userId));

export async function insertAccount(tx: Tx, row: NewAccountRow): Promise<AccountRow> {
  const [inserted] = await tx.insert(accounts).values(row).returning();
  if (!inserted) throw new Error("The account was not inserted.");
  return inserted;
}

type Changes = Partial<
  Pick<
    NewAccountRow,
    | "name"
    | "email"
    | "emailKey"
    | "searchText"
    | "preferences"
    | "metadata"
    | "ownerUserId"
    | "orphanedAt"
    | "status"
    | "closedAt"
    | "closeReason"
  >
>;

/** Changes an open account that the caller has locked. `updated_at` always increases, so it identifies the version. */
export async function updateOpenAccount(tx: Tx, row: AccountRow, changes: Changes, now: number): Promise<AccountRow> {
  const [updated] = await tx
    .update(accounts)
    .set({ ...changes, version: row.version + 1, updatedAt: Math.max(now, row.updatedAt + 1) })
    .where(and(eq(accounts.id, row.id), eq(accounts.status, "open"), eq(accounts.version, row.version)))
    .returning();
  if (!updated) throw new Error(`The account ${row.id} changed although it was locked.`);
  return updated;
}

/** The ids of all accounts that the user owns, including closed ones. */
export async function findOwnedIds(q: Reader, organizationId: string, userId: string): Promise<string[]> {
  const rows = await q
    .select({ id: accounts.id })
    .from(accounts)
    .where(isOwnedBy(organizationId, userId))
    .orderBy(asc(accounts.createdAt), asc(accounts.id));
  return rows.map((row) => row.id);
}

/** The oldest accounts that the user owns, including closed ones. */
export const listOwned = (q: Reader, organizationId: string, userId: string, limit: number): Promise<AccountRow[]> =>
  q
    .select()
    .from(accounts)
    .where(isOwnedBy(organizationId, userId))
    .orderBy(asc(accounts.createdAt), asc(accounts.id))
    .limit(limit);

/** How many accounts the user owns, including closed ones. */
export const countOwned = (q: Reader, userId: string): Promise<number> =>
  q.$count(accounts, eq(accounts.ownerUserId, userId));

/** Clears the owner of all accounts that the user owns. */
export async function clearOwner(tx: Tx, organizationId: string, userId: string, now: number): Promise<void> {
  await tx
    .update(accounts)
    .set({
      ownerUserId: null,
      orphanedAt: now,
      version: sql`${accounts.version} + 1`,
      updatedAt: sql`case when ${accounts.updatedAt} < ${now} then ${now} else ${accounts.updatedAt} + 1 end`,
    })
    .where(isOwnedBy(organizationId, userId));
}

/** The user's oldest open account other than `exceptId`. */
export async function findOtherOpenId(q: Reader, userId: string, exceptId: string): Promise<string | null> {
  const [row] = await q
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.ownerUserId, userId), eq(accounts.status, "open"), ne(accounts.id, exceptId)))
    .orderBy(asc(accounts.createdAt), asc(accounts.id))
    .limit(1);
  return row?.id ?? null;
}

/** The accounts that one index yields: of an owner, who belongs to one organization, or of the organization. */
const candidatesOf = ({ organizationId, ownerUserId, accountId }: Scope): SQL | undefined => {
  if (accountId !== null) return eq(accounts.id, accountId);
  return ownerUserId === null ? eq(accounts.organizationId, organizationId) : eq(accounts.ownerUserId, ownerUserId);
};

function matching(scope: Scope, filters: AccountFilters): SQL | undefined {
  return and(
    candidatesOf(scope),
    eq(unindexed(accounts.organizationId), scope.organizationId),
    scope.ownerUserId === null ? undefined : eq(accounts.ownerUserId, scope.ownerUserId),
    filters.status && inArray(accounts.status, filters.status),
    filters.account_type && inArray(accounts.accountType, filters.account_type),
    filters.email === undefined ? undefined : eq(accounts.emailKey, foldEmail(filters.email)),
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
  return and(...words.map((word) => sql`${accounts.searchText} like ${`% ${word}%`}`));
}

/** The matching accounts that the scope sees. */
export function accountSource(q: Reader, scope: Scope, filters: AccountFilters): Source<AccountRow> {
  const within = ({ after: position, until }: Stretch) =>
    and(matching(scope, filters), after(accounts, position), downTo(accounts, until));
  const { createdAt, id } = accounts;
  return {
    async edge(position, size) {
      const [row] = await q
        .select({ createdAt, id })
        .from(accounts)
        .where(and(candidatesOf(scope), after(accounts, position)))
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
    .where(and(inArray(id, [...ids]), matching(scope, {})));
}
