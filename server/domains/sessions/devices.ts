// Known devices: their failed sign-ins count in a separate bucket, so that no stranger can lock the user out.
import { createHash, randomBytes } from "node:crypto";
import type { CallRequest, ReadContext, WriteContext } from "@/server/kit/context";
import { limits } from "@/server/kit/limits";
import { addressBlock } from "@/server/kit/peer";
import { hashToken, mintToken, parseToken } from "@/server/secrets/secret";
import { deviceCookie, deviceCookieMs } from "./cookie";
import { deleteDevices, findDevice, keepNewestDevices, removeExpiredDevices, upsertDevice } from "./device-store";

const apiDeviceMs = limits.kept.apiDeviceMs;

/** What identifies a device: the browser's cookie, or on the API `device_id` together with the address block. */
export type DeviceHint = { kind: "cookie" } | { kind: "api"; deviceId: string | null };

/** The hash under which a device is stored; null if the call identifies no device. */
function deviceHash(request: CallRequest, hint: DeviceHint): string | null {
  if (hint.kind === "cookie") {
    const token = parseToken("device", request.device ?? "");
    return token === null ? null : hashToken(token);
  }
  if (hint.deviceId === null) return null;
  return sha256(["device_id", hint.deviceId, addressBlock(request.ip)]);
}

const sha256 = (parts: readonly string[]): string => createHash("sha256").update(JSON.stringify(parts)).digest("hex");

/** The hash of the calling device if it is known for the user, else null. */
export async function knownDevice(
  { db, now, request }: Pick<ReadContext, "db" | "now" | "request">,
  userId: string | null,
  hint: DeviceHint,
): Promise<string | null> {
  const hash = deviceHash(request, hint);
  // The query also runs for an unknown user, so that both take equally long.
  return hash !== null && (await findDevice(db, userId ?? "", hash, now)) ? hash : null;
}

/**
 * Remembers the device of a successful sign-in and sets a browser's cookie. Returns whether the user has not signed in
 * from it before, as far as we know. The caller has locked the user.
 */
export async function rememberDevice(ctx: WriteContext, userId: string, hint: DeviceHint): Promise<boolean> {
  const { db, now, request, runtime } = ctx;
  // A program that names no device is remembered by its address block, so that further sign-ins cause no notices. For
  // the limits on failed sign-ins it stays unknown.
  let hash = deviceHash(request, hint) ?? blockHash(request);
  if (hint.kind === "cookie") {
    const token = parseToken("device", request.device ?? "") ?? mintToken("device", randomBytes(32));
    hash = hashToken(token);
    request.setCookie(deviceCookie(runtime.env, token));
  }
  const isNew = !(await findDevice(db, userId, hash, now));
  const lifeMs = hint.kind === "cookie" ? deviceCookieMs : apiDeviceMs;
  await upsertDevice(db, { userId, hash, kind: hint.kind, seenAt: now, expiresAt: now + lifeMs });
  await keepNewestDevices(db, userId, hint.kind, limits.knownDevices);
  return isNew;
}

const blockHash = ({ ip }: CallRequest): string => sha256(["address", addressBlock(ip)]);

/** Forgets all devices of a user whose password changed or who is removed. */
export const forgetDevicesOf = ({ db }: Pick<WriteContext, "db">, userId: string): Promise<void> =>
  deleteDevices(db, userId);

/** Removes up to `limit` expired devices; returns how many. */
export const removeOldDevices = (runtime: ReadContext["runtime"], limit: number): Promise<number> =>
  runtime.db.write((tx) => removeExpiredDevices(tx, runtime.clock.now(), limit));
