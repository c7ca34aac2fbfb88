// The baseline's exchange of a refresh token: increments the session, inserts two tokens, and marks the old one as
// used.
import { createHmac, randomBytes } from "node:crypto";
import { newId } from "./create.mjs";
import { bearer, sha256 } from "./credentials.mjs";

const minutes15 = 15 * 60_000;
const days30 = 30 * 86_400_000;

const tokenColumns = `hash, session_id, kind, generation, exchange, last4, issued_at, expires_at, spent_at, exchange_key,
  exchange_request, exchange_rotated, revoked_at`;
const tokenSlots = "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
const insertTokens = `insert into session_tokens (${tokenColumns}) values ${tokenSlots}, ${tokenSlots}`;

const sql = {
  credential: `
    select session_tokens.*, sessions.*, users.role from session_tokens
    inner join sessions on sessions.id = session_tokens.session_id
    inner join users on users.id = sessions.user_id
    where session_tokens.hash = ?`,
  lock: "select id from sessions where id = ? for update",
  sameKey: `select ${tokenColumns} from session_tokens where session_id = ? and exchange_key in (?)`,
  count: `update sessions set last_seen_at = ?, device_id = ?, device_anomalies = ?, client_version = ?, generation = ?,
      exchanges = exchanges + 1
    where id = ? and generation = ? and status = ? returning *`,
  spend: "update session_tokens set spent_at = ? where hash = ?",
  audit: `insert into audit_entries
      (id, organization_id, operation, actor_type, actor_id, target_id, detail, request_id, ip, created_at)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
};

const mint = (kind) => `qt${kind}_${randomBytes(32).toString("base64url")}`;
const seal = (text) => createHmac("sha256", "the baseline's key").update(text).digest("hex");

export function refresh(db, headers, input) {
  const hash = sha256(bearer(headers));
  const exchangeKey = seal(headers["idempotency-key"]);
  return db.write(async (tx) => {
    const seen = await tx.get(sql.credential, hash);
    if (db.dialect === "postgres") await tx.get(sql.lock, seen.session_id);
    const credential = await tx.get(sql.credential, hash);
    if (await tx.get(sql.sameKey, credential.session_id, exchangeKey)) throw new Error("A key is used once here.");
    const now = Date.now();
    const { session_id: id, organization_id: organizationId, user_id: userId, generation } = credential;
    const seenNow = [now, null, credential.device_anomalies, null, generation + 1];
    const session = await tx.get(sql.count, ...seenNow, id, generation, "active");
    const at = { session, id, now };
    const [access, accessRow] = newToken(at, "access", minutes15, [exchangeKey, seal(JSON.stringify(input)), true]);
    const [renewed, renewedRow] = newToken(at, "refresh", days30, [null, null, null]);
    await tx.run(insertTokens, ...[...accessRow, ...renewedRow].map(db.value));
    await tx.run(sql.spend, now, hash);
    const detail = JSON.stringify({ outcome: "exchanged", rotated: true });
    const actor = ["user", userId, id, detail, newId("req", now), "127.0.0.1", now];
    await tx.run(sql.audit, newId("aud", now), organizationId, "sessions.refresh", ...actor);
    return {
      access_token: access,
      refresh_token: renewed,
      expires_at: new Date(now + minutes15).toISOString(),
      session_id: id,
      refresh_token_expires_at: new Date(now + days30).toISOString(),
    };
  });
}

function newToken({ session, id, now }, kind, lifeMs, exchanged) {
  const token = mint(kind === "access" ? "at" : "rt");
  const place = [sha256(token), id, kind, session.generation, session.exchanges, token.slice(-4)];
  return [token, [...place, now, now + lifeMs, null, ...exchanged, null]];
}
