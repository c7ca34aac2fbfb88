// Removes a user: ends and erases everything that is the user's, except the row and the accounts.
import { orphanAccountsOf } from "@/server/domains/accounts/orphan";
import { giveAllTo } from "@/server/domains/accounts/ownership";
import { deleteLinksOf } from "@/server/domains/addresses/store";
import { revokeKeysMadeBy, revokeKeysOf } from "@/server/domains/api-keys/revoke-with";
import { forgetFactors } from "@/server/domains/factors/change";
import { revokeInvitations } from "@/server/domains/invitations/revoke";
import { removeAcceptedBy } from "@/server/domains/invitations/store";
import { forgetRecipient } from "@/server/domains/mails/retention";
import { eraseAuditChanges } from "@/server/domains/records/audit-store";
import { type Ended, endSessions } from "@/server/domains/sessions/end";
import { deleteReset } from "@/server/domains/sessions/reset-store";
import { forgetClientsOf } from "@/server/domains/sessions/retention";
import { eraseUser, type UserRow } from "@/server/domains/users/store";
import { deleteViewsOf } from "@/server/domains/views/store";
import type { WriteContext } from "@/server/kit/context";
import { foldEmail } from "@/server/kit/fields";
import type { Fail } from "@/server/kit/operation";

interface Choices {
  /** Who gets the user's open accounts, and how the call refuses if that cannot be; null for nobody. */
  heir: { id: string; fail: Fail<"user_not_found" | "too_many_accounts"> } | null;
  /** Whether invitations to the user's address stay open. */
  keepsInvitations: boolean;
  /** Whether the API keys that the user made as an admin stay. */
  keepsKeys: boolean;
}

/**
 * Removes an active user of the context's organization. The caller has locked the user's accounts, then the user and
 * the heir. Returns what ended, and the accounts that have no owner now.
 */
export async function removeLocked(
  ctx: WriteContext,
  target: UserRow,
  { heir, keepsInvitations, keepsKeys }: Choices,
): Promise<{ ended: Ended; orphaned: string[] }> {
  const { organizationId } = ctx.scope;
  const ended = await endSessions(ctx, { userId: target.id }, "user_removed");
  await forgetClientsOf(ctx, target.id);
  await revokeInvitations(ctx, { organizationId, invitedBy: target.id }, "inviter_removed");
  const emailKey = foldEmail(target.email);
  if (!keepsInvitations) await revokeInvitations(ctx, { organizationId, emailKey }, "user_removed");
  await removeAcceptedBy(ctx.db, target.id);
  const own = { organizationId, accounts: { ownerUserId: target.id }, createdBy: target.id };
  const ownKeys = await revokeKeysOf(ctx, own, "user_removed");
  const madeKeys = keepsKeys ? 0 : await revokeKeysMadeBy(ctx, target.id, "user_removed");
  const given = heir === null ? [] : await giveAllTo(ctx, target.id, heir.id, heir.fail);
  const orphaned = await orphanAccountsOf(ctx, target.id);
  await forgetFactors(ctx, target.id);
  await deleteReset(ctx.db, target.id);
  await deleteViewsOf(ctx.db, target.id);
  await deleteLinksOf(ctx.db, target.id);
  await forgetRecipient(ctx, organizationId, target.id);
  await eraseAuditChanges(ctx.db, target.id);
  await eraseUser(ctx.db, organizationId, target.id, ctx.now);
  ctx.runtime.db.emptyLog();

  ctx.audit({
    target: target.id,
    detail: {
      revoked_sessions: ended.sessions,
      revoked_tokens: ended.tokens,
      revoked_keys: ownKeys + madeKeys,
      ...(heir === null ? {} : { new_owner_user_id: heir.id, given_account_ids: given }),
      orphaned_account_ids: orphaned,
    },
  });
  ctx.emit({ type: "user.removed", object: target.id, data: { user_id: target.id, status: "removed" } });
  return { ended, orphaned };
}
