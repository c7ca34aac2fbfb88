// The operation behind the /setup page: creates the first organization and its admin, once per instance.
import * as z from "zod";
import { rules } from "@/server/access/rules";
import { placeOf } from "@/server/domains/sessions/throttles";
import { hasAnyUser } from "@/server/domains/users/has-any-user";
import { userName } from "@/server/domains/users/schema";
import { email, timezone } from "@/server/kit/fields";
import { limits } from "@/server/kit/limits";
import { saga } from "@/server/kit/operation";
import { hashPassword, newPassword } from "@/server/secrets/password";
import { isWeakPassword } from "@/server/secrets/weak-password";
import { firstOrganizationLock, foundOrganization } from "../found-organization";
import { organizationName } from "../schema";
import { isSetupToken } from "../setup-token";

export const setUpInstance = saga({
  id: "organizations.setup",
  summary: "Set the instance up",
  description: "Creates the first organization with its admin. Refused permanently once the instance has had a user.",
  access: rules["instance.setup"],
  input: z.strictObject({
    token: z.string().max(limits.oneTimeToken),
    organization_name: organizationName,
    email,
    password: newPassword,
    name: userName.nullish(),
    // Reported by the browser, so a zone that we do not know must not prevent the set-up.
    timezone: timezone.nullish().catch(null),
  }),
  output: z.strictObject({ organization_id: z.string(), user_id: z.string(), account_id: z.string() }),
  errors: { setup_completed: 400, invalid_setup_token: 400, weak_password: 400 },
  idempotent: false,
  async begin({ ctx, input, fail }) {
    if (await hasAnyUser(ctx.db)) return fail("setup_completed");
    if (!(await isSetupToken(ctx.runtime, ctx.db, input.token))) return fail("invalid_setup_token");
    const { email, organization_name: organization } = input;
    if (isWeakPassword(input.password, { email, organization })) return fail("weak_password");
    return { intent: {} };
  },
  perform: ({ ctx, input }) => hashPassword(input.password, placeOf(ctx)),
  async finish({ ctx, input, outcome: passwordHash, fail }) {
    // If the lock is taken, its holder is about to commit the first organization.
    const isFree = await ctx.runtime.db.tryLockName(ctx.db, firstOrganizationLock);
    if (!isFree || (await hasAnyUser(ctx.db))) return fail("setup_completed");
    const founded = await foundOrganization(ctx, {
      organizationName: input.organization_name,
      email: input.email,
      name: input.name ?? null,
      timezone: input.timezone ?? null,
      passwordHash,
    });
    if (!founded) return fail("setup_completed");
    return { organization_id: founded.organizationId, user_id: founded.userId, account_id: founded.accountId };
  },
});
