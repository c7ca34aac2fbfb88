// What operations on accounts need of users: an account's owner, its users, and moving a user to another account.
import type { Tx } from "@/db/client";
import type { ReadContext } from "@/server/kit/context";
import { type AccountUser, findByAccount, findUser, lockUsers, setAccount, type UserRow } from "./store";

interface Context {
  db: Tx;
  scope: { organizationId: string };
}

/** The organization's user with this id, locked against removal; undefined unless there is one who is active. */
export async function lockActiveUser({ db, scope }: Context, userId: string): Promise<UserRow | undefined> {
  if (!(await findUser(db, scope.organizationId, userId))) return undefined;
  await lockUsers(db, [userId]);
  const row = await findUser(db, scope.organizationId, userId);
  return row?.status === "active" ? row : undefined;
}

/** The ids of the account's users, locked so that they neither sign in nor move to another account meanwhile. */
export async function lockUsersOf({ db, scope }: Context, accountId: string): Promise<string[]> {
  const idsNow = async () => (await findByAccount(db, scope.organizationId, accountId)).map(({ id }) => id);
  const locked = new Set<string>();
  // Again until all are locked: a user may move to the account meanwhile.
  for (;;) {
    const ids = await idsNow();
    const unlocked = ids.filter((id) => !locked.has(id));
    if (unlocked.length === 0) return ids;
    await lockUsers(db, unlocked);
    for (const id of unlocked) locked.add(id);
  }
}

/** The account's users, not locked. */
export const usersOf = ({ db, scope }: ReadContext, accountId: string): Promise<AccountUser[]> =>
  findByAccount(db, scope.organizationId, accountId);

/** Moves the user to another account; null for none. */
export const moveUser = ({ db }: Context, userId: string, accountId: string | null) =>
  setAccount(db, userId, accountId);
