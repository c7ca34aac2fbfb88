// What signing in reads and writes of users and their accounts.
import { and, eq, sql } from "drizzle-orm";
import type { Reader, Tx } from "@/db/client";
import { lock } from "@/db/lock";
import { prepared, preparedOne, slot } from "@/db/prepared";
import { accounts, users } from "@/db/tables";

export type UserRow = typeof users.$inferSelect;

const byEmail = preparedOne("sign_in.user", (q: Reader) =>
  q
    .select({ id: users.id, passwordHash: users.passwordHash })
    .from(users)
    .where(eq(users.emailKey, slot("emailKey"))),
);

/** The user who signs in with this folded address; a removed one has none. */
export const findByEmail = (q: Reader, emailKey: string) => byEmail(q, { emailKey });

const byId = preparedOne("sign_in.user_held", (tx: Tx) =>
  tx
    .select()
    .from(users)
    .where(eq(users.id, slot("id"))),
);

/** The user, held until the transaction ends, so that it cannot be removed while it signs in. */
export async function holdUser(tx: Tx, id: string): Promise<UserRow | undefined> {
  await lock(tx, users, [id]);
  return byId(tx, { id });
}

/** Holds the users who stand for an account, and gives their ids. */
export async function holdUsersOfAccount(tx: Tx, accountId: string): Promise<string[]> {
  const rows = await tx.select({ id: users.id }).from(users).where(eq(users.accountId, accountId));
  const ids = rows.map(({ id }) => id);
  await lock(tx, users, ids);
  return ids;
}

/** Whether the user belongs to the organization, removed or not. */
export async function isUserOf(q: Reader, organizationId: string, id: string): Promise<boolean> {
  const [row] = await q
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, id), eq(users.organizationId, organizationId)));
  return row !== undefined;
}

/** Whether the user owns an account that is open. */
export async function ownsOpenAccount(q: Reader, userId: string): Promise<boolean> {
  const [row] = await q
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.ownerUserId, userId), eq(accounts.status, "open")))
    .limit(1);
  return row !== undefined;
}

/** Replaces the stored hash of the user's password. The caller holds the user's row. */
export async function setPasswordHash(tx: Tx, userId: string, passwordHash: string): Promise<void> {
  await tx.update(users).set({ passwordHash }).where(eq(users.id, userId));
}

const signedIn = prepared("sign_in.noted", (tx: Tx) =>
  tx
    .update(users)
    .set({ lastLoginAt: sql`${slot("now")}` })
    .where(eq(users.id, slot("userId"))),
);

export async function noteSignIn(tx: Tx, userId: string, now: number): Promise<void> {
  await signedIn(tx, { userId, now });
}
