// The server as a process: clear startup errors, restarts without loss, and a drain that answers the requests in
// progress.
import { writeFileSync } from "node:fs";
import { Agent, get } from "node:http";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createApi, signIn } from "../api";
import { expect, test } from "../fixtures";
import { failToStart, freePort, startServer, type TestServer } from "../server";

const invoice = { type: "product", amount: 1200, currency: "EUR" };
type Payment = { payment_id: string; status: string };

test.describe("refusing to start", () => {
  test("says that the database cannot be used", async ({ server, engine }) => {
    const broken = path.join(server.dataDir, "broken.db");
    writeFileSync(broken, "not a database. ".repeat(64));
    const url = engine === "sqlite" ? `file:${broken}` : `postgres://app:hunter2@127.0.0.1:${await freePort()}/none`;
    const { code, text } = await failToStart(server, { DATABASE_URL: url });
    expect(code).toBe(1);
    expect(text).toContain("The database cannot be used");
    expect(text).not.toContain("hunter2");
    expect(text).not.toMatch(/\n\s+at /);
  });
});

test.describe("a separate server", () => {
  let own: TestServer;
  test.beforeEach(async ({ engine }) => {
    own = await startServer({ engine });
  });
  test.afterEach(() => own.stop());

  test("keeps acknowledged writes across a kill", async () => {
    const api = createApi(own.url);
    const { access_token: token } = await signIn(api);
    const made: string[] = [];
    const writers = Array.from({ length: 8 }, async () => {
      for (;;) {
        const reply = await api<Payment>("POST", "/v1/payments", { token, body: invoice });
        made.push(reply.body.payment_id);
      }
    });
    const ended = Promise.allSettled(writers);
    await expect.poll(() => made.length).toBeGreaterThan(20);
    await own.kill("SIGKILL");
    await ended;
    await own.restart();
    const found = await Promise.all(made.map((id) => api("GET", `/v1/payments/${id}`, { token })));
    expect(found.filter(({ status }) => status !== 200)).toEqual([]);
  });

  test("answers the requests in progress on SIGTERM, including long polls, and exits with 0", async () => {
    const api = createApi(own.url);
    const { access_token: token } = await signIn(api);
    const { body: payment } = await api<Payment>("POST", "/v1/payments", { token, body: invoice });
    const poll = api<Payment>("GET", `/v1/payments/${payment.payment_id}/status?wait=30`, { token });
    await sleep(200);
    // Open the connections first: a connection that the server has not accepted yet carries no request in progress.
    await Promise.all(Array.from({ length: 50 }, () => api("GET", "/v1/openapi.json")));
    const writes = Array.from({ length: 50 }, () => api<Payment>("POST", "/v1/payments", { token, body: invoice }));
    const first = await Promise.race(writes);
    expect(first.status).toBe(200);
    const exited = own.kill("SIGTERM");
    const polled = await poll;
    expect(polled.status).toBe(200);
    expect(polled.body.status).toBe("pending");
    const replies = await Promise.all(writes);
    expect(replies.filter(({ status }) => status !== 200)).toEqual([]);
    expect(await exited).toBe(0);
    await own.restart();
    const found = await Promise.all(
      replies.map(({ body }) => api("GET", `/v1/payments/${body.payment_id}`, { token })),
    );
    expect(found.filter(({ status }) => status !== 200)).toEqual([]);
  });

  test("does not start with another server key", async () => {
    await own.kill("SIGTERM");
    const { code, text } = await failToStart(own, { SECRET_KEY: Buffer.alloc(32, 8).toString("base64") });
    expect(code).toBe(1);
    expect(text).toMatch(/SECRET_KEY: the database was last signed with the key [0-9a-f]{8}/);
    expect(text).not.toMatch(/\n\s+at /);
  });

  test("fails no request on a kept-alive connection while the server stops", async () => {
    const statuses: number[] = [];
    const failures: unknown[] = [];
    const clients = Array.from({ length: 4 }, async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      for (let previousAt = Number.NEGATIVE_INFINITY, sentAt = 0; ; previousAt = sentAt) {
        sentAt = performance.now();
        const answer = await statusOf(`${own.url}/v1/openapi.json`, agent).catch((error: Error) => error);
        if (!(answer instanceof Error)) statuses.push(answer);
        // A connection that was refused never carried a request.
        else if (Reflect.get(answer, "syscall") === "connect") return;
        // The server closes a connection after one idle second, and the client has to repeat its request on another one
        // (RFC 9112, 9.3.1). On a busy machine a client may be that slow.
        else if (performance.now() - previousAt < 1_000) failures.push(answer);
      }
    });
    await expect.poll(() => statuses.length).toBeGreaterThan(50);
    const exited = own.kill("SIGTERM");
    await Promise.all(clients);
    expect(failures).toEqual([]);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(await exited).toBe(0);
  });
});

/** Sends a GET through the agent and reads the whole response; resolves with its status. */
function statusOf(url: string, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent }, (response) => {
      response.once("error", reject).once("end", () => resolve(response.statusCode ?? 0));
      response.resume();
    });
    request.once("error", reject);
  });
}

test.describe("health", () => {
  test("reports liveness and readiness without caching", async ({ api }) => {
    for (const [route, status] of [
      ["/healthz", "ok"],
      ["/readyz", "ready"],
    ] as const) {
      const reply = await api("GET", route);
      expect(reply).toMatchObject({ status: 200, body: { status } });
      expect(reply.headers.get("Cache-Control")).toBe("no-store");
    }
  });
});
