// Presents sessions on the wire and in events.
import type * as z from "zod";
import { iso, isoOrNull } from "@/server/process/clock";
import { expiryOf } from "./rules";
import type { sessionRecord } from "./schema";
import type { SessionRow } from "./store";

/** A session as its user and admins see it: never its nonce, nor anything about its tokens. */
export const presentSession = (row: SessionRow, currentId: string | null): z.input<typeof sessionRecord> => ({
  session_id: row.id,
  user_id: row.userId,
  kind: row.kind,
  status: row.status,
  is_current: row.id === currentId,
  device_id: row.deviceId,
  device_anomalies: row.deviceAnomalies,
  client_version: row.clientVersion,
  ip: row.ip,
  user_agent: row.userAgent,
  created_at: iso(row.createdAt),
  last_seen_at: iso(row.lastSeenAt),
  expires_at: iso(expiryOf(row)),
  ended_at: isoOrNull(row.endedAt),
  end_reason: row.endReason,
  end_reason_text: row.endReasonText,
  revoked_tokens: row.revokedTokens,
});

/** The event data of an ended session. */
export const presentEnd = (row: SessionRow) => ({
  session_id: row.id,
  user_id: row.userId,
  reason: row.endReason,
  revoked_tokens: row.revokedTokens,
  revoked_at: isoOrNull(row.endedAt),
});
