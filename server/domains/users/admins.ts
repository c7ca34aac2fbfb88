// An organization always has an admin: what removing or demoting one must lock and check.
import type { Tx } from "@/db/client";
import { findAdminIds, findUser, lockUsers, type UserRow } from "./store";

interface Context {
  db: Tx;
  scope: { organizationId: string };
}

/**
 * The active user with this id, locked. If it is an admin, all admins are locked, so that none is removed or demoted
 * meanwhile; `isLastAdmin` says whether there is no other. Undefined unless there is such a user.
 */
export async function lockAmongAdmins(
  { db, scope: { organizationId } }: Context,
  id: string,
): Promise<{ user: UserRow; isLastAdmin: boolean } | undefined> {
  const adminIds = await findAdminIds(db, organizationId);
  await lockUsers(db, adminIds.includes(id) ? adminIds : [id]);
  const user = await findUser(db, organizationId, id);
  if (user?.status !== "active") return undefined;
  const [first, ...others] = await findAdminIds(db, organizationId);
  return { user, isLastAdmin: first === id && others.length === 0 };
}
