// Sessions under load and attack: immediate ends, races of refreshes, token kinds, user enumeration.
import { createHash } from "node:crypto";
import { expect } from "playwright/test";
import { type Api, type ApiError, createApi, signIn, type TokenPair } from "../api";
import { memberPassword, newEmail, newMember, type Person, requestPayment, unique } from "../contract/people";
import { expectRecord, recordFields } from "../contract/records";
import { test } from "../fixtures";
import { firstAdmin, startServer } from "../server";

const times = <T>(count: number, work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

const refresh = (api: Api, token: string, key?: string) =>
  api<TokenPair & ApiError>("POST", "/v1/auth/refresh", {
    token,
    headers: key === undefined ? {} : { "Idempotency-Key": key },
  });

const isAlive = async (api: Api, token: string) => (await api("GET", "/v1/transactions", { token })).status === 200;

test.describe("ending a session", () => {
  const endings: Record<string, (api: Api, person: Person) => ReturnType<Api>> = {
    "by its own token": (api, { token }) => api("DELETE", "/v1/auth/session", { token }),
    "by another session of the user": async (api, { email, tokens }) => {
      const { access_token: token } = await signIn(api, email, memberPassword);
      return api("DELETE", "/v1/auth/session", { token, body: { session_id: tokens.session_id } });
    },
    "by removing the user": (api, { token, userId }) => api("DELETE", `/v1/users/${userId}`, { token }),
    "by closing the account": (api, { token }) => api("DELETE", "/v1/auth/close", { token }),
  };

  for (const [name, end] of Object.entries(endings)) {
    test(`${name} takes effect for every later request, under 50 clients`, async ({ api }) => {
      const person = await newMember(api);
      const before = await refresh(api, person.tokens.refresh_token);
      const tokens = [person.token, before.body.access_token];
      let endedAt = Number.POSITIVE_INFINITY;
      const late: number[] = [];
      let succeededBefore = 0;
      const client = async (index: number) => {
        for (let isOver = false; !isOver; ) {
          const startedAt = performance.now();
          const reply = await api<ApiError>("GET", "/v1/transactions?limit=1", { token: tokens[index % 2] });
          isOver = startedAt > endedAt;
          if (reply.status === 200) {
            if (isOver) late.push(startedAt - endedAt);
            succeededBefore++;
          } else {
            expect(reply).toMatchObject({ status: 401, body: { error_code: "unauthorized" } });
          }
        }
      };
      const clients = times(50, client);
      await expect.poll(() => succeededBefore, { timeout: 20_000 }).toBeGreaterThan(50);
      const ended = await end(api, person);
      endedAt = performance.now();
      expect(ended.status, ended.text).toBe(200);
      await clients;
      expect(late).toEqual([]);
      expect((await refresh(api, before.body.refresh_token)).body.error_code).toBe("session_not_found");
    });
  }

  test("answers success to exactly one of 20 concurrent requests", async ({ api }) => {
    const { token } = await newMember(api);
    const replies = await times(20, () => api<ApiError>("DELETE", "/v1/auth/session", { token }));
    const codes = replies.filter((reply) => reply.status !== 200).map((reply) => reply.body.error_code);
    expect(codes).toHaveLength(19);
    expect(new Set(codes)).toEqual(new Set(["session_already_invalidated"]));
  });
});

test.describe("concurrent refreshes", () => {
  for (const clients of [2, 8, 50]) {
    test(`${clients} with one token: one wins, and the session stays live`, async ({ api }) => {
      const { tokens } = await newMember(api);
      // Open the connections first, so that the requests really overlap.
      await times(clients, () => api("GET", "/v1/openapi.json"));
      const replies = await times(clients, () => refresh(api, tokens.refresh_token));
      const [winner, ...others] = replies.filter((reply) => reply.status === 200);
      expect(winner).toBeDefined();
      expect(others).toEqual([]);
      for (const reply of replies.filter(({ status }) => status !== 200)) {
        expect(reply.status).toBe(401);
        expect(["token_rotation_failed", "refresh_token_invalid"]).toContain(reply.body.error_code);
        expectRecord(reply.body, recordFields.error);
      }
      expect(await isAlive(api, tokens.access_token)).toBe(true);
      expect(await isAlive(api, winner?.body.access_token ?? "")).toBe(true);
      expect((await refresh(api, winner?.body.refresh_token ?? "")).status).toBe(200);
    });
  }

  test("20 with one token and one key: all get the same pair", async ({ api }) => {
    const { tokens } = await newMember(api);
    const key = unique();
    const replies = await times(20, () => refresh(api, tokens.refresh_token, key));
    const answers = replies.filter((reply) => reply.status === 200).map((reply) => reply.text);
    expect(new Set(answers).size).toBe(1);
    for (const reply of replies.filter(({ status }) => status !== 200)) {
      expect(reply).toMatchObject({ status: 409, body: { error_code: "idempotency_key_in_use" } });
    }
    const later = await refresh(api, tokens.refresh_token, key);
    expect(later.text).toBe(answers[0]);
    expect(await isAlive(api, later.body.access_token)).toBe(true);
    // The successor is the refresh token that every response carried.
    expect((await refresh(api, later.body.refresh_token)).status).toBe(200);
  });

  test("the key belongs to the session", async ({ api }) => {
    const [one, other] = [await newMember(api), await newMember(api)];
    const key = unique();
    const first = await refresh(api, one.tokens.refresh_token, key);
    const second = await refresh(api, other.tokens.refresh_token, key);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.body.session_id).toBe(other.tokens.session_id);
  });

  test("a lost answer survives a crash of the server", async ({ engine }) => {
    const server = await startServer({ engine });
    try {
      const api = createApi(server.url);
      const { tokens } = await newMember(api);
      const key = unique();
      const pair = await refresh(api, tokens.refresh_token, key);
      await server.kill("SIGKILL");
      await server.restart();
      expect((await refresh(api, tokens.refresh_token, key)).text).toBe(pair.text);
      expect(await isAlive(api, pair.body.access_token)).toBe(true);
    } finally {
      await server.stop();
    }
  });
});

test.describe("token lifetimes", () => {
  const until = (instant: number) => new Promise((resume) => setTimeout(resume, Math.max(0, instant - Date.now())));

  test("reusing a spent token after ten seconds ends the session", async ({ api }) => {
    const { tokens } = await newMember(api);
    const successor = await refresh(api, tokens.refresh_token);
    await until(Date.now() + 10_200);
    // Either the reused token or its successor was stolen. The session ends for both holders.
    const refusal = { status: 401, body: { error_code: "refresh_token_invalid" } };
    expect(await refresh(api, tokens.refresh_token)).toMatchObject(refusal);
    expect(await isAlive(api, successor.body.access_token)).toBe(false);
    const gone = { status: 404, body: { error_code: "session_not_found" } };
    for (const token of [successor.body.refresh_token, tokens.refresh_token]) {
      expect(await refresh(api, token)).toMatchObject(gone);
    }
  });

  test("tokens expire, and a session survives them by refreshing", async ({ engine }) => {
    const server = await startServer({ engine, env: { ACCESS_TOKEN_TTL: "2s", REFRESH_TOKEN_TTL: "5s" } });
    try {
      const api = createApi(server.url);
      const { tokens } = await newMember(api);
      await until(Date.parse(tokens.expires_at) + 50);
      expect(await isAlive(api, tokens.access_token)).toBe(false);
      const ended = await api<ApiError>("DELETE", "/v1/auth/session", { token: tokens.access_token });
      expect(ended).toMatchObject({ status: 401, body: { error_code: "unauthorized" } });
      const renewed = await refresh(api, tokens.refresh_token);
      expect(await isAlive(api, renewed.body.access_token)).toBe(true);
      await until(Date.parse(renewed.body.refresh_token_expires_at) + 50);
      const late = await refresh(api, renewed.body.refresh_token);
      expect(late).toMatchObject({ status: 401, body: { error_code: "refresh_token_expired" } });
    } finally {
      await server.stop();
    }
  });
});

test.describe("token kinds", () => {
  test("are never interchangeable", async ({ api }) => {
    const person = await newMember(api);
    const { payment_url } = await requestPayment(api, person);
    const { access_token, refresh_token } = person.tokens;
    const body = (token: string) => token.slice(5);
    const foreign = [
      refresh_token,
      `qtat_${body(refresh_token)}`,
      `qtsk_${body(access_token)}`,
      `qtrt_${body(access_token)}`,
      payment_url.slice(payment_url.lastIndexOf("/") + 1),
      person.tokens.session_id,
      person.userId,
    ];
    for (const token of foreign) {
      expect(await isAlive(api, token)).toBe(false);
      const ended = await api<ApiError>("DELETE", "/v1/auth/session", { token });
      expect(ended).toMatchObject({ status: 401, body: { error_code: "unauthorized" } });
    }
    for (const token of [access_token, `qtrt_${body(access_token)}`, ...foreign.slice(4)]) {
      expect((await refresh(api, token)).body.error_code).toBe("refresh_token_invalid");
    }
    expect(await isAlive(api, access_token)).toBe(true);
    expect((await refresh(api, refresh_token)).status).toBe(200);
  });

  test("a cookie does not authenticate API requests", async ({ api }) => {
    const { token } = await newMember(api);
    for (const name of ["session", "qt_session", "__Host-qt_session", "auth_session", "quittance_session"]) {
      const reply = await api("GET", "/v1/transactions", { headers: { Cookie: `${name}=${token}` } });
      expect(reply.status).toBe(401);
    }
  });
});

test.describe("user enumeration", () => {
  const comparable = (reply: { status: number; text: string; headers: Headers }) => ({
    status: reply.status,
    text: reply.text,
    headers: [...reply.headers].filter(([name]) => !["request-id", "date"].includes(name)).sort(),
  });

  test("a known and an unknown user are refused alike", async ({ api }) => {
    const { email } = await newMember(api);
    const login = (address: string) =>
      api("POST", "/v1/auth/login", { body: { email: address, password: "not the password" } });
    const known = comparable(await login(email));
    expect(known.status).toBe(400);
    for (const address of [newEmail(), newEmail(), "nobody@example.invalid"]) {
      expect(comparable(await login(address))).toEqual(known);
    }
  });

  test("failures of both are throttled alike, across a restart, even with the correct password", async ({ engine }) => {
    test.setTimeout(60_000);
    const server = await startServer({ engine, env: { LOGIN_FAILURES_PER_USER_AND_IP: "3" } });
    try {
      const api = createApi(server.url);
      const login = (email: string, password: string) =>
        api<ApiError>("POST", "/v1/auth/login", { body: { email, password } });
      const { email } = await newMember(api);
      for (const address of [email, newEmail()]) {
        // Concurrently, so that no attempt slips through between check and count.
        const replies = await times(12, () => login(address, "not the password"));
        const statuses = replies.map((reply) => reply.status).sort();
        expect(statuses).toEqual([...Array(3).fill(400), ...Array(9).fill(429)]);
        for (const reply of replies.filter(({ status }) => status === 429)) {
          expect(reply.body.error_code).toBe("rate_limited");
          expect(Number(reply.headers.get("retry-after"))).toBeGreaterThan(0);
          expect(Number(reply.headers.get("retry-after"))).toBeLessThanOrEqual(900);
        }
      }
      await server.restart();
      expect((await login(email, memberPassword)).status).toBe(429);
      // No other user is locked out.
      expect((await login(firstAdmin.email, firstAdmin.password)).status).toBe(200);
    } finally {
      await server.stop();
    }
  });

  test("unknown and malformed session ids are answered alike", async ({ api }) => {
    const person = await newMember(api);
    const ask = (session_id: string) =>
      api<ApiError>("DELETE", "/v1/auth/session", { token: person.token, body: { session_id } });
    const made = `ses_${createHash("sha256").update(unique()).digest("hex").slice(0, 26)}`;
    expect(comparable(await ask(made))).toEqual(comparable(await ask("ses_none")));
  });
});
