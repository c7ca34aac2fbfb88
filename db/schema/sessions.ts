// Tables of sessions (kept after they end), their tokens (as hashes), and throttle counters.
import { sql } from "drizzle-orm";
import type { Columns } from "../columns";
import { inList } from "./checks";
import type { identityTables } from "./identity";
import { sessionKinds, sessionStatuses, tokenKinds } from "./values";

export function sessionTables(k: Columns, { organizations, users }: ReturnType<typeof identityTables>) {
  const sessions = k.table(
    "sessions",
    {
      id: k.text("id").primaryKey(),
      userId: k
        .text("user_id")
        .notNull()
        .references(() => users.id),
      organizationId: k
        .text("organization_id")
        .notNull()
        .references(() => organizations.id),
      kind: k.oneOf("kind", [...sessionKinds]).notNull(),
      status: k.oneOf("status", [...sessionStatuses]).notNull(),
      createdAt: k.instant("created_at").notNull(),
      authenticatedAt: k.instant("authenticated_at").notNull(),
      lastSeenAt: k.instant("last_seen_at").notNull(),
      /** When an idle dashboard session ends; null for API sessions. */
      idleUntil: k.instant("idle_until"),
      absoluteUntil: k.instant("absolute_until").notNull(),
      ip: k.text("ip"),
      userAgent: k.text("user_agent"),
      deviceId: k.text("device_id"),
      deviceAnomalies: k.integer("device_anomalies").notNull().default(0),
      clientVersion: k.text("client_version"),
      /** The current refresh token's number; each rotation increments it. */
      generation: k.integer("generation").notNull().default(0),
      /** How many exchanges the session has made, with or without rotation. */
      exchanges: k.integer("exchanges").notNull().default(0),
      /** The random part that this session's tokens are derived from. */
      nonce: k.text("nonce").notNull(),
      endedAt: k.instant("ended_at"),
      endReason: k.text("end_reason"),
      endReasonText: k.text("end_reason_text"),
      endedBy: k.text("ended_by"),
      revokedTokens: k.integer("revoked_tokens"),
    },
    (t) => [
      k.index("sessions_user").on(t.userId, t.status, t.createdAt),
      k.index("sessions_last_seen").on(t.userId, t.lastSeenAt).where(sql`${t.status} = 'ended'`),
      k.index("sessions_page").on(t.organizationId, t.createdAt, t.id),
      k.index("sessions_over").on(sql`coalesce(${t.endedAt}, ${t.absoluteUntil})`),
      k.check("sessions_kind", inList(t.kind, sessionKinds)),
      k.check("sessions_status", inList(t.status, sessionStatuses)),
      k.check("sessions_ended", sql`(${t.status} = 'ended') = (${t.endedAt} is not null)`),
    ],
  );

  const sessionTokens = k.table(
    "session_tokens",
    {
      /** SHA-256 of the whole token, in hexadecimal. */
      hash: k.text("hash").primaryKey(),
      sessionId: k
        .text("session_id")
        .notNull()
        .references(() => sessions.id),
      kind: k.oneOf("kind", [...tokenKinds]).notNull(),
      generation: k.integer("generation").notNull(),
      /** The exchange that issued it. With the generation it derives the token again. */
      exchange: k.integer("exchange").notNull(),
      last4: k.text("last4").notNull(),
      issuedAt: k.instant("issued_at").notNull(),
      expiresAt: k.instant("expires_at").notNull(),
      /** When a refresh token was exchanged for its successor. */
      spentAt: k.instant("spent_at"),
      /** On the access token of an exchange: HMAC of its Idempotency-Key, if it had one. */
      exchangeKey: k.text("exchange_key"),
      /** HMAC of that exchange's input, to tell a retry from a different call with the same key. */
      exchangeRequest: k.text("exchange_request"),
      /** Whether that exchange also issued a new refresh token. */
      exchangeRotated: k.boolean("exchange_rotated"),
      /** Until when that exchange may be replayed; null without an Idempotency-Key and once this token is used. */
      replayUntil: k.instant("replay_until"),
      revokedAt: k.instant("revoked_at"),
    },
    (t) => [
      k.index("session_tokens_session").on(t.sessionId, t.exchangeKey),
      k.check("session_tokens_kind", inList(t.kind, tokenKinds)),
    ],
  );

  /** Amounts that a dashboard session recently refunded, transferred or credited, for step-up. */
  const stepUpSums = k.table(
    "step_up_sums",
    {
      sessionId: k.text("session_id").notNull(),
      currency: k.text("currency").notNull(),
      /** Pairs of an instant and an amount in minor units, latest last; at most one per minute. */
      moves: k.json<[at: number, amount: number][]>()("moves").notNull(),
    },
    (t) => [k.primaryKey({ columns: [t.sessionId, t.currency] })],
  );

  /** Counters that survive a restart and span processes: failed logins, sign-ups, failed payment attempts. */
  const throttles = k.table(
    "throttles",
    {
      bucket: k.text("bucket").primaryKey(),
      count: k.integer("count").notNull(),
      resetsAt: k.instant("resets_at").notNull(),
    },
    (t) => [k.index("throttles_resets").on(t.resetsAt)],
  );

  return { sessions, sessionTokens, stepUpSums, throttles };
}
