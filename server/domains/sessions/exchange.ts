// The exchange itself: counts it in the session, issues the tokens, spends the old one, notices another device.
import type { WriteContext } from "@/server/kit/context";
import { replayMs } from "./rules";
import { countExchange, type SessionRow } from "./store";
import { type Credential, insertTokens, spendToken } from "./token-store";
import { issueToken, sealsOf } from "./tokens";

/** What an exchange is asked for with. */
export interface Request {
  token: string;
  rotates: boolean;
  deviceId: string | null;
  clientVersion: string | null;
}

/** What an exchange gives. Instants are epoch ms; `refreshExpiresAt` is null where the refresh token stays the same. */
export interface Exchanged {
  accessToken: string;
  accessExpiresAt: number;
  refreshToken: string;
  refreshExpiresAt: number | null;
}

/** The body of a request as one text, for comparing. */
export const textOf = ({ rotates, deviceId, clientVersion }: Request): string =>
  JSON.stringify([rotates, deviceId, clientVersion]);

/**
 * Exchanges an unspent refresh token whose session the caller holds. Undefined if another exchange came first all the
 * same; then nothing was written.
 */
export async function exchange(ctx: WriteContext, held: Credential, request: Request): Promise<Exchanged | undefined> {
  const { keys, env } = ctx.runtime;
  const isForeign = isForeignDevice(held.session, request);
  const session = await countExchange(ctx.db, {
    id: held.session.id,
    generation: held.token.generation,
    rotated: request.rotates,
    now: ctx.now,
    deviceId: held.session.deviceId ?? request.deviceId,
    deviceAnomalies: held.session.deviceAnomalies + (isForeign ? 1 : 0),
    clientVersion: request.clientVersion ?? held.session.clientVersion,
  });
  if (!session) return undefined;
  if (isForeign) recordForeignDevice(ctx, session);

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
  // The clock is read again: a request that arrived while this one waited for its turn has lost a race, no more.
  await spendToken(ctx.db, held.token.hash, ctx.runtime.clock.now());
  return { ...given, refreshToken: refresh.token, refreshExpiresAt: refresh.row.expiresAt };
}

function sealedRequest(
  { runtime, now, request: { idempotencyKey } }: WriteContext,
  sessionId: string,
  request: Request,
) {
  const [exchangeKey = null] = idempotencyKey === null ? [] : sealsOf(runtime.keys, "key", sessionId, idempotencyKey);
  const [exchangeRequest = null] = sealsOf(runtime.keys, "request", sessionId, textOf(request));
  return { exchangeKey, exchangeRequest, replayUntil: exchangeKey === null ? null : now + replayMs };
}

/** The first device that is named is trusted; another one later is an anomaly. */
const isForeignDevice = ({ deviceId }: SessionRow, request: Request): boolean =>
  deviceId !== null && request.deviceId !== null && deviceId !== request.deviceId;

function recordForeignDevice(ctx: WriteContext, session: SessionRow): void {
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
}
