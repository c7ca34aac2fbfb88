// When each of several users was last seen, for the list of users.
import * as z from "zod";
import { rules } from "@/server/access/rules";
import { timestamp } from "@/server/kit/fields";
import { limits } from "@/server/kit/limits";
import { operation } from "@/server/kit/operation";
import { iso } from "@/server/process/clock";
import { lastUses } from "../list-store";

export const lastSeen = operation({
  id: "sessions.lastSeen",
  summary: "When users last used a session",
  description: "Of sessions that have not been removed; ended ones count too. A user without one is left out.",
  access: rules["sessions.lastSeen"],
  effect: "read",
  input: z.strictObject({ user_ids: z.array(z.string().max(limits.id)).max(limits.page.max) }),
  output: z.strictObject({ data: z.array(z.strictObject({ user_id: z.string(), last_seen_at: timestamp })) }),
  errors: { insufficient_permissions: 400 },
  async run({ ctx, input }) {
    const rows = await lastUses(ctx.db, ctx.scope, input.user_ids);
    return { data: rows.map(({ userId, at }) => ({ user_id: userId, last_seen_at: iso(at) })) };
  },
});
