// Previews what closing an account would end.
import * as z from "zod";
import { roleMay } from "@/server/access/may";
import { rules } from "@/server/access/rules";
import { visibleAccount } from "@/server/domains/accounts/authorized-account";
import { presentAccount } from "@/server/domains/accounts/present";
import { account, accountId } from "@/server/domains/accounts/schema";
import { findOtherOpenId } from "@/server/domains/accounts/store";
import { countKeysOf } from "@/server/domains/api-keys/store";
import { openPaymentCount } from "@/server/domains/payments/cancel-open";
import { sessionCountOf } from "@/server/domains/sessions/end";
import { usersOf } from "@/server/domains/users/owners";
import type { ReadContext } from "@/server/kit/context";
import { operation } from "@/server/kit/operation";

const counted = (description: string) => z.int().meta({ description });

export const accountClosing = operation({
  id: "accounts.closing",
  summary: "Preview closing an account",
  access: rules["accounts.closing"],
  time: "organization",
  effect: "read",
  input: z.strictObject({ account_id: accountId }),
  output: z.strictObject({
    account_id: z.string(),
    sessions: counted("Sessions of the account's users, which end."),
    api_keys: counted("API keys bound to it, which stop working."),
    payment_requests: counted("Open payment requests, which are canceled."),
    moved_users: counted("Users who own another open account and are moved to it."),
    excluded_users: counted("Members who own no other open account and can no longer sign in."),
    balances: account.shape.balances.meta({ description: "The remaining balances, which stay in the ledger." }),
  }),
  errors: { account_not_found: 400, account_already_closed: 400, insufficient_permissions: 400 },
  async run({ ctx, input, fail }) {
    const row = await visibleAccount(ctx, input.account_id, fail);
    if (row.status === "closed") return fail("account_already_closed");
    const keys = { organizationId: row.organizationId, accounts: { id: row.id } };
    const { balances } = await presentAccount(ctx, row);
    return {
      account_id: row.id,
      sessions: await sessionCountOf(ctx, row.id),
      api_keys: await countKeysOf(ctx.db, keys, ctx.now),
      payment_requests: await openPaymentCount(ctx, row.id),
      ...(await usersAfter(ctx, row.id)),
      balances,
    };
  },
});

/** How many of the account's users move to another account or can no longer sign in; some roles need no account. */
async function usersAfter(ctx: ReadContext, id: string) {
  const counts = { moved_users: 0, excluded_users: 0 };
  for (const user of await usersOf(ctx, id)) {
    if ((await findOtherOpenId(ctx.db, user.id, id)) !== null) counts.moved_users++;
    else if (!roleMay("sessions.login.withoutAccount", user.role)) counts.excluded_users++;
  }
  return counts;
}
