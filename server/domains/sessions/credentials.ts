// Checking an e-mail address and a password, shared by every way of signing in: count, verify outside, admit.
import { setTimeout as sleep } from "node:timers/promises";
import { roleMay } from "@/server/access/may";
import { findOwnOpenIds } from "@/server/domains/accounts/store";
import { findByEmail, lockUser, setPasswordHash, type UserRow } from "@/server/domains/users/store";
import { giveBack, reserve } from "@/server/fairness/throttle";
import type { ReadContext, WriteContext } from "@/server/kit/context";
import { Failure } from "@/server/kit/errors";
import { foldEmail } from "@/server/kit/fields";
import type { Fail } from "@/server/kit/operation";
import { hashPassword, isOutdated, verifyPassword } from "@/server/secrets/password";
import { type DeviceHint, knownDevice, rememberDevice } from "./devices";
import { countSuccess, failureThrottles, placeOf } from "./throttles";

export interface Credentials {
  email: string;
  password: string;
}

/** The first transaction's word to the later ones: the device, if the user has signed in from it before. */
export type Counted = { device: string | null };

/** What verifying came to. It stays in memory: a saga's intent would be stored. */
export type Verified =
  | { outcome: "right"; userId: string; passwordHash: string; renewedHash: string | null }
  | { outcome: "wrong"; userId: string | null }
  | { outcome: "busy"; failure: Failure };

/** First transaction: counts the try before its password is verified, alike for known and unknown users. */
export async function countTry(
  ctx: WriteContext,
  { email }: Pick<Credentials, "email">,
  hint: DeviceHint,
): Promise<{ intent: Counted }> {
  const user = await findByEmail(ctx.db, email);
  const device = await knownDevice(ctx, user?.id ?? null, hint);
  await reserve(ctx.db, ctx.now, failureThrottles(ctx, foldEmail(email), device));
  return { intent: { device } };
}

/** Outside any transaction: verifies the password, for an unknown user against a hash that nothing matches. */
export async function verifyCredentials(
  ctx: ReadContext,
  { email, password }: Credentials,
  { device }: Counted,
): Promise<Verified> {
  const { pressure } = ctx.runtime;
  const place = placeOf(ctx);
  if (device === null) await sleep(await pressure.delayFor(ctx.request.ip));
  const user = await findByEmail(ctx.db, email);
  const passwordHash = user?.passwordHash ?? null;
  try {
    const isRight = await verifyPassword(passwordHash, password, place);
    if (!user || passwordHash === null || !isRight) {
      await pressure.note(ctx.request.ip);
      return { outcome: "wrong", userId: user?.id ?? null };
    }
    const renewedHash = isOutdated(passwordHash) ? await hashPassword(password, place) : null;
    return { outcome: "right", userId: user.id, passwordHash, renewedHash };
  } catch (error) {
    // Thrown on from the next transaction, which gives the counted try back first.
    if (error instanceof Failure) return { outcome: "busy", failure: error };
    throw error;
  }
}

/** What the later transactions know of a try. */
interface Tried {
  email: string;
  counted: Counted;
  verified: Verified;
}

/**
 * Second transaction: the user whose password was right, locked. Every refusal stays on record; a wrong password stays
 * counted, everything else is given back.
 */
export async function holdVerified(
  ctx: WriteContext,
  { email, counted, verified }: Tried,
  failAfterCommit: Fail<"invalid_credentials">,
): Promise<UserRow> {
  if (verified.outcome === "wrong") {
    ctx.audit({ target: verified.userId, isRefusal: true, detail: { outcome: "invalid_credentials" } });
    return failAfterCommit("invalid_credentials");
  }
  await giveBack(ctx.db, ctx.now, failureThrottles(ctx, foldEmail(email), counted.device));
  if (verified.outcome === "busy") {
    const { code, status, message, headers } = verified.failure;
    ctx.audit({ target: null, isRefusal: true, detail: { outcome: code } });
    throw new Failure(code, status, message, headers, true);
  }
  const user = await lockUser(ctx.db, verified.userId);
  // Since the password was verified the user may have been removed, or the password changed.
  if (user?.status !== "active" || user.passwordHash !== verified.passwordHash) {
    ctx.audit({ target: verified.userId, isRefusal: true, detail: { outcome: "invalid_credentials" } });
    return failAfterCommit("invalid_credentials");
  }
  return user;
}

/** Second transaction of a sign-in: the user who may now have a session, locked; its device is remembered. */
export async function admit(
  ctx: WriteContext,
  tried: Tried,
  hint: DeviceHint,
  failAfterCommit: Fail<"invalid_credentials" | "account_closed">,
): Promise<UserRow> {
  const user = await holdVerified(ctx, tried, failAfterCommit);
  const { id, organizationId } = user;
  const owned = await findOwnOpenIds(ctx.db, organizationId, id);
  if (owned.length === 0 && !roleMay("sessions.login.withoutAccount", user.role)) {
    ctx.audit({ target: id, organizationId, isRefusal: true, detail: { outcome: "account_closed" } });
    return failAfterCommit("account_closed");
  }
  try {
    await countSuccess(ctx, id);
  } catch (error) {
    ctx.audit({ target: id, organizationId, isRefusal: true, detail: { outcome: "rate_limited" } });
    throw error;
  }
  const renewed = tried.verified.outcome === "right" ? tried.verified.renewedHash : null;
  if (renewed !== null) await setPasswordHash(ctx.db, id, renewed);
  await rememberDevice(ctx, id, hint);
  return user;
}
