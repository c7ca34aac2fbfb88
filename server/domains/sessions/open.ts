// Opens a session for a user whose password was right: makes room for it, inserts its row, issues its first tokens.
import { randomBytes } from "node:crypto";
import { noteSignIn, type UserRow } from "@/server/domains/users/store";
import type { WriteContext } from "@/server/kit/context";
import { limits } from "@/server/kit/limits";
import { endSessions } from "./end";
import { sessionKeeper } from "./lucia";
import { expiryOf } from "./rules";
import type { NewSession } from "./store";
import { insertTokens } from "./token-store";
import { issueToken, randomCookie } from "./tokens";

interface Client {
  deviceId: string | null;
  clientVersion: string | null;
}

/** The first token pair of an API session. Instants are epoch ms. */
interface Pair {
  sessionId: string;
  accessToken: string;
  accessExpiresAt: number;
  refreshToken: string;
  refreshExpiresAt: number;
}

/** Opens an API session. The caller has locked the user. */
export async function openApiSession(ctx: WriteContext, user: UserRow, client: Client): Promise<Pair> {
  const { keys, env } = ctx.runtime;
  const session = await open(ctx, user, "api", client);
  const until = (lifeMs: number) => Math.min(ctx.now + lifeMs, session.absoluteUntil);
  const [accessExpiresAt, refreshExpiresAt] = [until(env.accessTokenMs), until(env.refreshTokenMs)];
  const first = { session, generation: 0, exchange: 0 };
  const access = issueToken(keys, { ...first, kind: "access" }, { now: ctx.now, expiresAt: accessExpiresAt });
  const refresh = issueToken(keys, { ...first, kind: "refresh" }, { now: ctx.now, expiresAt: refreshExpiresAt });
  await insertTokens(ctx.db, [access.row, refresh.row]);
  return {
    sessionId: session.id,
    accessToken: access.token,
    accessExpiresAt,
    refreshToken: refresh.token,
    refreshExpiresAt,
  };
}

/** Opens a dashboard session, whose only token goes into a cookie. The caller has locked the user. */
export async function openCookieSession(ctx: WriteContext, user: UserRow) {
  const session = await open(ctx, user, "cookie", { deviceId: null, clientVersion: null });
  const cookie = randomCookie(session.id, { now: ctx.now, expiresAt: session.absoluteUntil });
  await insertTokens(ctx.db, [cookie.row]);
  return { sessionId: session.id, token: cookie.token, expiresAt: expiryOf(session) };
}

async function open(ctx: WriteContext, user: UserRow, kind: NewSession["kind"], client: Client): Promise<NewSession> {
  const { env } = ctx.runtime;
  await makeRoom(ctx, user.id);
  const session: NewSession = {
    id: ctx.id("ses"),
    userId: user.id,
    organizationId: user.organizationId,
    kind,
    now: ctx.now,
    idleUntil: kind === "cookie" ? ctx.now + env.dashboardSessionIdleMs : null,
    absoluteUntil: ctx.now + (kind === "cookie" ? env.dashboardSessionMaxMs : env.apiSessionMaxMs),
    ip: ctx.request.ip,
    userAgent: ctx.request.userAgent,
    ...client,
    nonce: randomBytes(32).toString("base64url"),
  };
  await sessionKeeper.open(ctx.db, session);
  await noteSignIn(ctx.db, user.id, ctx.now);
  return session;
}

/** Ends as many of the oldest sessions as opening one more requires. */
async function makeRoom(ctx: WriteContext, userId: string): Promise<void> {
  const live = await sessionKeeper.liveOf(ctx.db, userId, ctx.now);
  const surplus = live.slice(0, Math.max(0, live.length - limits.sessionsPerUser + 1));
  await endSessions(ctx, { sessionIds: surplus.map(({ id }) => id) }, "session_limit");
}
