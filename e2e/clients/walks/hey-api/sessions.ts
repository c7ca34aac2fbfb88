// Sessions and users, by the client of @hey-api/openapi-ts.
import {
  sessionsInvalidate,
  sessionsList,
  sessionsLogin,
  sessionsRefresh,
  usersChangePassword,
  usersCreate,
  usersList,
  usersRemove,
  usersUpdate,
} from "../../generated/hey-api";
import type { Client } from "../../generated/hey-api/client";
import { absent, answered, equal, newEmail, nextOf, password, refused, replayed, type Start, unique } from "../walk";
import { clientOf, newMember, signIn } from "./people";

export async function walkSessions(start: Start, admin: Client): Promise<void> {
  const { client, email, refreshToken } = await newMember(start);
  const wrong = { email, password: "not the password" };
  refused(await sessionsLogin({ client: clientOf(start), body: wrong }), 400, "invalid_credentials");
  await refresh(start, refreshToken);
  await list(start, admin);

  const end = (session_id: string) => sessionsInvalidate({ client, query: { session_id, reason: "device_lost" } });
  const other = await signIn(start, email);
  equal(answered(await end(other.tokens.session_id)).invalidated_session_id, other.tokens.session_id);
  refused(await end(other.tokens.session_id), 401, "session_already_invalidated");
  refused(await end(absent("ses")), 401, "session_not_found");
  equal(answered(await sessionsInvalidate({ client, body: { reason: "user_logout" } })).success, true);
  refused(await sessionsList({ client }), 401, "unauthorized");
  const unenrolled = await signIn(start, start.unenrolled.email, start.unenrolled.password);
  refused(await usersList({ client: unenrolled.client }), 400, "mfa_enrollment_required");
  equal(answered(await sessionsInvalidate({ client: unenrolled.client })).success, true);
}

/** The refresh token goes where the client otherwise sends the access token. */
async function refresh(start: Start, refreshToken: string): Promise<void> {
  const client = clientOf(start, refreshToken);
  const kept = answered(await sessionsRefresh({ client, body: { rotate_refresh_token: false } }));
  equal([kept.refresh_token, kept.refresh_token_expires_at], [refreshToken, undefined]);
  const headers = { "Idempotency-Key": unique("refresh") };
  const exchange = () => sessionsRefresh({ client, body: { device_id: "walk" }, headers });
  const first = answered(await exchange());
  const again = await exchange();
  replayed(again.response);
  equal(answered(again).refresh_token, first.refresh_token);
  refused(await sessionsRefresh({ client }), 401, "refresh_token_invalid");
}

async function list(start: Start, admin: Client): Promise<void> {
  const member = await newMember(start);
  await signIn(start, member.email);
  const query = { user_id: member.userId, limit: 1, include_total: true, total_max: 10 };
  const all = { ...query, status: ["active" as const, "ended" as const] };
  const first = answered(await sessionsList({ client: admin, query: all }));
  equal([first.data.length, first.total_count], [1, 2]);
  const rest = answered(await sessionsList({ client: admin, query: { ...all, cursor: nextOf(first) } }));
  equal(
    rest.data.map((session) => [session.session_id, session.kind]),
    [[member.sessionId, "api"]],
  );
  const { client } = await newMember(start);
  refused(await sessionsList({ client, query }), 400, "insufficient_permissions");
}

export async function walkUsers(start: Start, admin: Client): Promise<void> {
  const email = newEmail();
  const account = { account_type: "business" as const, account_name: "Ada's bakery" };
  const body = { email, password, name: "Ada Lovelace", role: "admin" as const, account };
  const created = answered(await usersCreate({ client: admin, body }));
  equal([created.role, created.status, created.last_login_at], ["admin", "active", null]);
  refused(await usersCreate({ client: admin, body }), 400, "email_taken");
  const { client } = await signIn(start, email);

  const query = { status: ["active" as const], role: ["admin" as const], limit: 1, include_total: true, total_max: 5 };
  const named = answered(await usersList({ client, query: { ...query, email, q: "ada", mfa_enabled: "false" } }));
  equal(
    named.data.map((user) => user.user_id),
    [created.user_id],
  );
  const first = answered(await usersList({ client, query }));
  equal(answered(await usersList({ client, query: { ...query, cursor: nextOf(first) } })).data.length, 1);
  const member = await newMember(start);
  refused(await usersList({ client: member.client }), 400, "insufficient_permissions");

  const path = { user_id: created.user_id };
  const change = (current_password: string) =>
    usersChangePassword({ client, path, body: { current_password, new_password: "an even longer passphrase" } });
  refused(await change("not the password"), 400, "invalid_credentials");
  equal(answered(await change(password)).revoked_sessions, 0);
  equal(answered(await usersUpdate({ client, path, body: { locale: "de", timezone: null } })).locale, "de");
  equal(answered(await usersUpdate({ client: admin, path, body: { role: "member" } })).role, "member");
  refused(await usersUpdate({ client, path, body: { role: "admin" } }), 400, "insufficient_permissions");
  const removed = answered(await usersRemove({ client: admin, path }));
  equal([removed.removed, removed.orphaned_account_ids], [true, [created.account_id]]);
  refused(await usersRemove({ client: admin, path }), 400, "user_not_found");
}
