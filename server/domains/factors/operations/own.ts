// The calling user's second factors, and new recovery codes.
import * as z from "zod";
import { rules } from "@/server/access/rules";
import { timestamp } from "@/server/kit/fields";
import { userOf } from "@/server/kit/identity";
import { operation } from "@/server/kit/operation";
import { isoOrNull } from "@/server/process/clock";
import { lockCaller, makeCodes, record } from "../change";
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
  }),
  errors: { insufficient_permissions: 400 },
  async run({ ctx, fail }) {
    const { userId } = userOf(ctx.actor) ?? fail("insufficient_permissions");
    const totp = await findTotp(ctx.db, userId);
    return {
      totp_since: isoOrNull(totp?.confirmedAt ?? null),
      recovery_codes_left: await countCodes(ctx.db, userId),
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
  // The answer contains secrets, which must not be stored with the key.
  idempotent: false,
  async run({ ctx, fail }) {
    const user = await lockCaller(ctx, fail);
    if (!user.mfaEnabled) return fail("mfa_not_set_up");
    const codes = await makeCodes(ctx, user.id);
    await record(ctx, user, { renewed: "recovery_codes" });
    return { recovery_codes: codes };
  },
});
