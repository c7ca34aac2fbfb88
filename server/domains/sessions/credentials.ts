// Checks an e-mail address and a password for every way of signing in: counts the attempt, verifies, admits.
import { setTimeout as sleep } from "node:timers/promises";
import { roleMay } from "@/server/access/may";
import { findOwnOpenIds } from "@/server/domains/accounts/store";
import { checkSecondFactor } from "@/server/domains/factors/code";
import { notifyUser } from "@/server/domains/users/notices";
import { findByEmail, lockUser, setPasswordHash, type UserRow } from "@/server/domains/users/store";
import { giveBack, reserve, secondsToWait } from "@/server/fairness/throttle";
import type { ReadContext, WriteContext } from "@/server/kit/context";
import { Failure } from "@/server/kit/errors";
import { foldEmail } from "@/server/kit/fields";
import type { Fail } from "@/server/kit/operation";
import { hashPassword, isOutdated, verifyPassword } from "@/server/secrets/password";
import { type DeviceHint, knownDevice, rememberDevice } from "./devices";
import { countSuccess, failureThrottles, newDeviceThrottle, placeOf } from "./throttles";

interface Credentials {
  email: string;
  password: string;
}

/** Passed on from the first transaction: the device, if the user has signed in from it before. */
type Counted = { device: string | null };

/** The result of verifying. It is never part of a saga's intent, because an intent is stored. */
export type Verified =
  | { outcome: "right"; userId: string; passwordHash: string; renewedHash: string | null }
  /** The known user; null for an unknown address. */
  | { outcome: "wrong"; user: Pick<UserRow, "id" | "organizationId"> | null }
  | { outcome: "busy"; failure: Failure };

/** First transaction: counts the attempt before verifying its password, alike for known and unknown users. */
export async function countAttempt(
  ctx: WriteContext,
  { email }: Pick<Credentials, "email">,
  hint: DeviceHint,
): Promise<{ intent: Counted }> {
  const user = await findByEmail(ctx.db, email);
  const device = await knownDevice(ctx, user?.id ?? null, hint);
  await reserve(ctx.db, ctx.now, failureThrottles(ctx, foldEmail(email), device));
  return { intent: { device } };
}

/** Outside any transaction: verifies the password; for an unknown user against a hash that matches nothing. */
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
      return { outcome: "wrong", user: user ?? null };
    }
    const renewedHash = isOutdated(passwordHash) ? await hashPassword(password, place) : null;
    return { outcome: "right", userId: user.id, passwordHash, renewedHash };
  } catch (error) {
    // The next transaction throws it, after it has given the counted attempt back.
    if (error instanceof Failure) return { outcome: "busy", failure: error };
    throw error;
  }
}

/** An attempt, as the second transaction sees it. */
interface CountedAttempt {
  email: string;
  counted: Counted;
  verified: Verified;
}

/**
 * Second transaction: returns the user whose password was right, locked. Audits every refusal. A wrong password stays
 * counted; any other outcome gives the attempt back.
 */
export async function lockVerified(
  ctx: WriteContext,
  { email, counted, verified }: CountedAttempt,
  failAfterCommit: Fail<"invalid_credentials">,
): Promise<UserRow> {
  if (verified.outcome === "wrong") {
    const { id = null, organizationId = null } = verified.user ?? {};
    ctx.audit({ target: id, organizationId, isRefusal: true, detail: { outcome: "invalid_credentials" } });
    return failAfterCommit("invalid_credentials");
  }
  await giveBack(ctx.db, ctx.now, failureThrottles(ctx, foldEmail(email), counted.device));
  if (verified.outcome === "busy") {
    const { code, status, message, headers } = verified.failure;
    ctx.audit({ target: null, isRefusal: true, detail: { outcome: code } });
    throw new Failure(code, status, message, headers, true);
  }
  const user = await lockUser(ctx.db, verified.userId);
  // The user may have been removed or the password changed since it was verified.
  if (user?.status !== "active" || user.passwordHash !== verified.passwordHash) {
    const organizationId = user?.organizationId ?? null;
    ctx.audit({ target: verified.userId, organizationId, isRefusal: true, detail: { outcome: "invalid_credentials" } });
    return failAfterCommit("invalid_credentials");
  }
  return user;
}

/** Second transaction of a sign-in: returns the locked user, who may now get a session, and remembers the device. */
export async function admit(
  ctx: WriteContext,
  attempt: CountedAttempt & { otp: string | null },
  hint: DeviceHint,
  failAfterCommit: Fail<"invalid_credentials" | "mfa_required" | "invalid_otp" | "account_closed">,
): Promise<UserRow> {
  const user = await lockVerified(ctx, attempt, failAfterCommit);
  const asked = { code: attempt.otp, on: hint.kind === "api" ? "api" : "page", source: attempt.counted } as const;
  await checkSecondFactor(ctx, user, asked, failAfterCommit);
  await letIn(ctx, user, hint, failAfterCommit);
  const renewed = attempt.verified.outcome === "right" ? attempt.verified.renewedHash : null;
  if (renewed !== null) await setPasswordHash(ctx.db, user.id, renewed);
  return user;
}

/** Before a locked user who was authenticated gets a session: counts the sign-in and remembers the device. */
export async function letIn(
  ctx: WriteContext,
  user: UserRow,
  hint: DeviceHint,
  failAfterCommit: Fail<"account_closed">,
): Promise<void> {
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
  const isNewDevice = await rememberDevice(ctx, id, hint);
  // The first sign-in ever is always from a new device.
  if (isNewDevice && user.lastLoginAt !== null) await notifyOfNewDevice(ctx, user);
}

/** Tells the user by mail. Someone who knows the password cannot flood the user with such mails. */
async function notifyOfNewDevice(ctx: WriteContext, user: UserRow): Promise<void> {
  if ((await secondsToWait(ctx.db, ctx.now, [newDeviceThrottle(user.id)])) !== null) return;
  await notifyUser(ctx, user, { notice: "new_device" });
}
