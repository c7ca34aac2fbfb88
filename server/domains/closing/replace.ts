// Removes a user who has an address without having verified it, once the person who reads its mail joins.
import { lockAccountsOf } from "@/server/domains/accounts/orphan";
import { isReplaceable } from "@/server/domains/invitations/rules";
import type { RemoveReplaced } from "@/server/domains/onboarding/replaced";
import { lockUser } from "@/server/domains/users/store";
import type { WriteContext } from "@/server/kit/context";
import { removeLocked } from "./remove";

/** Removes the user in the system's name, unless the user has verified the address meanwhile. Locks rows. */
export const removeReplacedUser: RemoveReplaced = async (ctx, { id, organizationId }) => {
  const inOrganization: WriteContext = {
    ...ctx,
    scope: { organizationId, ownerUserId: null, accountId: null },
    audit: (record) => ctx.audit({ organizationId, actor: { type: "system", id: null }, ...record }),
    emit: (event) => ctx.emit({ organizationId, ...event }),
  };
  await lockAccountsOf(inOrganization, id);
  const user = await lockUser(ctx.db, id);
  if (user?.status !== "active" || !isReplaceable(user, organizationId)) return;
  await removeLocked(inOrganization, user, { heir: null, keepsInvitations: true, keepsKeys: true });
};
