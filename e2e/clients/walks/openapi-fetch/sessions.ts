// Sessions and users, by openapi-fetch.
import { absent, answered, equal, newEmail, nextOf, password, refused, replayed, type Start, unique } from "../walk";
import { type Client, clientOf, newMember, signIn } from "./people";

export async function walkSessions(start: Start, admin: Client): Promise<void> {
  const member = await newMember(start);
  const wrong = { email: member.email, password: "not the password" };
  refused(await clientOf(start).POST("/v1/auth/login", { body: wrong }), 400, "invalid_credentials");
  await refresh(start, member.refreshToken);
  await list(start, admin);

  const end = (session_id: string) =>
    member.client.DELETE("/v1/auth/session", { params: { query: { session_id, reason: "device_lost" } } });
  const other = await signIn(start, member.email);
  equal(answered(await end(other.tokens.session_id)).invalidated_session_id, other.tokens.session_id);
  refused(await end(other.tokens.session_id), 401, "session_already_invalidated");
  refused(await end(absent("ses")), 401, "session_not_found");
  const ended = answered(await member.client.DELETE("/v1/auth/session", { body: { reason: "user_logout" } }));
  equal(ended.success, true);
  refused(await member.client.GET("/v1/auth/sessions"), 401, "unauthorized");
  const unenrolled = await signIn(start, start.unenrolled.email, start.unenrolled.password);
  refused(await unenrolled.client.GET("/v1/users"), 400, "mfa_enrollment_required");
  equal(answered(await unenrolled.client.DELETE("/v1/auth/session")).success, true);
}

async function refresh(start: Start, refreshToken: string): Promise<void> {
  const client = clientOf(start, refreshToken);
  const kept = answered(await client.POST("/v1/auth/refresh", { body: { rotate_refresh_token: false } }));
  equal([kept.refresh_token, kept.refresh_token_expires_at], [refreshToken, undefined]);
  const exchange = () =>
    client.POST("/v1/auth/refresh", { body: { device_id: "walk" }, params: { header: { "Idempotency-Key": key } } });
  const key = unique("refresh");
  const first = answered(await exchange());
  const again = await exchange();
  replayed(again.response);
  equal(answered(again).refresh_token, first.refresh_token);
  refused(await client.POST("/v1/auth/refresh"), 401, "refresh_token_invalid");
}

async function list(start: Start, admin: Client): Promise<void> {
  const member = await newMember(start);
  await signIn(start, member.email);
  const query = { user_id: member.userId, limit: 1, include_total: true, total_max: 10 };
  const all = { ...query, status: ["active" as const, "ended" as const] };
  const first = answered(await admin.GET("/v1/auth/sessions", { params: { query: all } }));
  equal([first.data.length, first.total_count], [1, 2]);
  const rest = await admin.GET("/v1/auth/sessions", { params: { query: { ...all, cursor: nextOf(first) } } });
  equal(
    answered(rest).data.map((session) => [session.session_id, session.kind]),
    [[member.sessionId, "api"]],
  );
  const stranger = await newMember(start);
  refused(await stranger.client.GET("/v1/auth/sessions", { params: { query } }), 400, "insufficient_permissions");
}

export async function walkUsers(start: Start, admin: Client): Promise<void> {
  const email = newEmail();
  const account = { account_type: "business" as const, account_name: "Ada's bakery" };
  const body = { email, password, name: "Ada Lovelace", role: "admin" as const, account };
  const created = answered(await admin.POST("/v1/users", { body }));
  equal([created.role, created.status, created.last_login_at], ["admin", "active", null]);
  refused(await admin.POST("/v1/users", { body }), 400, "email_taken");
  const { client } = await signIn(start, email);

  const query = { status: ["active" as const], role: ["admin" as const], limit: 1, include_total: true, total_max: 5 };
  const named = await client.GET("/v1/users", {
    params: { query: { ...query, email, q: "ada", mfa_enabled: "false" } },
  });
  equal(
    answered(named).data.map((user) => user.user_id),
    [created.user_id],
  );
  const first = answered(await client.GET("/v1/users", { params: { query } }));
  const second = await client.GET("/v1/users", { params: { query: { ...query, cursor: nextOf(first) } } });
  equal(answered(second).data.length, 1);
  const member = await newMember(start);
  refused(await member.client.GET("/v1/users"), 400, "insufficient_permissions");

  const path = { user_id: created.user_id };
  const change = (current_password: string) => {
    const body = { current_password, new_password: "an even longer passphrase" };
    return client.POST("/v1/users/{user_id}/password", { params: { path }, body });
  };
  refused(await change("not the password"), 400, "invalid_credentials");
  equal(answered(await change(password)).revoked_sessions, 0);
  const update = (as: Client, body: { role?: "member" | "admin"; locale?: string; timezone?: null }) =>
    as.PATCH("/v1/users/{user_id}", { params: { path }, body });
  equal(answered(await update(client, { locale: "de", timezone: null })).locale, "de");
  equal(answered(await update(admin, { role: "member" })).role, "member");
  refused(await update(client, { role: "admin" }), 400, "insufficient_permissions");
  const removed = answered(await admin.DELETE("/v1/users/{user_id}", { params: { path } }));
  equal([removed.removed, removed.orphaned_account_ids], [true, [created.account_id]]);
  refused(await admin.DELETE("/v1/users/{user_id}", { params: { path } }), 400, "user_not_found");
}
