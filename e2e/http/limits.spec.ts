// The cost of anonymous clients is bounded: bodies of refused requests, and malformed paths. Also, each request's log
// line.
import { setTimeout as sleep } from "node:timers/promises";
import { createApi, signIn } from "../api";
import { expect, test } from "../fixtures";
import { startServer } from "../server";
import { converse, head, openSocket } from "./socket";

test.describe("request bodies sent to pages", () => {
  test("are refused before they arrive", async ({ server }) => {
    for (const [start, headers, status] of [
      ["POST /sign-in", ["Content-Length: 10000000"], 405],
      ["POST /", ["Transfer-Encoding: chunked"], 405],
      ["GET /sign-in", ["Content-Length: 10000000"], 413],
      ["POST /api/trpc/sessions.signIn", ["Content-Length: 10000000"], 413],
      ["POST /api/trpc/accounts.setLogo", ["Content-Length: 2000000"], 413],
      ["POST /nowhere", ["Content-Length: 5"], 405],
      ["OPTIONS /dashboard", [], 405],
    ] as const) {
      const answer = await converse(server.url, [head(server.url, start, [...headers])]);
      expect(answer.statuses, start).toEqual([status]);
      expect(answer.closed, start).toBe(true);
    }
  });

  test("leak no memory, and every log line stays JSON", async ({ engine }) => {
    const own = await startServer({ engine });
    try {
      expect((await fetch(`${own.url}/sign-in`)).status).toBe(200);
      await sleep(500);
      const before = own.memory();
      const body = Buffer.alloc(9_900_000, "a");
      const start = head(own.url, "POST /sign-in", ["Content-Length: 10000000"]);
      const sockets = Array.from({ length: 40 }, () => openSocket(own.url, [start, body]));
      await sleep(3_000);
      expect((await fetch(`${own.url}/healthz`)).status).toBe(200);
      for (const socket of sockets) socket.destroy();
      // A regression would keep 40 times 9.9 MB.
      expect(own.memory() - before).toBeLessThan(100 * 1024 * 1024);
      const lines = own
        .logs()
        .split("\n")
        .filter((line) => line.startsWith("{") || /error|aborted/i.test(line));
      for (const line of lines) expect(() => JSON.parse(line), line).not.toThrow();
    } finally {
      await own.stop();
    }
  });
});

test("a path that is not in normal form reaches no route, however it is written", async ({ server }) => {
  for (const path of [
    "/%2e/v1/auth/login",
    "/./v1/auth/login",
    "/x/../v1/auth/login",
    "/x/%2e%2e/v1/auth/login",
    "//v1/auth/login",
    "/\\v1/auth/login",
    "/x;/../v1/auth/login",
    "/%76%31/auth/login",
    "/%2fv1/auth/login",
    "/v1/../v1/auth/login",
  ]) {
    for (const method of ["GET", "POST"]) {
      const answer = await converse(server.url, [head(server.url, `${method} ${path}`, ["Connection: close"])]);
      expect(answer.statuses, `${method} ${path}`).toEqual([400]);
    }
  }
});

test("every response has the security headers", async ({ server }) => {
  for (const path of [
    ...["/", "/sign-in", "/dashboard", "/nowhere", "/healthz", "/readyz", "/healthzx", "/readyz/x"],
    ...["/pay/x", "/pay/x/y", "/sandbox/x", "/api/trpc/x", "/api/x", "/v1/nowhere", "/v1/openapi.json"],
    ...["/_next/image?url=%2Fx&w=64&q=75", "/_next/x", "/a//b", "/favicon.ico"],
  ]) {
    const from = { origin: "https://elsewhere.example" };
    const { headers } = await fetch(server.url + path, { redirect: "manual", headers: from });
    expect([...headers.keys()].filter((name) => name.startsWith("access-control-"))).toEqual([]);
    expect(headers.get("content-security-policy"), path).toContain("default-src 'none'");
    expect(headers.get("x-frame-options"), path).toBe("DENY");
    expect(headers.get("referrer-policy"), path).toMatch(/^(no-referrer|same-origin)$/);
    expect(headers.get("x-content-type-options"), path).toBe("nosniff");
    expect(headers.get("request-id"), path).toMatch(/^req_/);
    const type = headers.get("content-type");
    if (type?.startsWith("text/") || type?.startsWith("application/json")) expect(type, path).toMatch(/charset=utf-8/i);
  }
  expect((await fetch(`${server.url}/_next/image?url=%2Ficon.svg&w=64&q=75`)).status).toBe(404);
});

test("each request is logged in one line: caller, address, operation and outcome", async ({ engine }) => {
  const own = await startServer({ engine });
  try {
    const api = createApi(own.url);
    const { access_token: token, session_id } = await signIn(api);
    const refused = await api("GET", "/v1/payments/pay_unknown", { token });
    await api("GET", "/v1/transactions", { token: "nonsense" });
    for (const path of ["/sign-in", "/api/trpc/users.current"]) await (await fetch(`${own.url}${path}`)).text();
    const lineOf = (path: string) =>
      own
        .logs()
        .split("\n")
        .filter((line) => line.includes('"msg":"request"'))
        .map((line) => JSON.parse(line))
        .find((line) => line.path === path);
    await expect.poll(() => lineOf("/sign-in") && lineOf("/api/trpc/users.current")).toBeTruthy();
    const address = "127.0.0.1";
    expect(lineOf("/v1/payments/pay_unknown")).toMatchObject({
      requestId: refused.headers.get("request-id"),
      operation: "payments.get",
      error_code: "payment_not_found",
      address,
      caller: expect.stringMatching(/^usr_/),
      session: session_id,
      status: 400,
      method: "GET",
    });
    expect(lineOf("/v1/transactions")).toMatchObject({ address, caller: "anonymous", error_code: "unauthorized" });
    expect(lineOf("/sign-in")).toMatchObject({ address, status: 200, operation: expect.stringContaining("users.") });
    expect(lineOf("/api/trpc/users.current")).toMatchObject({ operation: "users.current", error_code: "unauthorized" });
  } finally {
    await own.stop();
  }
});

test("X-Forwarded-For without a trusted proxy logs one warning", async ({ engine }) => {
  const own = await startServer({ engine });
  try {
    for (let i = 0; i < 3; i++) {
      await fetch(`${own.url}/v1/openapi.json`, { headers: { "X-Forwarded-For": "203.0.113.1" } });
    }
    expect(own.logs().match(/TRUST_PROXY is not set/g)).toHaveLength(1);
  } finally {
    await own.stop();
  }
});
