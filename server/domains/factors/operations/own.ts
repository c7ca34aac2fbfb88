// The calling user's second factors, and new recovery codes.
import * as z from "zod";
import { rules } from "@/server/access/rules";
import { lockCaller } from "@/server/domains/users/caller";
import { timestamp } from "@/server/kit/fields";
import { userOf } from "@/server/kit/identity";
import { operation } from "@/server/kit/operation";
import { iso, isoOrNull } from "@/server/process/clock";
import { makeCodes, record } from "../change";
import { listPasskeys } from "../passkey-store";
import { relyingParty } from "../relying-party";
import { codesOutput } from "../schema";
import { countCodes, findTotp } from "../store";

export const ownFactors = operation({
  id: "factors.own",
  summary: "The caller's second factors",
  access: rules["factors.read"],
  effect: "read",
  input: z.strictObject({}),
  output: z.strictObject({
    totp_since: timestamp.nullable().meta({ description: "When the authenticator app was confirmed; null without." }),
    recovery_codes_left: z.int(),
    passkeys: z.array(
      z.strictObject({
        passkey_id: z.string(),
        name: z.string(),
        is_synced: z.boolean().meta({ description: "Whether it may be on several devices." }),
        created_at: timestamp,
        last_used_at: timestamp.nullable(),
      }),
    ),
    passkeys_offered: z.boolean().meta({ description: "Whether passkeys work at the address of this instance." }),
  }),
  errors: { insufficient_permissions: 400 },
  async run({ ctx, fail }) {
    const { userId } = userOf(ctx.actor) ?? fail("insufficient_permissions");
    const totp = await findTotp(ctx.db, userId);
    return {
      totp_since: isoOrNull(totp?.confirmedAt ?? null),
      recovery_codes_left: await countCodes(ctx.db, userId),
      passkeys: (await listPasskeys(ctx.db, userId)).map((row) => ({
        ...{ passkey_id: row.id, name: row.name, is_synced: row.isSynced },
        ...{ created_at: iso(row.createdAt), last_used_at: isoOrNull(row.lastUsedAt) },
      })),
      passkeys_offered: relyingParty(ctx.runtime.env) !== null,
    };
  },
});

export const renewCodes = operation({
  id: "factors.renewCodes",
  summary: "Replace the recovery codes",
  access: rules["factors.write"],
  effect: "write",
  input: z.strictObject({}),
  output: codesOutput,
  errors: { reauthentication_required: 400, insufficient_permissions: 400, mfa_not_set_up: 400 },
  // The response contains secrets, which must not be stored with the key.
  idempotent: false,
  async run({ ctx, fail }) {
    const user = await lockCaller(ctx, fail);
    if (!user.mfaEnabled) return fail("mfa_not_set_up");
    const codes = await makeCodes(ctx, user.id);
    await record(ctx, user, { renewed: "recovery_codes" });
    return { recovery_codes: codes };
  },
});
