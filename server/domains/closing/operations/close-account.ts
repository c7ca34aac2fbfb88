// DELETE /v1/auth/close: closes an account permanently, and ends what depends on it.
import { rules } from "@/server/access/rules";
import { lockedAccount } from "@/server/domains/accounts/authorized-account";
import { presentAccount } from "@/server/domains/accounts/present";
import { closedAccount, closeInput } from "@/server/domains/accounts/schema";
import { changeAccount, findOtherOpenId } from "@/server/domains/accounts/store";
import { revokeKeysOf } from "@/server/domains/api-keys/revoke-with";
import { cancelOpenPayments, lockOpenPayments } from "@/server/domains/payments/cancel-open";
import { endSessions } from "@/server/domains/sessions/end";
import { cancelSubscriptionsOf, newestPaymentsOf } from "@/server/domains/subscriptions/cancel-open";
import { lockUsersOf, moveUser } from "@/server/domains/users/owners";
import type { WriteContext } from "@/server/kit/context";
import { operation } from "@/server/kit/operation";

export const closeAccount = operation({
  id: "accounts.close",
  summary: "Close an account",
  description:
    "Permanent. Ends the sessions of the account's users, revokes the API keys bound to it, and cancels its " +
    "subscriptions and open payment requests; if there are very many, `canceled_payments` includes those canceled moments later. A user who " +
    "owns another open account is moved to it. The remaining balance and customers' credit stay, and money that still " +
    "arrives is posted: an admin can transfer it, adjust it or refund its payments. If a dispute takes the account below " +
    "zero, an admin can settle that by a transfer or an adjustment.",
  access: rules["accounts.close"],
  time: "organization",
  effect: "write",
  rest: { method: "DELETE", path: "/v1/auth/close", queryFields: ["account_id", "reason"] },
  input: closeInput,
  output: closedAccount,
  errors: {
    reauthentication_required: 400,
    account_not_found: 400,
    account_already_closed: 400,
    insufficient_permissions: 400,
    invalid_request: 400,
  },
  async run({ ctx, input, fail }) {
    const row = await lockedAccount(ctx, input.account_id, fail, {
      byDefault: "accounts.close.byDefault",
      lock: "update",
    });
    if (row.status === "closed") return fail("account_already_closed");

    const changes = { status: "closed", closedAt: ctx.now, closeReason: input.reason ?? null } as const;
    const closed = await changeAccount(ctx.db, row, changes, ctx.now);
    const users = await signOutUsers(ctx, row.id);
    const open = await lockOpenPayments(ctx, row.id, await newestPaymentsOf(ctx.db, row.id));
    await cancelSubscriptionsOf(ctx, row);
    const canceledPayments = await cancelOpenPayments(ctx, row, open);
    const own = { organizationId: row.organizationId, accounts: { id: row.id } };
    const keys = await revokeKeysOf(ctx, own, "account_closed");

    const counts = { revoked_tokens: users.tokens, canceled_payments: canceledPayments };
    ctx.audit({
      target: row.id,
      detail: { ...counts, ended_sessions: users.sessions, revoked_keys: keys, moved_users: users.moved },
    });
    ctx.emit({
      type: "account.closed",
      object: row.id,
      accountId: row.id,
      data: { account_id: row.id, status: "closed", ...counts },
    });
    return { ...(await presentAccount(ctx, closed)), ...counts };
  },
});

/** Signs out the account's users, and moves each to the oldest other open account that he or she owns, if any. */
async function signOutUsers(ctx: WriteContext, accountId: string) {
  const userIds = await lockUsersOf(ctx, accountId);
  const ended = await endSessions(ctx, { userIds }, "account_closed");
  const moved: string[] = [];
  for (const userId of userIds) {
    const next = await findOtherOpenId(ctx.db, userId, accountId);
    if (next === null) continue;
    await moveUser(ctx, userId, next);
    moved.push(userId);
  }
  return { ...ended, moved };
}
