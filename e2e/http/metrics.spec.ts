// /metrics of the real programs: what it says, who may read it, and that a worker answers for itself.

import { parseMetrics, readingOf } from "@/test/prometheus";
import { createApi, signIn } from "../api";
import { expect, test } from "../fixtures";
import { end, freePort, serverEnvironment, spawnWorker, startServer } from "../server";

const token = "0123456789abcdef0123456789abcdef";

test("a program on this machine reads what the server measures; a proxy's caller does not", async ({ server, api }) => {
  await signIn(api);
  await api("GET", "/v1/transactions", { token: "nonsense" });
  const read = async () => {
    const response = await fetch(`${server.url}/metrics`);
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    return parseMetrics(await response.text());
  };
  await expect
    .poll(async () => readingOf(await read(), "quittance_requests_refused_total", { code: "unauthorized" }))
    .toBeGreaterThan(0);
  const found = await read();
  const logins = { operation: "sessions.login", outcome: "ok" };
  expect(readingOf(found, "quittance_operation_duration_seconds_count", logins)).toBeGreaterThan(0);
  expect(readingOf(found, "quittance_commit_group_transactions_count")).toBeGreaterThan(0);
  expect(readingOf(found, "quittance_jobs_oldest_seconds", { state: "dead" })).toBe(0);
  expect(readingOf(found, "process_resident_memory_bytes")).toBeGreaterThan(0);
  expect(readingOf(found, "quittance_event_loop_delay_seconds_count")).toBeGreaterThan(0);

  const forwarded = await fetch(`${server.url}/metrics`, { headers: { "X-Real-IP": "203.0.113.9" } });
  expect(forwarded.status).toBe(401);
  expect(forwarded.headers.get("WWW-Authenticate")).toBe("Bearer");
  expect(await forwarded.json()).toMatchObject({ error_code: "unauthorized" });
  const posted = await fetch(`${server.url}/metrics`, { method: "POST" });
  expect([posted.status, posted.headers.get("Allow")]).toEqual([405, "GET, HEAD"]);
});

test("METRICS_TOKEN admits only its holder, regardless of the rate limit; guesses count as calls", async ({
  engine,
}) => {
  const own = await startServer({ engine, env: { METRICS_TOKEN: token, RATE_LIMIT: "5" } });
  try {
    const ask = (given: string) => fetch(`${own.url}/metrics`, { headers: { Authorization: `Bearer ${given}` } });
    expect((await fetch(`${own.url}/metrics`)).status).toBe(401);
    const guesses = [];
    for (let i = 0; i < 8; i++) guesses.push((await ask(token.replace("0", String(i + 1)))).status);
    expect(guesses.slice(0, 2)).toEqual([401, 401]);
    expect(guesses.at(-1)).toBe(429);
    const holder = await ask(token);
    expect(holder.status).toBe(200);
    expect(own.logs()).not.toContain(token);
  } finally {
    await own.stop();
  }
});

test("a worker answers health checks and metrics for itself on WORKER_PORT, and nothing else", async ({ server }) => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const output: string[] = [];
  const settings = { port: 1, url: server.url, dataDir: server.dataDir, databaseUrl: server.databaseUrl };
  const worker = spawnWorker(serverEnvironment({ ...settings, given: { WORKER_PORT: String(port) } }), output);
  try {
    await expect.poll(() => output.join(""), { timeout: 20_000 }).toContain("The worker is ready");
    const api = createApi(url);
    expect((await api("GET", "/healthz")).body).toEqual({ status: "ok" });
    const found = parseMetrics((await api("GET", "/metrics")).text);
    expect(readingOf(found, "quittance_database_answered")).toBe(1);
    expect(readingOf(found, "quittance_operation_duration_seconds_count")).toBeUndefined();
    for (const path of ["/", "/v1/transactions", "/pay/x"]) expect((await api("GET", path)).status, path).toBe(404);
  } finally {
    expect(await end(worker, "SIGTERM")).toBe(0);
  }
});
