// Headers of every response, and the limits that they announce.
import { expect } from "playwright/test";
import { type Api, type ApiError, createApi, signIn } from "../api";
import { memberPassword, newMember, unique } from "../contract/people";
import { absentId, expectRecord, recordFields } from "../contract/records";
import { test } from "../fixtures";
import { type Engine, startServer } from "../server";

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
      expectRecord(refused.body, recordFields.error);
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
      const body = { email: "new@example.com", password: memberPassword };
      const refused = await api<ApiError>("POST", "/v1/users", { body });
      expect({ status: refused.status, code: refused.body.error_code }).toEqual({ status: 400, code: "signup_closed" });
      expect((await api("POST", "/v1/users", { body, token })).status).toBe(200);
    });
  });
});
