// What the dashboard shows of API keys besides the record: names, the end of an overlap, and who may know a secret.
import * as z from "zod";
import { rules } from "@/server/access/rules";
import { timestamp } from "@/server/kit/fields";
import { limits } from "@/server/kit/limits";
import { operation } from "@/server/kit/operation";
import { isoOrNull } from "@/server/process/clock";
import { apiKeyId } from "../schema";
import { findLeftBehind, findNamed, type NamedKey } from "../store";

const details = z.strictObject({
  api_key_id: z.string(),
  name: z.string(),
  account_name: z.string().nullable(),
  creator_name: z.string().nullable(),
  creator_is_removed: z.boolean(),
  needs_rotation: z.boolean().meta({ description: "Whether a former admin may know a secret that works." }),
  previous_secret_until: timestamp.nullable().meta({ description: "When the previous secret ends." }),
});

export const apiKeyDetails = operation({
  id: "apiKeys.details",
  summary: "Details of API keys",
  description: "Those of the given ids that the organization has.",
  access: rules["apiKeys.read"],
  effect: "read",
  input: z.strictObject({ api_key_ids: z.array(apiKeyId).max(limits.selection) }),
  output: z.strictObject({ data: z.array(details) }),
  errors: { insufficient_permissions: 400 },
  async run({ ctx, input }) {
    const rows = await findNamed(ctx.db, ctx.scope, ctx.now, input.api_key_ids);
    return { data: rows.map((row) => presentDetails(row, ctx.now)) };
  },
});

export const apiKeysLeftBehind = operation({
  id: "apiKeys.leftBehind",
  summary: "API keys whose secret a former admin may know",
  description: "Live keys with a working secret that a former admin made, oldest first.",
  access: rules["apiKeys.read"],
  effect: "read",
  input: z.strictObject({}),
  output: z.strictObject({ data: z.array(details), has_more: z.boolean() }),
  errors: { insufficient_permissions: 400 },
  async run({ ctx }) {
    const rows = await findLeftBehind(ctx.db, ctx.scope, ctx.now, limits.attention + 1);
    const shown = rows.slice(0, limits.attention);
    return { data: shown.map((row) => presentDetails(row, ctx.now)), has_more: rows.length > shown.length };
  },
});

const presentDetails = (row: NamedKey, now: number) => ({
  api_key_id: row.id,
  name: row.name,
  account_name: row.accountName,
  creator_name: row.creatorName,
  creator_is_removed: row.creatorRemovedAt !== null,
  needs_rotation: row.leftBehind === 1,
  previous_secret_until: isoOrNull(row.previousUntil !== null && row.previousUntil > now ? row.previousUntil : null),
});
