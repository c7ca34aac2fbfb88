// The core operations of sessions as an API client uses them: every field of every response, every documented code.
import { expect } from "playwright/test";
import { signIn, type TokenPair } from "../api";
import { firstAdmin } from "../server";
import { test } from "./described";
import { answered, type Body, dayMs, minuteMs, near, refused } from "./documented";
import { memberPassword, newEmail, newMember, type Person } from "./people";
import { absentId, expectRecord, idOf, recordFields } from "./records";

test.describe("POST /v1/auth/login", () => {
  test("200: a token pair of the documented form and lifetimes", async ({ described: api }) => {
    const { email } = await newMember(api);
    const pair = await answered<TokenPair>(api, "POST", "/v1/auth/login", {
      body: { email: email.toUpperCase(), password: memberPassword, device_id: "phone", client_version: "1.0" },
    });
    expectRecord(pair, recordFields.tokenPair);
    expect(pair.access_token).toMatch(/^qtat_[0-9A-Za-z]{49}$/);
    expect(pair.refresh_token).toMatch(/^qtrt_[0-9A-Za-z]{49}$/);
    expect(pair.session_id).toMatch(idOf("ses"));
    near(pair.expires_at, Date.now() + 15 * minuteMs);
    near(pair.refresh_token_expires_at, Date.now() + 30 * dayMs);
  });

  test("200: unknown fields are ignored", async ({ described: api }) => {
    await answered(api, "POST", "/v1/auth/login", { body: { ...firstAdmin, remember_me: true } });
  });

  test("400 invalid_credentials: wrong password, unknown and removed user", async ({ described: api }) => {
    const person = await newMember(api);
    const attempt = (email: string, password: string) =>
      refused(api, [400, "invalid_credentials"], "POST", "/v1/auth/login", { body: { email, password } });
    const wrong = await attempt(person.email, "not the password");
    expect(await attempt(newEmail(), memberPassword)).toBe(wrong);
    await answered(api, "DELETE", `/v1/users/${person.userId}`, { token: person.token });
    expect(await attempt(person.email, memberPassword)).toBe(wrong);
  });

  test("400 account_closed: only after the correct password", async ({ described: api }) => {
    const person = await newMember(api);
    await answered(api, "DELETE", "/v1/auth/close", { token: person.token });
    const login = (password: string) => ({ body: { email: person.email, password } });
    await refused(api, [400, "account_closed"], "POST", "/v1/auth/login", login(memberPassword));
    await refused(api, [400, "invalid_credentials"], "POST", "/v1/auth/login", login("not the password"));
  });

  test("400 invalid_request: names every invalid field", async ({ described: api }) => {
    const login = (body: Body) => refused(api, [400, "invalid_request"], "POST", "/v1/auth/login", { body });
    const description = await login({});
    expect(description).toContain("email");
    expect(description).toContain("password");
    expect(await login({ email: firstAdmin.email, password: 12345678 })).toContain("password");
    expect(await login({ ...firstAdmin, otp: 123456 })).toContain("otp");
  });
});

test.describe("POST /v1/auth/refresh", () => {
  const refresh = (token: string, body?: Body) => ["POST", "/v1/auth/refresh", { token, body }] as const;

  test("200: rotates by default, and earlier access tokens stay valid", async ({ described: api }) => {
    const { tokens } = await newMember(api);
    const pair = await answered<TokenPair>(api, ...refresh(tokens.refresh_token, { device_id: "d", unknown: 1 }));
    expectRecord(pair, recordFields.tokenPair);
    expect(pair.session_id).toBe(tokens.session_id);
    expect(pair.refresh_token).not.toBe(tokens.refresh_token);
    expect(pair.access_token).not.toBe(tokens.access_token);
    near(pair.expires_at, Date.now() + 15 * minuteMs);
    near(pair.refresh_token_expires_at, Date.now() + 30 * dayMs);
    for (const token of [tokens.access_token, pair.access_token]) {
      await answered(api, "GET", "/v1/transactions", { token });
    }
  });

  test("200: without rotation the refresh token stays valid and its expiry is left out", async ({ described: api }) => {
    const { tokens } = await newMember(api);
    for (const _ of [1, 2]) {
      const pair = await answered<TokenPair>(api, ...refresh(tokens.refresh_token, { rotate_refresh_token: false }));
      expectRecord(pair, recordFields.refreshedInPlace);
      expect(pair.refresh_token).toBe(tokens.refresh_token);
      await answered(api, "GET", "/v1/transactions", { token: pair.access_token });
    }
    await answered(api, ...refresh(tokens.refresh_token));
  });

  test("401 refresh_token_invalid: none, unknown, malformed, wrong kind, spent", async ({ described: api }) => {
    const { tokens } = await newMember(api);
    await refused(api, [401, "refresh_token_invalid"], "POST", "/v1/auth/refresh");
    const altered = `${tokens.refresh_token.slice(0, -1)}${tokens.refresh_token.endsWith("0") ? "1" : "0"}`;
    for (const token of [tokens.access_token, `qtrt_${"A".repeat(49)}`, altered, "x"]) {
      await refused(api, [401, "refresh_token_invalid"], ...refresh(token));
    }
    await answered(api, ...refresh(tokens.refresh_token));
    await refused(api, [401, "refresh_token_invalid"], ...refresh(tokens.refresh_token));
    // Within ten seconds this is a client's mistake, not theft, so the session stays live.
    await answered(api, "GET", "/v1/transactions", { token: tokens.access_token });
  });

  test("404 session_not_found: signed out, removed, closed", async ({ described: api }) => {
    const endings: ((person: Person) => Promise<unknown>)[] = [
      ({ token }) => answered(api, "DELETE", "/v1/auth/session", { token }),
      ({ token, userId }) => answered(api, "DELETE", `/v1/users/${userId}`, { token }),
      ({ token }) => answered(api, "DELETE", "/v1/auth/close", { token }),
    ];
    for (const end of endings) {
      const person = await newMember(api);
      await end(person);
      await refused(api, [404, "session_not_found"], ...refresh(person.tokens.refresh_token));
    }
  });
});

test.describe("DELETE /v1/auth/session", () => {
  const path = "/v1/auth/session";

  test("200: ends the caller's session and counts the tokens that were live", async ({ described: api }) => {
    const { tokens } = await newMember(api);
    const body = await answered(api, "DELETE", path, {
      token: tokens.access_token,
      body: { session_id: tokens.session_id, reason: "user_logout", unknown: true },
    });
    expectRecord(body, recordFields.invalidation);
    expect(body).toMatchObject({ success: true, invalidated_session_id: tokens.session_id, revoked_tokens: 2 });
    near(body.revoked_at, Date.now());
  });

  test("200: the query may carry the session and the reason", async ({ described: api }) => {
    const person = await newMember(api);
    const other = await signIn(api, person.email, memberPassword);
    const body = await answered(api, "DELETE", `${path}?session_id=${other.session_id}&reason=lost+phone`, {
      token: person.token,
    });
    expect(body.invalidated_session_id).toBe(other.session_id);
    await answered(api, "GET", "/v1/transactions", { token: person.token });
    await refused(api, [401, "unauthorized"], "GET", "/v1/transactions", { token: other.access_token });
  });

  test("200: compromised credentials end every session of the user", async ({ described: api }) => {
    const person = await newMember(api);
    const other = await signIn(api, person.email, memberPassword);
    await answered(api, "DELETE", path, { token: person.token, body: { reason: "credentials_compromised" } });
    await refused(api, [401, "unauthorized"], "GET", "/v1/transactions", { token: other.access_token });
  });

  test("401 unauthorized, session_not_found, insufficient_permissions, session_already_invalidated", async ({
    described: api,
    adminToken,
  }) => {
    const person = await newMember(api);
    const other = await newMember(api);
    const end = (token: string | undefined, session_id?: string) =>
      ["DELETE", path, { token, body: { session_id } }] as const;
    await refused(api, [401, "unauthorized"], ...end(undefined));
    await refused(api, [401, "unauthorized"], ...end(`qtat_${"A".repeat(49)}`));
    await refused(api, [401, "unauthorized"], ...end(person.tokens.refresh_token));
    await refused(api, [401, "session_not_found"], ...end(person.token, absentId("ses")));
    await refused(api, [401, "session_not_found"], ...end(person.token, "anything"));
    await refused(api, [401, "insufficient_permissions"], ...end(person.token, other.tokens.session_id));
    await answered(api, ...end(adminToken, other.tokens.session_id));
    await refused(api, [401, "session_already_invalidated"], ...end(adminToken, other.tokens.session_id));
    await refused(api, [401, "session_already_invalidated"], ...end(other.token));
  });
});
