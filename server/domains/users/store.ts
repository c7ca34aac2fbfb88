// Queries of users.
import { and, asc, eq, getTableColumns, gt, inArray, like, type SQL, sql } from "drizzle-orm";
import type { Reader, Tx } from "@/db/client";
import { lock } from "@/db/lock";
import { prepared, preparedOne, slot, withinBudget } from "@/db/prepared";
import { users } from "@/db/tables";
import { adminRoles } from "@/server/access/may";
import type { Scope } from "@/server/kit/context";
import { foldEmail } from "@/server/kit/fields";
import { isId } from "@/server/kit/ids";
import type { Source, Stretch } from "@/server/kit/look-through";
import { after, downTo, newestFirst } from "@/server/kit/page";
import { searchTextOf, wordsOf } from "@/server/kit/words";
import type { UserFilters } from "./schema";

export type UserRow = typeof users.$inferSelect;
type UserColumns = typeof users.$inferInsert;
/** A new row says whether the address is verified. */
type NewUserRow = UserColumns & Pick<UserRow, "emailVerifiedAt">;

/** The organization's user with this id, removed or not. */
export async function findUser(q: Reader, organizationId: string, id: string): Promise<UserRow | undefined> {
  if (!isId("usr", id)) return undefined;
  const [row] = await q
    .select()
    .from(users)
    .where(and(eq(users.id, id), eq(users.organizationId, organizationId)));
  return row;
}

/** Locks these users until the transaction ends. */
export const lockUsers = (tx: Tx, ids: readonly string[]) => lock(tx, users, ids);

const byEmail = preparedOne("users.by_email", (q: Reader) =>
  q
    .select()
    .from(users)
    .where(eq(users.emailKey, slot("emailKey"))),
);

/** The active user of the instance with this address. */
export const findByEmail = (q: Reader, email: string): Promise<UserRow | undefined> =>
  byEmail(q, { emailKey: foldEmail(email) });

const byId = preparedOne("users.by_id", (q: Reader) =>
  q
    .select()
    .from(users)
    .where(eq(users.id, slot("id"))),
);

/** A user by id, of any organization. */
export const readUser = (q: Reader, id: string): Promise<UserRow | undefined> => byId(q, { id });

/** A user by id, locked until the transaction ends. */
export async function lockUser(tx: Tx, id: string): Promise<UserRow | undefined> {
  await lockUsers(tx, [id]);
  return readUser(tx, id);
}

/** Active users of all organizations after an id, in id order. */
export const listActive = (q: Reader, afterId: string, limit: number): Promise<UserRow[]> =>
  q
    .select()
    .from(users)
    .where(and(eq(users.status, "active"), gt(users.id, afterId)))
    .orderBy(asc(users.id))
    .limit(limit);

/** Any user at all, removed or not. */
export async function findAnyUser(q: Reader): Promise<{ id: string } | undefined> {
  const [row] = await q.select({ id: users.id }).from(users).limit(1);
  return row;
}

/** Inserts the user; undefined if another user has the address. */
export async function insertUser(tx: Tx, row: NewUserRow): Promise<UserRow | undefined> {
  const [inserted] = await tx.insert(users).values(row).onConflictDoNothing({ target: users.emailKey }).returning();
  return inserted;
}

/** The ids of the organization's active admins, in id order. */
export async function findAdminIds(q: Reader, organizationId: string): Promise<string[]> {
  const rows = await q
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.organizationId, organizationId), inArray(users.role, adminRoles), eq(users.status, "active")))
    .orderBy(asc(users.id));
  return rows.map((row) => row.id);
}

/** The organization's active admins, oldest first, at most `limit`. */
export const listAdmins = (q: Reader, organizationId: string, limit: number): Promise<UserRow[]> =>
  q
    .select()
    .from(users)
    .where(and(eq(users.organizationId, organizationId), inArray(users.role, adminRoles), eq(users.status, "active")))
    .orderBy(asc(users.createdAt), asc(users.id))
    .limit(limit);

/** Changes an active user whom the caller has locked. */
export async function changeUser(
  tx: Tx,
  id: string,
  changes: Partial<
    Pick<NewUserRow, "name" | "searchText" | "locale" | "timezone" | "role" | "accountId" | "listDisplays">
  >,
): Promise<UserRow> {
  const [changed] = await tx
    .update(users)
    .set(changes)
    .where(and(eq(users.id, id), eq(users.status, "active")))
    .returning();
  if (!changed) throw new Error(`The user ${id} was removed although it was locked.`);
  return changed;
}

/** Gives a locked user an address that is verified at `now` (epoch ms). Throws if another user has it. */
export async function setEmail(tx: Tx, { id, name }: UserRow, email: string, now: number): Promise<void> {
  const changes = { email, emailKey: foldEmail(email), searchText: searchTextOf(name, email), emailVerifiedAt: now };
  await tx.update(users).set(changes).where(eq(users.id, id));
}

/** Turns the row into a tombstone: erases personal data and secrets, keeps the id for records that refer to it. */
export async function eraseUser(tx: Tx, organizationId: string, id: string, now: number): Promise<void> {
  await tx
    .update(users)
    .set({
      status: "removed",
      removedAt: now,
      accountId: null,
      email: `removed+${id}`,
      emailKey: null,
      emailVerifiedAt: null,
      name: null,
      locale: null,
      timezone: null,
      listDisplays: null,
      searchText: "",
      passwordHash: null,
      hasGivenPassword: false,
      mfaEnabled: false,
      lastLoginAt: null,
    })
    .where(and(eq(users.id, id), eq(users.organizationId, organizationId), eq(users.status, "active")));
}

export type AccountUser = Pick<UserRow, "id" | "role">;

/** The active users of the account. */
export const findByAccount = (q: Reader, organizationId: string, accountId: string): Promise<AccountUser[]> =>
  q
    .select({ id: users.id, role: users.role })
    .from(users)
    .where(and(eq(users.accountId, accountId), eq(users.organizationId, organizationId), eq(users.status, "active")))
    .orderBy(asc(users.id));

export async function setAccount(tx: Tx, userId: string, accountId: string | null): Promise<void> {
  await tx.update(users).set({ accountId }).where(eq(users.id, userId));
}

/** Replaces the stored hash of the user's password. The caller has locked the user. */
export async function setPasswordHash(tx: Tx, userId: string, passwordHash: string | null): Promise<void> {
  await tx.update(users).set({ passwordHash }).where(eq(users.id, userId));
}

/** Replaces the stored hash by that of a password that the user chose. The caller has locked the user. */
export async function setOwnPasswordHash(tx: Tx, userId: string, passwordHash: string): Promise<void> {
  await tx.update(users).set({ passwordHash, hasGivenPassword: false }).where(eq(users.id, userId));
}

/** Records whether the user has a second factor. The caller has locked the user. */
export async function setMfaEnabled(tx: Tx, userId: string, mfaEnabled: boolean): Promise<void> {
  await tx.update(users).set({ mfaEnabled }).where(eq(users.id, userId));
}

const signedIn = prepared("users.signed_in", (tx: Tx) =>
  tx
    .update(users)
    .set({ lastLoginAt: sql`${slot("now")}` })
    .where(eq(users.id, slot("userId"))),
);

/** Records that the user signed in at `now` (epoch ms). */
export async function noteSignIn(tx: Tx, userId: string, now: number): Promise<void> {
  await signedIn(tx, { userId, now });
}

function matching(scope: Scope, filters: UserFilters): SQL | undefined {
  return and(
    eq(users.organizationId, scope.organizationId),
    filters.status && inArray(users.status, filters.status),
    filters.role && inArray(users.role, filters.role),
    filters.email === undefined ? undefined : eq(users.emailKey, foldEmail(filters.email)),
    filters.mfa_enabled === undefined ? undefined : eq(users.mfaEnabled, filters.mfa_enabled === "true"),
    filters.q === undefined ? undefined : searched(filters.q),
  );
}

/** Every word must be a prefix of a word of the user. Words have only letters and digits, so LIKE needs no escape. */
function searched(q: string): SQL | undefined {
  const text = q.trim();
  if (isId("usr", text)) return eq(users.id, text);
  const words = wordsOf(text);
  if (words.length === 0) return sql`1 = 0`;
  return and(...words.map((word) => like(users.searchText, `% ${word}%`)));
}

/** The organization's matching users. */
export function userSource(q: Reader, scope: Scope, filters: UserFilters): Source<UserRow> {
  const within = ({ after: position, until }: Stretch) =>
    and(matching(scope, filters), after(users, position), downTo(users, until));
  const { createdAt, id } = users;
  return {
    async edge(position, size) {
      const [row] = await q
        .select({ createdAt, id })
        .from(users)
        .where(and(eq(users.organizationId, scope.organizationId), after(users, position)))
        .orderBy(...newestFirst(users))
        .limit(1)
        .offset(size - 1);
      return row ?? null;
    },
    rows: (stretch, limit, budget) =>
      withinBudget<UserRow[]>(
        q
          .select(getTableColumns(users))
          .from(users)
          .where(within(stretch))
          .orderBy(...newestFirst(users))
          .limit(limit),
        budget,
      ),
    count: (stretch) => q.$count(users, within(stretch)),
  };
}
