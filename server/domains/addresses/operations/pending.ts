// The caller's own pending change of address: see it, and cancel it.
import * as z from "zod";
import { rules } from "@/server/access/rules";
import { lockUser, readUser } from "@/server/domains/users/store";
import { userOf } from "@/server/kit/identity";
import { operation } from "@/server/kit/operation";
import { iso } from "@/server/process/clock";
import { pendingChange } from "../links";
import { deleteUnused } from "../store";

export const pendingEmail = operation({
  id: "users.pendingEmail",
  summary: "Get the e-mail address that the caller asked for and has not confirmed yet",
  access: rules["users.pendingEmail"],
  effect: "read",
  input: z.strictObject({}),
  output: z.strictObject({
    pending: z
      .strictObject({ email: z.string(), expires_at: z.string() })
      .nullable()
      .meta({ description: "The same whether or not another user has the address." }),
  }),
  errors: { insufficient_permissions: 400 },
  async run({ ctx, fail }) {
    const user = (await readUser(ctx.db, userOf(ctx.actor)?.userId ?? "")) ?? fail("insufficient_permissions");
    const row = await pendingChange(ctx.db, user, ctx.now);
    return { pending: row === null ? null : { email: row.email, expires_at: iso(row.expiresAt) } };
  },
});

export const cancelEmailChange = operation({
  id: "users.cancelEmailChange",
  summary: "Cancel the pending change of the e-mail address",
  description: "Voids the link that was mailed to the new address. Changes nothing if there is none.",
  access: rules["users.cancelEmailChange"],
  effect: "write",
  input: z.strictObject({}),
  output: z.strictObject({ user_id: z.string() }),
  errors: { insufficient_permissions: 400 },
  async run({ ctx, fail }) {
    const user = await lockUser(ctx.db, userOf(ctx.actor)?.userId ?? "");
    if (user?.status !== "active") return fail("insufficient_permissions");
    await deleteUnused(ctx.db, user.id, "change");
    ctx.audit({ target: user.id });
    return { user_id: user.id };
  },
});
