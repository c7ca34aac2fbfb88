// Rows of tokens, stored by hash, and the one query that every authenticated call makes.
import { and, desc, eq, gt, inArray, isNull, sql } from "drizzle-orm";
import { bySize, upTo } from "@/db/batches";
import type { Reader, Tx } from "@/db/client";
import { prepared, preparedOne, slot } from "@/db/prepared";
import { preparedByShape } from "@/db/shapes";
import { organizations, sessions, sessionTokens, users } from "@/db/tables";
import { clockOffset } from "@/server/domains/organizations/clock-store";

export type TokenRow = typeof sessionTokens.$inferSelect;
export type NewToken = typeof sessionTokens.$inferInsert;

const byHash = preparedOne("tokens.credential", (q: Reader | Tx) =>
  q
    .select({
      token: sessionTokens,
      session: sessions,
      user: { id: users.id, role: users.role, status: users.status },
    })
    .from(sessionTokens)
    .innerJoin(sessions, eq(sessions.id, sessionTokens.sessionId))
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(eq(sessionTokens.hash, slot("hash"))),
);

/** A token with its session and that session's user. */
export type Credential = NonNullable<Awaited<ReturnType<typeof byHash>>>;

/** The credential behind a token's hash. */
export const findCredential = (q: Reader | Tx, hash: string): Promise<Credential | undefined> => byHash(q, { hash });

const callerByHash = preparedOne("tokens.caller", (q: Reader) =>
  q
    .select({
      token: {
        kind: sessionTokens.kind,
        expiresAt: sessionTokens.expiresAt,
        revokedAt: sessionTokens.revokedAt,
        replayUntil: sessionTokens.replayUntil,
      },
      session: {
        id: sessions.id,
        userId: sessions.userId,
        organizationId: sessions.organizationId,
        kind: sessions.kind,
        status: sessions.status,
        authenticatedAt: sessions.authenticatedAt,
        lastSeenAt: sessions.lastSeenAt,
        idleUntil: sessions.idleUntil,
        absoluteUntil: sessions.absoluteUntil,
      },
      user: { id: users.id, role: users.role, status: users.status },
      emailVerifiedAt: users.emailVerifiedAt,
      mfaEnabled: users.mfaEnabled,
      requireMfa: organizations.requireMfa,
      clockOffsetMs: clockOffset(q, sessions.organizationId),
    })
    .from(sessionTokens)
    .innerJoin(sessions, eq(sessions.id, sessionTokens.sessionId))
    .innerJoin(users, eq(users.id, sessions.userId))
    .innerJoin(organizations, eq(organizations.id, sessions.organizationId))
    .where(eq(sessionTokens.hash, slot("hash"))),
);

/** The columns that authentication needs. Few, because every call reads them. */
export type Caller = NonNullable<Awaited<ReturnType<typeof callerByHash>>>;

/** The caller behind a token's hash. */
export const findCaller = (q: Reader, hash: string): Promise<Caller | undefined> => callerByHash(q, { hash });

const insert = bySize((size) =>
  prepared(`tokens.insert_${size}`, (tx: Tx) =>
    tx.insert(sessionTokens).values(
      upTo(size).map((i) => ({
        hash: slot("hash", i),
        sessionId: slot("sessionId", i),
        kind: slot("kind", i),
        generation: slot("generation", i),
        exchange: slot("exchange", i),
        last4: slot("last4", i),
        issuedAt: slot("issuedAt", i),
        expiresAt: slot("expiresAt", i),
        exchangeKey: slot("exchangeKey", i),
        exchangeRequest: slot("exchangeRequest", i),
        exchangeRotated: slot("exchangeRotated", i),
        replayUntil: slot("replayUntil", i),
      })),
    ),
  ),
);

/** Defaults of the columns that only the access token of an exchange sets. */
const noExchange = { exchangeKey: null, exchangeRequest: null, exchangeRotated: null, replayUntil: null };

export async function insertTokens(tx: Tx, rows: NewToken[]): Promise<void> {
  await insert(rows.length)(
    tx,
    rows.map((row) => ({ ...noExchange, ...row })),
  );
}

const spend = prepared("tokens.spend", (tx: Tx) =>
  tx
    .update(sessionTokens)
    .set({ spentAt: sql`${slot("now")}` })
    .where(eq(sessionTokens.hash, slot("hash"))),
);

/** Marks a refresh token as exchanged for its successor. */
export async function spendToken(tx: Tx, hash: string, now: number): Promise<void> {
  await spend(tx, { hash, now });
}

const closeReplay = prepared("tokens.close_replay", (tx: Tx) =>
  tx
    .update(sessionTokens)
    .set({ replayUntil: null })
    .where(eq(sessionTokens.hash, slot("hash"))),
);

/** Records that an access token has been used: its exchange can no longer be replayed. */
export async function endReplay(tx: Tx, hash: string): Promise<void> {
  await closeReplay(tx, { hash });
}

const revokeLive = prepared("tokens.revoke_live", (tx: Tx) =>
  tx
    .update(sessionTokens)
    .set({ revokedAt: sql`${slot("now")}` })
    .where(
      and(
        eq(sessionTokens.sessionId, slot("sessionId")),
        isNull(sessionTokens.revokedAt),
        isNull(sessionTokens.spentAt),
        gt(sessionTokens.expiresAt, slot("now")),
      ),
    )
    .returning({ hash: sessionTokens.hash }),
);

/** Revokes a session's live tokens; returns how many. */
export async function revokeTokens(tx: Tx, sessionId: string, now: number): Promise<number> {
  return (await revokeLive(tx, { sessionId, now })).length;
}

const byExchange = preparedByShape<{ sessionId: string; keys: readonly string[] }, TokenRow[]>(
  (q, { sessionId, keys }) =>
    q
      .select()
      .from(sessionTokens)
      .where(and(eq(sessionTokens.sessionId, sessionId), inArray(sessionTokens.exchangeKey, [...keys])))
      .orderBy(desc(sessionTokens.exchange)),
);

/** The access token that the last exchange with one of these Idempotency-Key HMACs issued. */
export async function findExchange(q: Reader, sessionId: string, keys: string[]): Promise<TokenRow | undefined> {
  const [row] = await byExchange(q, { sessionId, keys });
  return row;
}

/** A session's refresh token of one generation. */
export async function findRefreshToken(
  q: Reader,
  sessionId: string,
  generation: number,
): Promise<TokenRow | undefined> {
  const [row] = await q
    .select()
    .from(sessionTokens)
    .where(
      and(
        eq(sessionTokens.sessionId, sessionId),
        eq(sessionTokens.kind, "refresh"),
        eq(sessionTokens.generation, generation),
      ),
    );
  return row;
}

/** Removes all tokens of these sessions. */
export async function removeTokensOf(tx: Tx, sessionIds: readonly string[]): Promise<void> {
  if (sessionIds.length > 0) await tx.delete(sessionTokens).where(inArray(sessionTokens.sessionId, [...sessionIds]));
}
