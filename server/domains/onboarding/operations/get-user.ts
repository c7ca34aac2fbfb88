// One user with what belongs to the user: accounts and live sessions, for the dashboard.
import * as z from "zod";
import { accountStatuses } from "@/db/schema/values";
import { checkMay } from "@/server/access/may";
import { rules } from "@/server/access/rules";
import { showsUser } from "@/server/access/scope";
import { listOwned } from "@/server/domains/accounts/store";
import { countMadeBy } from "@/server/domains/api-keys/store";
import { countSent } from "@/server/domains/invitations/store";
import { countLiveOfUser, lastUses } from "@/server/domains/sessions/list-store";
import { presentUser } from "@/server/domains/users/present";
import { user, userId } from "@/server/domains/users/schema";
import { findUser } from "@/server/domains/users/store";
import { timestamp } from "@/server/kit/fields";
import { limits } from "@/server/kit/limits";
import { operation } from "@/server/kit/operation";
import { isoOrNull } from "@/server/process/clock";

export const getUser = operation({
  id: "users.get",
  summary: "A user with accounts and sessions",
  access: rules["users.read"],
  effect: "read",
  input: z.strictObject({ user_id: userId }),
  output: user.extend({
    last_seen_at: timestamp.nullable().meta({ description: "Last use of a session, ended or not." }),
    live_sessions: z.int(),
    made_keys: z.int().meta({ description: "Valid API keys of which the user knows the current secret." }),
    sent_invitations: z.int().meta({ description: "Open invitations that the user sent." }),
    accounts: z
      .array(z.strictObject({ account_id: z.string(), account_name: z.string(), status: z.enum(accountStatuses) }))
      .meta({ description: "Accounts that the user owns, oldest first." }),
    has_more_accounts: z.boolean(),
  }),
  errors: { user_not_found: 400, insufficient_permissions: 400 },
  async run({ ctx, input, fail }) {
    const { db, scope, actor, now } = ctx;
    const { user_id: id } = input;
    const seen = showsUser(actor, id) ? await findUser(db, scope.organizationId, id) : undefined;
    const row = seen ?? fail("user_not_found");
    checkMay("users.read", actor, fail, { ownerUserId: id });
    const owned = await listOwned(db, scope.organizationId, id, limits.page.max + 1);
    const [use] = await lastUses(db, scope, [id]);
    return {
      ...presentUser(row),
      last_seen_at: isoOrNull(use?.at ?? null),
      live_sessions: await countLiveOfUser(db, id, now),
      made_keys: await countMadeBy(db, scope.organizationId, id, now),
      sent_invitations: await countSent(db, id, now),
      accounts: owned
        .slice(0, limits.page.max)
        .map((account) => ({ account_id: account.id, account_name: account.name, status: account.status })),
      has_more_accounts: owned.length > limits.page.max,
    };
  },
});
