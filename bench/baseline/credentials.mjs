// The baseline's look-up of an access token, and its login, which is Argon2 and nothing else.
import { createHash } from "node:crypto";
import { verify } from "@node-rs/argon2";

export const sha256 = (text) => createHash("sha256").update(text).digest("hex");

/** The token of an Authorization header. */
export const bearer = (headers) => headers.authorization.slice("Bearer ".length);

const callerByHash = `
  select session_tokens.kind, session_tokens.expires_at, session_tokens.revoked_at, sessions.id, sessions.user_id,
    sessions.organization_id, sessions.kind, sessions.status, sessions.authenticated_at, sessions.last_seen_at,
    sessions.idle_until, sessions.absolute_until, users.id, users.role, users.status
  from session_tokens
  inner join sessions on sessions.id = session_tokens.session_id
  inner join users on users.id = sessions.user_id
  where session_tokens.hash = ?`;

/** The session behind the access token. */
export async function findCaller(db, headers) {
  const caller = await db.read.get(callerByHash, sha256(bearer(headers)));
  if (!caller || Date.now() >= caller.expires_at) throw new Error("No such access token.");
  return { organizationId: caller.organization_id, userId: caller.user_id };
}

/** As many as the product runs concurrently. */
const atOnce = 2;
let running = 0;
const queue = [];

/** Argon2 alone: reads and verifies the stored hash, and opens no session. */
export async function signIn(db, { email, password }) {
  const user = await db.read.get("select id, password_hash from users where email_key = ?", email);
  if (running === atOnce) await new Promise((resume) => queue.push(resume));
  else running++;
  const matches = await verify(user.password_hash, password);
  const next = queue.shift();
  if (next) next();
  else running--;
  return { matches };
}
