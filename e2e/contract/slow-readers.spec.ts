// Clients that do not read their responses: rows read for them are not kept in memory.
import { setTimeout as sleep } from "node:timers/promises";
import { createApi, signIn } from "../api";
import { expect, test } from "../fixtures";
import { head, openSocket } from "../http/socket";
import { startServer } from "../server";

const mebibyte = 1024 * 1024;

test("clients that do not read their responses cost little memory and delay no one", async ({ engine }) => {
  test.setTimeout(120_000);
  const own = await startServer({ engine });
  try {
    const api = createApi(own.url);
    const { access_token: token } = await signIn(api);
    const metadata = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`k${i}`, "x".repeat(450)]));
    for (let i = 0; i < 100; i++) {
      const body = { type: "product", amount: 100, currency: "EUR", metadata };
      expect((await api("POST", "/v1/payments", { token, body })).status).toBe(200);
    }
    const before = own.memory();
    const request = head(own.url, "GET /v1/payments?limit=100", [`Authorization: Bearer ${token}`]);
    const sockets = Array.from({ length: 150 }, () => openSocket(own.url, [request]));
    await sleep(5_000);
    expect((await fetch(`${own.url}/healthz`)).status).toBe(200);
    // Without a bound it would be 150 times 1.4 MB beyond what the system buffers.
    expect(own.memory() - before).toBeLessThan(200 * mebibyte);
    for (const socket of sockets) socket.destroy();
  } finally {
    await own.stop();
  }
});
