// The authenticator app of the calling user: set it up or replace it, confirm it with a code, remove it.
import { randomBytes } from "node:crypto";
import * as z from "zod";
import { rules } from "@/server/access/rules";
import { organizationById } from "@/server/domains/organizations/organization";
import { lockCaller } from "@/server/domains/users/caller";
import { throttled } from "@/server/kit/errors";
import { limits, minuteMs } from "@/server/kit/limits";
import { operation } from "@/server/kit/operation";
import { qrSvg } from "@/server/kit/qr";
import { seal } from "@/server/secrets/seal";
import { factorAdded, factorRemoved, record } from "../change";
import { confirmedTotp, countTry, giveBackTry, rightStep } from "../code";
import { listPasskeys } from "../passkey-store";
import { codesOutput, oneTimeCode } from "../schema";
import { confirmTotp as confirm, deleteTotp, findTotp, putNextTotp, putTotp, type TotpRow } from "../store";
import { isTotpCode, totpKey, totpSecretBytes } from "../totp";

export const setUpTotp = operation({
  id: "factors.setUpTotp",
  summary: "Begin to set up an authenticator app, or to replace the one that is set up",
  access: rules["factors.write"],
  effect: "write",
  input: z.strictObject({}),
  output: z.strictObject({
    key: z.string().meta({ description: "The secret in base32, to type into the app." }),
    qr: z.string().meta({ description: "A QR code with the secret, as SVG." }),
  }),
  errors: { reauthentication_required: 400, insufficient_permissions: 400 },
  // The response contains a secret, which must not be stored with the key.
  idempotent: false,
  async run({ ctx, fail }) {
    const user = await lockCaller(ctx, fail);
    const secret = randomBytes(totpSecretBytes);
    const sealed = seal(ctx.runtime.keys, { purpose: "totp", ownerId: user.id }, secret);
    // The current app is kept until a code proves that the new one has its secret.
    const put = (await confirmedTotp(ctx, user.id)) ? putNextTotp : putTotp;
    await put(ctx.db, { userId: user.id, secret: sealed, createdAt: ctx.now });
    ctx.audit({ target: user.id });
    const { name } = await organizationById(ctx.db, user.organizationId);
    const { key, uri } = totpKey(secret, name, user.email);
    return { key, qr: qrSvg(uri) };
  },
});

export const confirmTotp = operation({
  id: "factors.confirmTotp",
  summary: "Confirm an authenticator app with its first code",
  access: rules["factors.write"],
  effect: "write",
  input: z.strictObject({ code: oneTimeCode }),
  output: codesOutput,
  errors: {
    reauthentication_required: 400,
    insufficient_permissions: 400,
    totp_setup_expired: 400,
    invalid_otp: 400,
  },
  idempotent: false,
  async run({ ctx, input, fail, failAfterCommit }) {
    const user = await lockCaller(ctx, fail);
    const known = await findTotp(ctx.db, user.id);
    const waiting = known && waitingIn(known);
    if (!waiting || ctx.now - waiting.createdAt >= limits.totpSetupMinutes * minuteMs) {
      return fail("totp_setup_expired");
    }
    const seconds = await countTry(ctx, user.id, "setUp");
    if (seconds !== null) throw throttled(seconds);
    const code = input.code.replace(/\s/g, "");
    const right = isTotpCode(code) ? rightStep(ctx, waiting, code) : null;
    if (!right) {
      ctx.audit({ target: user.id, isRefusal: true, detail: { outcome: "invalid_otp" } });
      return failAfterCommit("invalid_otp");
    }
    await giveBackTry(ctx, user.id, "setUp");
    const { step: lastStep, secret = waiting.secret } = right;
    await confirm(ctx.db, user.id, { secret, lastStep, confirmedAt: ctx.now });
    if (known.confirmedAt !== null) {
      await record(ctx, user, { replaced: "totp" });
      return { recovery_codes: [] };
    }
    return { recovery_codes: await factorAdded(ctx, user, "totp") };
  },
});

/** The app that waits for its first code; null if there is none. */
function waitingIn({ userId, secret, createdAt, confirmedAt, nextSecret, nextCreatedAt }: TotpRow) {
  if (confirmedAt === null) return { userId, secret, createdAt, lastStep: null };
  if (nextSecret === null || nextCreatedAt === null) return null;
  return { userId, secret: nextSecret, createdAt: nextCreatedAt, lastStep: null };
}

export const removeTotp = operation({
  id: "factors.removeTotp",
  summary: "Remove the authenticator app",
  access: rules["factors.write"],
  effect: "write",
  input: z.strictObject({}),
  output: z.strictObject({ removed: z.literal(true) }),
  errors: { reauthentication_required: 400, insufficient_permissions: 400, mfa_not_set_up: 400, last_factor: 400 },
  async run({ ctx, fail }) {
    const user = await lockCaller(ctx, fail);
    if (!(await confirmedTotp(ctx, user.id))) return fail("mfa_not_set_up");
    await deleteTotp(ctx.db, user.id);
    const isLast = (await listPasskeys(ctx.db, user.id)).length === 0;
    await factorRemoved(ctx, user, { factor: "totp", isLast }, fail);
    return { removed: true as const };
  },
});
