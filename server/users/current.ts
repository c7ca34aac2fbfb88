// Who am I: the signed-in user with its organization, as the dashboard's pages ask on every view.
import * as z from "zod";
import { organizationModes, userRoles } from "@/db/schema/values";
import { rules } from "../access/rules";
import { operation } from "../kit/operation";
import { organizationOf } from "../organizations/find";
import { findUser } from "./store";

export const currentUser = operation({
  id: "users.current",
  summary: "Retrieve the signed-in user",
  access: rules["sessions.read"],
  effect: "read",
  input: z.strictObject({}),
  output: z.strictObject({
    user_id: z.string(),
    email: z.string(),
    name: z.string().nullable(),
    role: z.enum(userRoles),
    account_id: z.string().nullable(),
    organization: z.strictObject({ organization_id: z.string(), name: z.string(), mode: z.enum(organizationModes) }),
  }),
  errors: { user_not_found: 400 },
  async run({ ctx, fail }) {
    const { actor } = ctx;
    // An API key acts for an organization; there is no user behind it.
    if (actor.type !== "user") return fail("user_not_found");
    const [user, organization] = await Promise.all([
      findUser(ctx.db, actor.organizationId, actor.userId),
      organizationOf(ctx.db, actor.organizationId),
    ]);
    if (!user || !organization) return fail("user_not_found");
    const { id: userId, email, name, role, accountId } = user;
    return {
      user_id: userId,
      email,
      name,
      role,
      account_id: accountId,
      organization: { organization_id: organization.id, name: organization.name, mode: organization.mode },
    };
  },
});
