// An organization always has an admin: what removing or demoting one must lock and check.
import type { Tx } from "@/db/client";
import { roleMay } from "@/server/access/may";
import { lockOrganization } from "@/server/domains/organizations/organization";
import { findAdminIds, findUser, lockUsers, type UserRow } from "./store";

interface Context {
  db: Tx;
  scope: { organizationId: string };
}

/** Whether the user is an admin. Only admins can make other users admins. */
export const isAdmin = ({ role }: Pick<UserRow, "role">): boolean => roleMay("users.create.admin", role);

/** Locks the organization, so that its admins stay the same until the transaction ends. Call it before other locks. */
export const lockAdmins = ({ db, scope }: Context): Promise<void> => lockOrganization(db, scope.organizationId);

/**
 * The active user with this id, locked; undefined unless there is one. `isLastAdmin` says whether it is the only admin,
 * which holds until the transaction ends if the caller has called {@link lockAdmins}.
 */
export async function lockAmongAdmins(
  { db, scope: { organizationId } }: Context,
  id: string,
): Promise<{ user: UserRow; isLastAdmin: boolean } | undefined> {
  await lockUsers(db, [id]);
  const user = await findUser(db, organizationId, id);
  if (user?.status !== "active") return undefined;
  const [first, ...others] = await findAdminIds(db, organizationId);
  return { user, isLastAdmin: first === id && others.length === 0 };
}
