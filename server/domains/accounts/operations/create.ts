// POST /v1/accounts: registers an individual or business account.
import { checkMay } from "@/server/access/may";
import { rules } from "@/server/access/rules";
import type { Actor, WriteContext } from "@/server/kit/context";
import { userOf } from "@/server/kit/identity";
import { type Fail, operation } from "@/server/kit/operation";
import { openAccount } from "../open";
import { actFor, lockNewOwner } from "../ownership";
import { presentAccount } from "../present";
import { account, createInput } from "../schema";

export const createAccount = operation({
  id: "accounts.create",
  summary: "Create an account",
  description:
    "The caller becomes the owner. An admin or an API key may name another user of the organization, or null for none; " +
    "an API key's account has no owner unless one is named.",
  access: rules["accounts.create"],
  concernsOthers: ({ owner_user_id }, actor) => isForOther(actor, owner_user_id),
  effect: "write",
  rest: { method: "POST", path: "/v1/accounts" },
  input: createInput,
  output: account,
  errors: { insufficient_permissions: 400, user_not_found: 400, too_many_accounts: 400 },
  async run({ ctx, input, fail }) {
    const ownerUserId = ownerOf(ctx, input.owner_user_id, fail);
    const owner = ownerUserId === null ? null : await lockNewOwner(ctx, ownerUserId, fail);
    const row = await openAccount(ctx, {
      organizationId: ctx.scope.organizationId,
      ownerUserId,
      accountType: input.account_type,
      accountName: input.account_name,
      email: input.email,
      preferences: input.preferences,
      metadata: input.metadata,
    });
    if (owner) await actFor(ctx, owner, row.id);
    ctx.audit({ target: row.id, detail: { owner_user_id: ownerUserId } });
    return presentAccount(ctx, row);
  },
});

/** Whether the account is to be owned by another user than the caller, or by none. */
const isForOther = (actor: Actor, named: string | null | undefined): boolean =>
  named !== undefined && named !== (userOf(actor)?.userId ?? null);

/** The user who will own the account; null for none. */
function ownerOf(
  { actor }: WriteContext,
  named: string | null | undefined,
  fail: Fail<"insufficient_permissions">,
): string | null {
  if (named === undefined || !isForOther(actor, named)) return userOf(actor)?.userId ?? null;
  checkMay("accounts.create.forOthers", actor, fail);
  return named;
}
