// POST /v1/auth/refresh: exchanges a refresh token for new tokens, exactly once under any concurrency.
import { rules } from "@/server/access/rules";
import { notifyUser } from "@/server/domains/users/notices";
import { readUser } from "@/server/domains/users/store";
import type { AuditRecord, WriteContext } from "@/server/kit/context";
import { limits } from "@/server/kit/limits";
import { type Fail, operation } from "@/server/kit/operation";
import { iso } from "@/server/process/clock";
import { hashToken, parseToken } from "@/server/secrets/secret";
import { bearerToken } from "../authenticate";
import { endSessions } from "../end";
import { type ExchangeRequest, exchange } from "../exchange";
import { replay } from "../replay";
import { meaningOfSpent } from "../rules";
import { refreshInput, refreshOutput } from "../schema";
import { lockSessions } from "../store";
import { type Credential, findCredential } from "../token-store";

const { replayMinutes, slipSeconds } = limits.refresh;

export const refreshSession = operation({
  id: "sessions.refresh",
  summary: "Refresh token",
  description:
    "Exchanges the refresh token in the Authorization header for a new access token and, unless " +
    "`rotate_refresh_token` is false, a new refresh token; the old one is spent. Send an Idempotency-Key: if the " +
    `response is lost, the same token with the same key gets it again, for ${replayMinutes} minutes and until one of ` +
    "the new tokens has been used. Otherwise, using a spent token " +
    `${slipSeconds} seconds or more after its exchange ends the session.`,
  access: rules["sessions.refresh"],
  effect: "write",
  rest: { method: "POST", path: "/v1/auth/refresh", token: "refresh" },
  input: refreshInput,
  output: refreshOutput,
  errors: {
    refresh_token_invalid: 401,
    refresh_token_expired: 401,
    session_not_found: 404,
    token_rotation_failed: 401,
  },
  ignoresUnknownFields: true,
  async run({ ctx, input, fail, failAfterCommit }) {
    const token = parseToken("refresh", bearerToken(ctx.request.bearer) ?? "") ?? fail("refresh_token_invalid");
    const seen = await findRefresh(ctx, token, fail);
    await lockSessions(ctx.db, [seen.session.id]);
    const locked = await findRefresh(ctx, token, fail);
    if (locked.session.status === "ended" || locked.user.status === "removed") return fail("session_not_found");
    if (ctx.now >= locked.token.expiresAt || ctx.now >= locked.session.absoluteUntil)
      return fail("refresh_token_expired");

    const request: ExchangeRequest = {
      token,
      rotates: input.rotate_refresh_token,
      deviceId: input.device_id ?? null,
      clientVersion: input.client_version ?? null,
    };
    const again = await replay(ctx, locked, request);
    const wasUnspent = seen.token.spentAt === null;
    if (!again && locked.token.spentAt !== null) {
      return refuseSpent(ctx, locked, locked.token.spentAt, wasUnspent, failAfterCommit);
    }
    const { accessToken, accessExpiresAt, refreshToken, refreshExpiresAt } =
      again ?? (await exchange(ctx, locked, request)) ?? fail("token_rotation_failed");
    record(ctx, locked, { outcome: again ? "repeated" : "exchanged", rotated: refreshExpiresAt !== null });
    return {
      access_token: accessToken,
      refresh_token: refreshToken,
      expires_at: iso(accessExpiresAt),
      session_id: locked.session.id,
      ...(refreshExpiresAt === null ? {} : { refresh_token_expires_at: iso(refreshExpiresAt) }),
    };
  },
});

async function findRefresh(ctx: WriteContext, token: string, fail: Fail<"refresh_token_invalid">): Promise<Credential> {
  const credential = await findCredential(ctx.db, hashToken(token));
  return credential?.token.kind === "refresh" ? credential : fail("refresh_token_invalid");
}

const reuseAlarm = "a spent refresh token was used; its session has ended";

/** Refuses a spent token. Unless a client repeated it by mistake or lost a race, ends the session and commits that. */
async function refuseSpent(
  ctx: WriteContext,
  { session, user }: Credential,
  spentAt: number,
  wasUnspent: boolean,
  failAfterCommit: Fail<"refresh_token_invalid" | "token_rotation_failed">,
): Promise<never> {
  // A request that waited for the winner's row lock saw the token unspent, so it arrived before the winner's commit.
  const { receivedAt } = ctx.request;
  const meaning = wasUnspent ? "race_lost" : meaningOfSpent({ spentAt, receivedAt, now: ctx.now });
  const isReuse = meaning === "reuse";
  record(ctx, { session, user }, { outcome: meaning }, isReuse ? { alarm: reuseAlarm } : { isRefusal: true });
  if (meaning !== "reuse")
    return failAfterCommit(meaning === "slip" ? "refresh_token_invalid" : "token_rotation_failed");
  const { tokens } = await endSessions(ctx, { sessionIds: [session.id] }, "refresh_token_reuse");
  ctx.emit({
    type: "session.reuse_detected",
    object: session.id,
    organizationId: session.organizationId,
    data: { session_id: session.id, user_id: user.id, revoked_tokens: tokens },
  });
  const whole = await readUser(ctx.db, user.id);
  if (whole) await notifyUser(ctx, whole, { notice: "refresh_token_reused" });
  return failAfterCommit("refresh_token_invalid");
}

function record(
  ctx: WriteContext,
  { session, user }: Pick<Credential, "session" | "user">,
  detail: Record<string, unknown>,
  more: Pick<AuditRecord, "isRefusal" | "alarm"> = {},
) {
  const { id, organizationId } = session;
  ctx.audit({ target: id, organizationId, actor: { type: "user", id: user.id }, detail, ...more });
}
