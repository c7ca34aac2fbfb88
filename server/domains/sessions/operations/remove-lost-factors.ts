// An admin removes the second factors of a user who has lost them. The user and all admins are told by mail.
import * as z from "zod";
import { dashboardUser } from "@/server/access/fresh";
import { rules } from "@/server/access/rules";
import { removeLostFactors } from "@/server/domains/factors/change";
import { userId } from "@/server/domains/users/schema";
import { findUser, lockUser } from "@/server/domains/users/store";
import { operation } from "@/server/kit/operation";
import { endSessions } from "../end";
import { askForNewPassword } from "../passwords";

export const removeLost = operation({
  id: "factors.removeLost",
  summary: "Remove the second factors of a user who has lost them",
  description:
    "Ends the user's sessions. A user with a verified address is mailed a link to set a new password, and the current " +
    "one stops working. Without a mail server or a verified address, the password stays valid and is enough to sign in.",
  access: rules["factors.removeLost"],
  effect: "write",
  input: z.strictObject({ user_id: userId }),
  output: z.strictObject({ user_id: z.string() }),
  errors: { reauthentication_required: 400, insufficient_permissions: 400, user_not_found: 400, mfa_not_set_up: 400 },
  async run({ ctx, input, fail }) {
    // A stolen API token must not make way for a sign-in.
    const caller = dashboardUser(ctx.actor) ?? fail("insufficient_permissions");
    // A user who is signed in has not lost them, and removes them on the profile.
    if (caller.userId === input.user_id) return fail("insufficient_permissions");
    const seen = await findUser(ctx.db, ctx.scope.organizationId, input.user_id);
    const user = seen && (await lockUser(ctx.db, seen.id));
    if (user?.status !== "active") return fail("user_not_found");
    if (!user.mfaEnabled) return fail("mfa_not_set_up");
    await endSessions(ctx, { userId: user.id }, "admin_action");
    await removeLostFactors(ctx, user);
    await askForNewPassword(ctx, user);
    return { user_id: user.id };
  },
});
