// Response headers: request ids, caching, limits, versions, long polling and Idempotency-Key.
import { expect } from "playwright/test";
import { type Api, type ApiError, createApi, signIn } from "../api";
import { test } from "../fixtures";
import { type Engine, startServer } from "../server";
import {
  newMember,
  PASSWORD,
  type PaymentBody,
  type Person,
  receive,
  requestPayment,
  succeeded,
  unique,
} from "./people";
import { absentId, expectRecord, FIELDS } from "./records";

/** One call for each kind of outcome. */
const endings = (token: string): [status: number, ...call: Parameters<Api>][] => [
  [200, "GET", "/v1/openapi.json"],
  [200, "GET", "/v1/transactions", { token }],
  [400, "GET", `/v1/transactions/${absentId("txn")}`, { token }],
  [400, "POST", "/v1/payments", { token, body: "{" }],
  [401, "GET", "/v1/transactions"],
  [401, "POST", "/v1/auth/refresh"],
  [404, "GET", "/v1/nothing"],
  [405, "PUT", "/v1/payments"],
  [413, "POST", "/v1/payments", { token, body: JSON.stringify("x".repeat(70_000)) }],
  [415, "POST", "/v1/payments", { token, body: "{}", headers: { "Content-Type": "text/plain" } }],
];

const withServer = async (engine: Engine, env: Record<string, string>, work: (api: Api) => Promise<void>) => {
  const server = await startServer({ engine, env });
  try {
    await work(createApi(server.url));
  } finally {
    await server.stop();
  }
};

test.describe("every response", () => {
  test("has a request id and forbids caching and sniffing", async ({ api, adminToken }) => {
    for (const [status, ...call] of endings(adminToken)) {
      const reply = await api(...call);
      expect(reply.status, call.join(" ")).toBe(status);
      expect(reply.headers.get("request-id")).toMatch(/^req_[0-9a-z]{26}$/);
      expect(reply.headers.get("cache-control")).toBe("no-store");
      expect(reply.headers.get("x-content-type-options")).toBe("nosniff");
    }
  });

  test("returns the caller's request id if it is valid", async ({ api, adminToken }) => {
    for (const [, method, path, given] of endings(adminToken)) {
      for (const id of ["a", "trace-1.2_3", "x".repeat(128)]) {
        const reply = await api(method, path, { ...given, headers: { ...given?.headers, "Request-Id": id } });
        expect(reply.headers.get("request-id")).toBe(id);
      }
    }
    for (const id of ["x".repeat(129), "a b", "é", "<script>", "a,b"]) {
      const reply = await api("GET", "/v1/openapi.json", { headers: { "Request-Id": id } });
      expect(reply.headers.get("request-id")).toMatch(/^req_/);
    }
  });

  test("carries WWW-Authenticate if it is a 401", async ({ api, adminToken }) => {
    const calls: Parameters<Api>[] = [
      ["GET", "/v1/transactions"],
      ["GET", "/v1/transactions", { token: "nonsense" }],
      ["POST", "/v1/auth/refresh", { token: adminToken }],
      ["DELETE", "/v1/auth/session"],
      ["DELETE", "/v1/auth/session", { token: adminToken, body: { session_id: absentId("ses") } }],
    ];
    for (const call of calls) {
      const reply = await api(...call);
      expect(reply.status).toBe(401);
      expect(reply.headers.get("www-authenticate")).toMatch(/^Bearer/);
    }
  });

  test("to HEAD equals the response to GET without its body", async ({ api, adminToken: token }) => {
    const reply = await api("HEAD", "/v1/transactions", { token });
    expect(reply).toMatchObject({ status: 200, text: "" });
    expect(reply.headers.get("content-type")).toMatch(/^application\/json/);
    expect((await api("HEAD", "/v1/transactions")).status).toBe(401);
  });
});

test.describe("limits", () => {
  test("RATE_LIMIT=3: three calls per user, then 429 with Retry-After", async ({ engine }) => {
    await withServer(engine, { RATE_LIMIT: "3" }, async (api) => {
      const [one, other] = [await signIn(api), await signIn(api)];
      const list = (token: string) => api<ApiError>("GET", "/v1/transactions", { token });
      for (const left of [2, 1, 0]) {
        const reply = await list(one.access_token);
        expect(reply.status).toBe(200);
        expect(reply.headers.get("ratelimit-policy")).toBe('"default";q=3;w=60');
        expect(reply.headers.get("ratelimit")).toMatch(new RegExp(`^"default";r=${left};t=\\d+$`));
      }
      const refused = await list(one.access_token);
      expect({ status: refused.status, code: refused.body.error_code }).toEqual({ status: 429, code: "rate_limited" });
      expectRecord(refused.body, FIELDS.error);
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(60);
      expect(refused.headers.get("ratelimit")).toMatch(/r=0/);
      // The limit counts per user across sessions; an address without a credential has its own count.
      expect((await list(other.access_token)).status).toBe(429);
      const anonymous = await api("GET", "/v1/transactions");
      expect(anonymous.status).toBe(401);
    });
  });

  test("RATE_LIMIT=0: no limit and no rate limit headers", async ({ api, adminToken: token }) => {
    const reply = await api("GET", "/v1/transactions", { token });
    expect(reply.headers.get("ratelimit")).toBeNull();
  });

  test("more concurrent password checks than allowed: 503 with Retry-After, for known and unknown users", async ({
    engine,
  }) => {
    await withServer(engine, { TRUST_PROXY: "127.0.0.1", SIGNUP: "open" }, async (api) => {
      const { email } = await newMember(api);
      // The number of concurrent requests per address is limited, so use several addresses.
      const login = (address: string, from: number) => {
        const headers = { "X-Forwarded-For": `203.0.113.${from}` };
        const body = { email: address, password: "not the password" };
        return api<ApiError>("POST", "/v1/auth/login", { headers, body });
      };
      const all = Array.from({ length: 150 }, (_, n) => login(`${unique()}@example.com`, n % 15));
      const replies = await Promise.all(all);
      const refused = replies.filter((reply) => reply.body.error_code === "unavailable");
      for (const reply of refused) {
        expect(reply.status).toBe(503);
        expect(reply.headers.get("retry-after")).toBe("1");
      }
      expect(refused.length).toBeGreaterThan(0);
      expect(replies.filter((reply) => reply.body.error_code === "invalid_credentials").length).toBe(
        150 - refused.length,
      );
      expect((await login(email, 0)).body.error_code).toBe("invalid_credentials");
    });
  });

  test("SIGNUP=closed: only admins create users", async ({ engine }) => {
    await withServer(engine, { SIGNUP: "closed" }, async (api) => {
      const { access_token: token } = await signIn(api);
      const body = { email: "new@example.com", password: PASSWORD };
      const refused = await api<ApiError>("POST", "/v1/users", { body });
      expect({ status: refused.status, code: refused.body.error_code }).toEqual({ status: 400, code: "signup_closed" });
      expect((await api("POST", "/v1/users", { body, token })).status).toBe(200);
    });
  });
});

test.describe("versions", () => {
  test("a status has an ETag; 304 until it changes", async ({ api }) => {
    const person = await newMember(api);
    const { payment_id } = await requestPayment(api, person, 500);
    const path = `/v1/payments/${payment_id}/status`;
    const get = (tag?: string) =>
      api("GET", path, { token: person.token, headers: tag === undefined ? {} : { "If-None-Match": tag } });
    const tag = (await get()).headers.get("etag") ?? "";
    expect(tag).toMatch(/^"[^"]+"$/);
    for (const given of [tag, `W/${tag}`, `"x", ${tag}`]) {
      const reply = await get(given);
      expect(reply).toMatchObject({ status: 304, text: "" });
      expect(reply.headers.get("etag")).toBe(tag);
    }
    expect((await get('"x"')).status).toBe(200);
    await receive(api, person, 500, { payment_id });
    const changed = await get(tag);
    expect(changed).toMatchObject({ status: 200, body: { status: "paid" } });
    expect(changed.headers.get("etag")).not.toBe(tag);
  });

  test("If-Match guards an account against lost updates", async ({ api }) => {
    const { token, accountId } = await newMember(api);
    const patch = (name: string, tag?: string) =>
      api<ApiError>("PATCH", "/v1/accounts", {
        token,
        body: { account_name: name },
        headers: tag === undefined ? {} : { "If-Match": tag },
      });
    const tag = (await api("GET", `/v1/accounts/${accountId}`, { token })).headers.get("etag") ?? "";
    expect(tag).toMatch(/^"[^"]+"$/);
    const first = await patch("First", tag);
    expect(first.status).toBe(200);
    const second = await patch("Second", tag);
    expect({ status: second.status, code: second.body.error_code }).toEqual({ status: 400, code: "version_conflict" });
    expect((await patch("Third", first.headers.get("etag") ?? "")).status).toBe(200);
    expect((await patch("Fourth", '"odd"')).status).toBe(400);
    expect((await patch("Fifth")).body).toMatchObject({ account_name: "Fifth" });
  });

  test("of twenty updates with one version, one succeeds", async ({ api }) => {
    const { token, accountId } = await newMember(api);
    const tag = (await api("GET", `/v1/accounts/${accountId}`, { token })).headers.get("etag") ?? "";
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        api("PATCH", "/v1/accounts", { token, body: { account_name: `Name ${i}` }, headers: { "If-Match": tag } }),
      ),
    );
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1);
  });
});

test.describe("?wait=", () => {
  const timed = async <T>(work: Promise<T>): Promise<[T, number]> => {
    const startedAt = Date.now();
    return [await work, Date.now() - startedAt];
  };

  test("answers when the status changes", async ({ api }) => {
    const person = await newMember(api);
    const { payment_id } = await requestPayment(api, person, 500);
    const path = `/v1/payments/${payment_id}/status?wait=30`;
    const waiting = timed(api("GET", path, { token: person.token }));
    await new Promise((resume) => setTimeout(resume, 400));
    await receive(api, person, 500, { payment_id });
    const [reply, ms] = await waiting;
    expect(reply).toMatchObject({ status: 200, body: { status: "paid", amount_due: 0 } });
    expect(ms).toBeGreaterThan(350);
    expect(ms).toBeLessThan(10_000);
  });

  test("answers after the timeout if nothing changes, and immediately if it changed before", async ({ api }) => {
    const person = await newMember(api);
    const { payment_id } = await requestPayment(api, person, 500);
    const get = (wait: string, tag?: string) =>
      timed(
        api("GET", `/v1/payments/${payment_id}/status?wait=${wait}`, {
          token: person.token,
          headers: tag === undefined ? {} : { "If-None-Match": tag },
        }),
      );
    const [first, atOnce] = await get("0");
    expect(atOnce).toBeLessThan(3_000);
    const tag = first.headers.get("etag") ?? "";
    const [same, ms] = await get("1");
    expect(same).toMatchObject({ status: 200, body: { status: "pending" } });
    expect(ms).toBeGreaterThan(900);
    expect(ms).toBeLessThan(5_000);
    const [unchanged, msToo] = await get("1", tag);
    expect(unchanged.status).toBe(304);
    expect(msToo).toBeGreaterThan(900);
    await receive(api, person, 500, { payment_id });
    const [news, soon] = await get("20", tag);
    expect(news).toMatchObject({ status: 200, body: { status: "paid" } });
    expect(soon).toBeLessThan(3_000);
  });

  test("at most twenty requests of one user wait; more are answered immediately, and the server stays responsive", async ({
    api,
  }) => {
    const person = await newMember(api);
    const { payment_id } = await requestPayment(api, person, 500);
    const path = `/v1/payments/${payment_id}/status?wait=40`;
    const calls = Array.from({ length: 50 }, () => api<PaymentBody>("GET", path, { token: person.token }));
    const early: Awaited<(typeof calls)[number]>[] = [];
    for (const call of calls) void call.then((reply) => early.push(reply));
    await expect.poll(() => early.length, { timeout: 20_000 }).toBe(30);
    for (const reply of early) {
      expect(reply).toMatchObject({ status: 200, body: { status: "pending" } });
      expect(reply.headers.get("retry-after")).toBe("1");
    }
    await receive(api, person, 500, { payment_id });
    const statuses = (await Promise.all(calls)).map(({ body }) => body.status);
    expect(statuses.filter((status) => status === "paid")).toHaveLength(20);
  });

  test("400 for an invalid wait time", async ({ api, adminToken: token }) => {
    for (const wait of ["-1", "x", "1.5", "", "100000"]) {
      const path = `/v1/payments/${absentId("pay")}/status?wait=${wait}`;
      expect((await api<ApiError>("GET", path, { token })).body.error_code).toBe("invalid_request");
    }
  });
});

test.describe("Idempotency-Key", () => {
  const payment = { type: "payment", amount: 100, currency: "EUR" };
  const send = (api: Api, person: Person, key: string, body: unknown, [method, path] = ["POST", "/v1/transactions"]) =>
    api<ApiError & Record<string, unknown>>(String(method), String(path), {
      token: person.token,
      body,
      headers: { "Idempotency-Key": key },
    });
  const countOf = async (api: Api, { token }: Person) =>
    succeeded(await api<{ total_count: number }>("GET", "/v1/transactions?include_total=true", { token })).total_count;

  test("same key, same request: the response is replayed and marked as a replay", async ({ api }) => {
    const person = await newMember(api);
    const key = unique();
    const first = await send(api, person, key, payment);
    expect(first.headers.get("idempotent-replayed")).toBeNull();
    const spaced = JSON.stringify(payment, null, 2);
    for (const body of [payment, spaced]) {
      const again = await send(api, person, key, body);
      expect(again).toMatchObject({ status: 200, text: first.text });
      expect(again.headers.get("idempotent-replayed")).toBe("true");
    }
    expect(await countOf(api, person)).toBe(1);
  });

  test("same key, another request: 400 idempotency_key_reused", async ({ api }) => {
    const person = await newMember(api);
    const key = unique();
    await send(api, person, key, payment);
    const others: [unknown, [string, string]?][] = [
      [{ ...payment, amount: 101 }],
      [{ ...payment, description: "more" }],
      [{ type: "product", amount: 100, currency: "EUR" }, ["POST", "/v1/payments"]],
      [{ account_name: "Name" }, ["PATCH", "/v1/accounts"]],
      [{}, ["DELETE", "/v1/auth/close"]],
    ];
    for (const [body, target] of others) {
      const reply = await send(api, person, key, body, target);
      expect({ status: reply.status, code: reply.body.error_code }).toEqual({
        status: 400,
        code: "idempotency_key_reused",
      });
    }
    expect(await countOf(api, person)).toBe(1);
  });

  test("a refusal is replayed; an invalid request may be corrected under the same key", async ({ api }) => {
    const [person, other] = [await newMember(api), await newMember(api)];
    const key = unique();
    const transfer = { type: "transfer", amount: 10, currency: "EUR", destination_account_id: other.accountId };
    const refused = await send(api, person, key, transfer);
    expect(refused.body.error_code).toBe("insufficient_balance");
    await receive(api, person, 100);
    const again = await send(api, person, key, transfer);
    expect(again).toMatchObject({ status: 400, text: refused.text });
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect((await send(api, person, unique(), transfer)).status).toBe(200);
    const mended = unique();
    expect((await send(api, person, mended, { ...transfer, amount: -1 })).body.error_code).toBe("invalid_request");
    expect((await send(api, person, mended, transfer)).status).toBe(200);
  });

  test("belongs to its user across sessions", async ({ api }) => {
    const [person, other] = [await newMember(api), await newMember(api)];
    const key = unique();
    const first = await send(api, person, key, payment);
    expect((await send(api, other, key, payment)).body.transaction_id).not.toBe(first.body.transaction_id);
    const { access_token: token } = await signIn(api, person.email, PASSWORD);
    expect((await send(api, { ...person, token }, key, payment)).text).toBe(first.text);
  });

  test("works on PATCH and DELETE too, and is ignored on reads", async ({ api }) => {
    const person = await newMember(api);
    const [rename, close] = [unique(), unique()];
    const renamed = await send(api, person, rename, { account_name: "One" }, ["PATCH", "/v1/accounts"]);
    await send(api, person, unique(), { account_name: "Two" }, ["PATCH", "/v1/accounts"]);
    expect((await send(api, person, rename, { account_name: "One" }, ["PATCH", "/v1/accounts"])).text).toBe(
      renamed.text,
    );
    const { accountId: account_id } = person;
    const admin = { ...person, token: (await signIn(api)).access_token };
    const closed = await send(api, admin, close, { account_id }, ["DELETE", "/v1/auth/close"]);
    expect(closed.status).toBe(200);
    expect((await send(api, admin, close, { account_id }, ["DELETE", "/v1/auth/close"])).text).toBe(closed.text);
    const headers = { "Idempotency-Key": close };
    expect((await api("GET", "/v1/transactions", { token: admin.token, headers })).status).toBe(200);
  });

  test("is ignored on login and sign-up", async ({ api }) => {
    const email = `${unique()}@example.com`;
    const headers = { "Idempotency-Key": unique() };
    const body = { email, password: PASSWORD };
    expect((await api("POST", "/v1/users", { body, headers })).status).toBe(200);
    expect((await api<ApiError>("POST", "/v1/users", { body, headers })).body.error_code).toBe("email_taken");
    const logins = [
      await api("POST", "/v1/auth/login", { body, headers }),
      await api("POST", "/v1/auth/login", { body, headers }),
    ];
    expect(new Set(logins.map((reply) => reply.body.session_id)).size).toBe(2);
  });

  test("accepts 1 to 255 visible ASCII characters", async ({ api }) => {
    const person = await newMember(api);
    for (const key of ["x".repeat(256), "a b", "é", ""]) {
      const reply = await send(api, person, key, payment);
      expect({ status: reply.status, code: reply.body.error_code }).toEqual({ status: 400, code: "invalid_request" });
    }
    expect((await send(api, person, "~".repeat(255), payment)).status).toBe(200);
    expect(await countOf(api, person)).toBe(1);
  });

  test("forty concurrent requests: one effect; all get its response, or 409 with Retry-After", async ({ api }) => {
    const person = await newMember(api);
    const key = unique();
    const replies = await Promise.all(Array.from({ length: 40 }, () => send(api, person, key, payment)));
    const answers = new Set<string>();
    for (const reply of replies) {
      if (reply.status === 200) answers.add(reply.text);
      else {
        expect({ status: reply.status, code: reply.body.error_code }).toEqual({
          status: 409,
          code: "idempotency_key_in_use",
        });
        expect(reply.headers.get("retry-after")).toBe("1");
      }
    }
    expect(answers.size).toBe(1);
    expect(await countOf(api, person)).toBe(1);
    expect((await send(api, person, key, payment)).text).toBe([...answers][0]);
  });
});
