// Rows of accounts: found, locked and written.
import { and, asc, eq, ne, type SQL, sql } from "drizzle-orm";
import type { Reader, Tx } from "@/db/client";
import { dialect } from "@/db/dialect";
import { lockWhere } from "@/db/lock";
import { prepared, preparedOne, slot } from "@/db/prepared";
import { accounts, users } from "@/db/tables";
import { unindexed } from "@/db/unindexed";
import type { Scope } from "@/server/kit/context";
import { isId } from "@/server/kit/ids";
import { isInScope } from "./rules";

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

/** At most two: the user's own account comes first if it is among them. */
const findDefaults = prepared("accounts_find_defaults", (q: Reader) =>
  q
    .select({ id: accounts.id, ownId: users.accountId })
    .from(accounts)
    .innerJoin(users, eq(users.id, accounts.ownerUserId))
    .where(
      and(
        eq(accounts.ownerUserId, slot("userId")),
        eq(accounts.organizationId, slot("organizationId")),
        eq(accounts.status, "open"),
      ),
    )
    .orderBy(sql`case when ${accounts.id} = ${users.accountId} then 0 else 1 end`)
    .limit(2),
);

/** The account if the scope sees it. */
export async function findAccount(q: Reader, scope: Scope, id: string): Promise<AccountRow | undefined> {
  if (!isId("acct", id)) return undefined;
  const row = await findById(q, { id, organizationId: scope.organizationId });
  return row && isInScope(scope, row) ? row : undefined;
}

/** An account of any organization, for the command line. */
export async function findAccountOf(q: Reader, id: string): Promise<AccountRow | undefined> {
  const [row] = await q.select().from(accounts).where(eq(accounts.id, id));
  return row;
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

/**
 * The account that a call of the user means when it names none: the user's own `account_id`, or the only open account of
 * the user where that one is closed. `several` if neither decides, undefined if the user has no open account.
 */
export async function findDefaultId(
  q: Reader,
  organizationId: string,
  userId: string,
): Promise<string | "several" | undefined> {
  const [first, another] = await findDefaults(q, { organizationId, userId });
  return another === undefined || first?.id === first?.ownId ? first?.id : "several";
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

/** Inserts the account and returns its row. */
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
    | "invoicePreferences"
    | "numberingKey"
    | "metadata"
    | "ownerUserId"
    | "orphanedAt"
    | "status"
    | "closedAt"
    | "closeReason"
  >
>;

/** Changes an account that the caller has locked. `updated_at` always increases, so it identifies the version. */
export async function changeAccount(tx: Tx, row: AccountRow, changes: Changes, now: number): Promise<AccountRow> {
  const [updated] = await tx
    .update(accounts)
    .set({ ...changes, version: row.version + 1, updatedAt: Math.max(now, row.updatedAt + 1) })
    .where(and(eq(accounts.id, row.id), eq(accounts.status, row.status), eq(accounts.version, row.version)))
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

/** The ids of the oldest open accounts that the user owns. */
export async function listOpenIds(q: Reader, organizationId: string, userId: string, limit: number): Promise<string[]> {
  const rows = await q
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(isOwnedBy(organizationId, userId), eq(accounts.status, "open")))
    .orderBy(asc(accounts.createdAt), asc(accounts.id))
    .limit(limit);
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

const nextVersion = (now: number) => ({
  version: sql`${accounts.version} + 1`,
  updatedAt: sql`case when ${accounts.updatedAt} < ${now} then ${now} else ${accounts.updatedAt} + 1 end`,
});

/** Clears the owner of all accounts that the user owns. */
export async function clearOwner(tx: Tx, organizationId: string, userId: string, now: number): Promise<void> {
  await tx
    .update(accounts)
    .set({ ownerUserId: null, orphanedAt: now, ...nextVersion(now) })
    .where(isOwnedBy(organizationId, userId));
}

/** Gives the open accounts of one user to another; returns their ids, oldest first. */
export async function giveOpen(
  tx: Tx,
  organizationId: string,
  { from, to, now }: { from: string; to: string; now: number },
): Promise<string[]> {
  const rows = await tx
    .update(accounts)
    .set({ ownerUserId: to, ...nextVersion(now) })
    .where(and(isOwnedBy(organizationId, from), eq(accounts.status, "open")))
    .returning({ id: accounts.id });
  return rows.map((row) => row.id).sort();
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
