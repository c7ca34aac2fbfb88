// Checks the one-time code of a sign-in: a code from the authenticator app, or a recovery code. Each works once.
import { notifyUser } from "@/server/domains/users/notices";
import type { UserRow } from "@/server/domains/users/store";
import { bucketOf, giveBack, isFull, secondsToWait, type Throttle } from "@/server/fairness/throttle";
import type { WriteContext } from "@/server/kit/context";
import { throttled } from "@/server/kit/errors";
import { limits, minuteMs } from "@/server/kit/limits";
import type { Fail } from "@/server/kit/operation";
import { seal, sealedUnder, unseal } from "@/server/secrets/seal";
import { hashesOf, readCode } from "./recovery";
import { findTotp, spendCode, spendStep, type TotpRow } from "./store";
import { isTotpCode, matchingStep } from "./totp";

type Refuse = Fail<"mfa_required" | "invalid_otp">;

/** What a code is asked for. A sign-in on the API needs an authenticator app; passkeys work only in a browser. */
interface Asked {
  code: string | null;
  on: "api" | "page";
  source: CodeSource;
}

/**
 * Where a code was entered. Wrong codes are counted for each, so that a password thief cannot lock the user out.
 * `device`: the hash of a device from which the user has signed in before, null for all others together. `resetLink`:
 * the hash of the link. `setUp`: a new app is being confirmed.
 */
type CodeSource = { device: string | null } | { resetLink: string } | "setUp";

/**
 * Refuses a user who has a second factor unless the code is right, and uses the code up. Every refusal is audited and
 * commits. Call it only after the password was right, with the user locked.
 */
export async function checkSecondFactor(ctx: WriteContext, user: UserRow, asked: Asked, refuse: Refuse): Promise<void> {
  if (!user.mfaEnabled) return;
  const totp = await confirmedTotp(ctx, user.id);
  if (asked.code === null || asked.code === "" || (asked.on === "api" && !totp)) {
    return refused(ctx, user, "mfa_required", refuse);
  }
  const seconds = await countTry(ctx, user.id, asked.source);
  if (seconds !== null) {
    auditRefusal(ctx, user, "rate_limited");
    throw throttled(seconds, true);
  }
  const kind = await spend(ctx, user.id, totp, asked.code);
  if (kind === null) {
    await warnOfThief(ctx, user, asked.source);
    return refused(ctx, user, "invalid_otp", refuse);
  }
  await giveBackTry(ctx, user.id, asked.source);
  if (kind === "recovery") await notifyUser(ctx, user, { notice: "recovery_code_used" });
}

/** The user's authenticator app, unless it still waits for its first code. */
export async function confirmedTotp({ db }: Pick<WriteContext, "db">, userId: string): Promise<TotpRow | undefined> {
  const totp = await findTotp(db, userId);
  return totp?.confirmedAt === null ? undefined : totp;
}

/** Uses the code up and returns its kind; null if it is wrong. */
async function spend(
  ctx: WriteContext,
  userId: string,
  totp: TotpRow | undefined,
  text: string,
): Promise<"totp" | "recovery" | null> {
  const code = text.replace(/\s/g, "");
  if (isTotpCode(code)) return totp && (await spendTotpCode(ctx, totp, code)) ? "totp" : null;
  if (readCode(code) === null) return null;
  return (await spendCode(ctx.db, userId, hashesOf(ctx.runtime.keys, userId, code))) ? "recovery" : null;
}

/** Uses up a code of an authenticator app; false if it is wrong or has been used. */
async function spendTotpCode(ctx: WriteContext, totp: TotpRow, code: string): Promise<boolean> {
  const right = rightStep(ctx, totp, code);
  return right !== null && spendStep(ctx.db, totp.userId, right);
}

/**
 * The time step of a correct code, with the secret sealed anew if the server key has been rotated; null for a
 * wrong or used code. Without the key that sealed the secret, or if the sealed secret was changed, every code is wrong,
 * and the log says why.
 */
export function rightStep(
  { now, runtime: { keys, log } }: WriteContext,
  { userId, secret, lastStep }: Pick<TotpRow, "userId" | "secret" | "lastStep">,
  code: string,
): { step: number; secret?: string } | null {
  const owner = { purpose: "totp", ownerId: userId };
  const under = sealedUnder(keys, secret);
  if (under === "missing") {
    const [keyId] = secret.split(".");
    log.error({ userId, keyId }, "SECRET_KEY: the key that sealed the secret of an authenticator app is missing");
    return null;
  }
  const opened = openedOrNull(() => unseal(keys, owner, secret));
  if (opened === null) {
    log.error({ userId }, "the sealed secret of an authenticator app was changed");
    return null;
  }
  const step = matchingStep(opened, code, now, lastStep);
  if (step === null) return null;
  return { step, ...(under === "other" && { secret: seal(keys, owner, opened) }) };
}

function openedOrNull(open: () => Buffer): Buffer | null {
  try {
    return open();
  } catch {
    return null;
  }
}

function throttleOf(userId: string, source: CodeSource): Throttle {
  const limit = limits.wrongCodes;
  const windowMs = limits.signInWindowMinutes * minuteMs;
  if (source === "setUp") return { bucket: bucketOf("code_of_new_app", userId), limit, windowMs };
  if ("resetLink" in source) {
    const bucket = bucketOf("code_with_link", JSON.stringify([userId, source.resetLink]));
    return { bucket, limit, windowMs: limits.resetLinkMinutes * minuteMs };
  }
  if (source.device === null) return { bucket: bucketOf("one_time_code", userId), limit, windowMs };
  return { bucket: bucketOf("code_on_device", JSON.stringify([userId, source.device])), limit, windowMs };
}

/** Counts a try before its code is checked. Returns the seconds to wait if too many were wrong. */
export const countTry = ({ db, now }: WriteContext, userId: string, source: CodeSource): Promise<number | null> =>
  secondsToWait(db, now, [throttleOf(userId, source)]);

/** Takes back a try whose code was right. */
export const giveBackTry = ({ db, now }: WriteContext, userId: string, source: CodeSource): Promise<void> =>
  giveBack(db, now, [throttleOf(userId, source)]);

/** Warns the user when unknown devices have used up their tries: only a caller with the correct password gets here. */
async function warnOfThief(ctx: WriteContext, user: UserRow, source: CodeSource): Promise<void> {
  if (source === "setUp" || !("device" in source) || source.device !== null) return;
  if (!(await isFull(ctx.db, ctx.now, throttleOf(user.id, source)))) return;
  await notifyUser(ctx, user, { notice: "password_known" });
}

function refused(ctx: WriteContext, user: UserRow, code: "mfa_required" | "invalid_otp", refuse: Refuse): never {
  auditRefusal(ctx, user, code);
  return refuse(code);
}

const auditRefusal = (ctx: WriteContext, { id, organizationId }: UserRow, outcome: string): void =>
  ctx.audit({ target: id, organizationId, isRefusal: true, detail: { outcome } });
