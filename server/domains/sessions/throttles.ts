// Sign-in limits: how many attempts may fail, and how many may succeed, in fifteen minutes; and limits of reset mails.
import type { Tx } from "@/db/client";
import { addressBucketOf, bucketOf, secondsToWait, type Throttle } from "@/server/fairness/throttle";
import type { ReadContext, WriteContext } from "@/server/kit/context";
import { throttled } from "@/server/kit/errors";
import { hourMs, limits, minuteMs } from "@/server/kit/limits";
import { addressBlock } from "@/server/kit/peer";
import type { Place } from "@/server/secrets/password";

const windowMs = limits.signInWindowMinutes * minuteMs;

type Caller = Pick<ReadContext, "runtime" | "request">;

/**
 * The buckets in which a failed attempt counts. A known device has its own bucket, so that a stranger who exhausts the
 * others does not lock the user out. All other attempts count by user and address, by user, and by address.
 */
export function failureThrottles({ runtime, request }: Caller, emailKey: string, device: string | null): Throttle[] {
  const { env } = runtime;
  if (device !== null) {
    const bucket = bucketOf("login_device", JSON.stringify([emailKey, device]));
    return [{ bucket, limit: env.loginFailuresPerDevice, windowMs }];
  }
  const pair = JSON.stringify([emailKey, addressBlock(request.ip)]);
  return [
    { bucket: bucketOf("login_pair", pair), limit: env.loginFailuresPerUserAndIp, windowMs },
    { bucket: bucketOf("login", emailKey), limit: env.loginFailuresPerUser, windowMs },
    { bucket: addressBucketOf("login_address", request.ip), limit: env.loginFailuresPerIp, windowMs },
  ];
}

/** Counts a successful sign-in. Beyond the limit it refuses with 429 and still commits. */
export async function countSuccess(
  { db, now, runtime }: Pick<WriteContext, "runtime" | "now"> & { db: Tx },
  userId: string,
): Promise<void> {
  const bucket = bucketOf("login_success", userId);
  const seconds = await secondsToWait(db, now, [{ bucket, limit: runtime.env.loginsPerUser, windowMs }]);
  if (seconds === null) return;
  throw throttled(seconds, true);
}

/** The caller's place in the queue of password checks. */
export const placeOf = ({ runtime, request }: Caller): Place => ({
  places: runtime.passwords,
  caller: addressBlock(request.ip),
});

/** How many links to reset a password are mailed to an address that anyone has asked for. */
export const resetMailThrottle = (emailKey: string): Throttle => ({
  bucket: bucketOf("reset_mail", emailKey),
  limit: limits.resets.mailsPerHour,
  windowMs: hourMs,
});

/** How many such links admins have mailed to a user. Strangers can use up the other counter, but not this one. */
export const sentResetThrottle = (userId: string): Throttle => ({
  bucket: bucketOf("reset_sent", userId),
  limit: limits.resets.mailsPerHour,
  windowMs: hourMs,
});

/** How often an address block may ask for such a link. */
export const resetRequestThrottle = ({ request }: Pick<Caller, "request">): Throttle => ({
  bucket: addressBucketOf("reset_request", request.ip),
  limit: limits.resets.requestsPerHour,
  windowMs: hourMs,
});

/** How many notices of sign-ins from new devices, and of sessions on other devices, a user gets. */
export const newDeviceThrottle = (userId: string): Throttle => ({
  bucket: bucketOf("new_device", userId),
  limit: limits.mail.newDevicesPerHour,
  windowMs: hourMs,
});
