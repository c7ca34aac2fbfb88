// Background jobs run in the app, or in a separate worker, while the app runs none.
import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { createApi, signIn } from "../api";
import { expect, test } from "../fixtures";
import { goodCard, payByForm } from "../payer";
import { end, serverEnvironment, spawnWorker, startServer, type TestServer } from "../server";

/** A card with which the sandbox takes the money, drops the response, and sends a webhook five seconds later. */
const lostAnswer = { ...goodCard, card_number: "4000000000000119", security_code: "998" };

type PaymentBody = { payment_id: string; payment_url: string; status: string };

async function payWithLostAnswer(server: TestServer) {
  const api = createApi(server.url);
  const { access_token: token } = await signIn(api);
  const body = { type: "product", amount: 1200, currency: "EUR" };
  const { body: payment } = await api<PaymentBody>("POST", "/v1/payments", { token, body });
  await payByForm(payment.payment_url, lostAnswer);
  return async () =>
    (await api<PaymentBody>("GET", `/v1/payments/${payment.payment_id}/status`, { token })).body.status;
}

test("by default, the app runs the jobs itself", async ({ server }) => {
  const status = await payWithLostAnswer(server);
  expect(await status()).toBe("processing");
  await expect.poll(status, { timeout: 15_000 }).toBe("paid");
});

test("with WORKER=apart, only the worker runs jobs; it waits for more and stops on a signal", async ({ engine }) => {
  const server = await startServer({ engine, env: { WORKER: "apart" } });
  let worker: ChildProcess | undefined;
  try {
    const status = await payWithLostAnswer(server);
    // The webhook comes after five seconds. Without a worker, nobody acts on it.
    await sleep(7_000);
    expect(await status()).toBe("processing");
    const { url, dataDir, databaseUrl } = server;
    const output: string[] = [];
    worker = spawnWorker(serverEnvironment({ port: 0, url, dataDir, databaseUrl, given: { PORT: "" } }), output);
    await expect.poll(status, { timeout: 15_000 }).toBe("paid");
    expect(output.join("")).toContain("The worker is ready.");
    // With nothing to do, it waits for work. The thread that copies the log of SQLite ends within two seconds.
    await sleep(3_000);
    expect(worker.exitCode).toBeNull();
    expect(await end(worker, "SIGTERM")).toBe(0);
    expect(output.join("")).toContain('"msg":"stopped"');
  } finally {
    if (worker) await end(worker, "SIGKILL");
    await server.stop();
  }
});
