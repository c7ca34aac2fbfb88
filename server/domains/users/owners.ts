// What accounts need to know of users: who can own one, whose account one is, and how users move between them.
import type { Tx } from "@/db/client";
import type { ReadContext } from "@/server/kit/context";
import { type AccountUser, findByAccount, findUser, lockUsers, setAccount, type UserRow } from "./store";

interface Context {
  db: Tx;
  scope: { organizationId: string };
}

/** The active user of the organization, locked so that nobody removes it meanwhile; undefined if there is none. */
export async function lockActiveUser({ db, scope }: Context, userId: string): Promise<UserRow | undefined> {
  if (!(await findUser(db, scope.organizationId, userId))) return undefined;
  await lockUsers(db, [userId]);
  const row = await findUser(db, scope.organizationId, userId);
  return row?.status === "active" ? row : undefined;
}

/** The ids of the users whose account this is, locked so that they neither sign in nor move meanwhile. */
export async function lockUsersOf({ db, scope }: Context, accountId: string): Promise<string[]> {
  const idsNow = async () => (await findByAccount(db, scope.organizationId, accountId)).map(({ id }) => id);
  await lockUsers(db, await idsNow());
  return idsNow();
}

/** The same users, for reading. */
export const usersOf = ({ db, scope }: ReadContext, accountId: string): Promise<AccountUser[]> =>
  findByAccount(db, scope.organizationId, accountId);

/** Makes another account the user's. */
export const moveUser = ({ db }: Context, userId: string, accountId: string) => setAccount(db, userId, accountId);
