// Exchanges a refresh token: counts it in the session, issues tokens, spends the old one, detects another device.
import { notifyUser } from "@/server/domains/users/notices";
import { readUser } from "@/server/domains/users/store";
import { secondsToWait } from "@/server/fairness/throttle";
import type { WriteContext } from "@/server/kit/context";
import { limits, minuteMs } from "@/server/kit/limits";
import { countExchange, type SessionRow } from "./store";
import { newDeviceThrottle } from "./throttles";
import { type Credential, insertTokens, spendToken } from "./token-store";
import { issueToken, sealsOf } from "./tokens";

/** The input of an exchange. */
export interface ExchangeRequest {
  token: string;
  rotates: boolean;
  deviceId: string | null;
  clientVersion: string | null;
}

/** The result of an exchange. Instants are epoch ms; `refreshExpiresAt` is null if the refresh token stays the same. */
export interface Exchanged {
  accessToken: string;
  accessExpiresAt: number;
  refreshToken: string;
  refreshExpiresAt: number | null;
}

/** The request body as one text, for comparison. */
export const textOf = ({ rotates, deviceId, clientVersion }: ExchangeRequest): string =>
  JSON.stringify([rotates, deviceId, clientVersion]);

/**
 * Exchanges an unspent refresh token. The caller has locked the session. Returns undefined, and writes nothing, if
 * another exchange came first.
 */
export async function exchange(
  ctx: WriteContext,
  locked: Credential,
  request: ExchangeRequest,
): Promise<Exchanged | undefined> {
  const { keys, env } = ctx.runtime;
  const isForeign = isForeignDevice(locked.session, request);
  const session = await countExchange(ctx.db, {
    id: locked.session.id,
    generation: locked.token.generation,
    rotated: request.rotates,
    now: ctx.now,
    deviceId: locked.session.deviceId ?? request.deviceId,
    deviceAnomalies: locked.session.deviceAnomalies + (isForeign ? 1 : 0),
    clientVersion: request.clientVersion ?? locked.session.clientVersion,
  });
  if (!session) return undefined;
  if (isForeign) await recordForeignDevice(ctx, session);

  const until = (lifeMs: number) => ({ now: ctx.now, expiresAt: Math.min(ctx.now + lifeMs, session.absoluteUntil) });
  const origin = { session, generation: session.generation, exchange: session.exchanges };
  const access = issueToken(keys, { ...origin, kind: "access" }, until(env.accessTokenMs));
  const rows = [{ ...access.row, ...sealedRequest(ctx, session.id, request), exchangeRotated: request.rotates }];
  const given = { accessToken: access.token, accessExpiresAt: access.row.expiresAt };
  if (!request.rotates) {
    await insertTokens(ctx.db, rows);
    return { ...given, refreshToken: request.token, refreshExpiresAt: null };
  }
  const refresh = issueToken(keys, { ...origin, kind: "refresh" }, until(env.refreshTokenMs));
  await insertTokens(ctx.db, [...rows, refresh.row]);
  // Read the clock again: a request that arrived while this one waited for its turn merely lost a race.
  await spendToken(ctx.db, locked.token.hash, ctx.runtime.clock.now());
  return { ...given, refreshToken: refresh.token, refreshExpiresAt: refresh.row.expiresAt };
}

function sealedRequest(
  { runtime, now, request: { idempotencyKey } }: WriteContext,
  sessionId: string,
  request: ExchangeRequest,
) {
  const [exchangeKey = null] = idempotencyKey === null ? [] : sealsOf(runtime.keys, "key", sessionId, idempotencyKey);
  const [exchangeRequest = null] = sealsOf(runtime.keys, "request", sessionId, textOf(request));
  return {
    exchangeKey,
    exchangeRequest,
    replayUntil: exchangeKey === null ? null : now + limits.refresh.replayMinutes * minuteMs,
  };
}

/** The first device that a session names is bound to it. Any other is an anomaly. */
const isForeignDevice = ({ deviceId }: SessionRow, request: ExchangeRequest): boolean =>
  deviceId !== null && request.deviceId !== null && deviceId !== request.deviceId;

/** Records the other device and tells the user, within the limit on notices of new devices. */
async function recordForeignDevice(ctx: WriteContext, session: SessionRow): Promise<void> {
  const { id, organizationId, userId, deviceAnomalies } = session;
  ctx.audit({
    target: id,
    organizationId,
    actor: { type: "user", id: userId },
    detail: { outcome: "device_changed", anomalies: deviceAnomalies },
  });
  ctx.emit({
    type: "session.device_changed",
    object: id,
    organizationId,
    data: { session_id: id, user_id: userId, device_anomalies: deviceAnomalies },
  });
  const user = await readUser(ctx.db, userId);
  if (!user || (await secondsToWait(ctx.db, ctx.now, [newDeviceThrottle(userId)])) !== null) return;
  await notifyUser(ctx, user, { notice: "session_device_changed" });
}
