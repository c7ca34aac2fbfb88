// Database faults: one app per SQLite file; an I/O error ends the server with its own exit code, and a restart works.
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { createApi, signIn } from "../api";
import { expect, test } from "../fixtures";
import { freePort, serverEnvironment, spawnServer, startServer, type TestServer } from "../server";
import { runProgram } from "./people";

const invoice = { type: "product", amount: 1200, currency: "EUR" };
type Payment = { payment_id: string };

let server: TestServer;
test.beforeEach(async ({ engine }) => {
  server = await startServer({ engine });
});
test.afterEach(() => server.stop());

/** Starts a second server on the same database and stops it once it is ready. */
async function startSecond(): Promise<{ code: number | null; text: string }> {
  const { dataDir, databaseUrl } = server;
  const port = await freePort();
  const output: string[] = [];
  const settings = { port, url: `http://127.0.0.1:${port}`, dataDir, databaseUrl, given: {} };
  const child = spawnServer(serverEnvironment(settings), output);
  // Signal only once: a second signal would kill it immediately.
  child.stdout?.on("data", (chunk: Buffer) => {
    if (chunk.includes("Quittance is ready")) child.kill("SIGTERM");
  });
  const [code] = (await once(child, "close")) as [number | null];
  return { code, text: output.join("") };
}

test("a second server on the file refuses to start and says why", async () => {
  const second = await startSecond();
  expect(second.code).toBe(1);
  expect(second.text).toContain("Another process already uses the database file");
  expect(second.text).not.toMatch(/\n\s+at /);
  // Consistency checks run beside the server, and a killed server blocks nothing.
  expect(await runProgram(server, "server/domains/ledger/verify-cli.ts")).toContain("The ledger is sound");
  await server.kill("SIGKILL");
  await server.restart();
});

/** Limits the size of files the server may write. A write beyond it fails as on a broken disk, not as on a full one. */
const limitFiles = (bytes: number) => execFileSync("prlimit", [`--pid=${server.pid()}`, `--fsize=${bytes}:`]);

// Other systems cannot limit a running process.
if (process.platform === "linux") {
  test("an I/O error makes the server exit with 74, and it restarts with every acknowledged write", async () => {
    const api = createApi(server.url);
    const { access_token: token } = await signIn(api);
    const create = () => api<Payment>("POST", "/v1/payments", { token, body: invoice });
    const made = await Promise.all(Array.from({ length: 5 }, create));
    const ended = server.ended();
    // 0, so that even overwriting fails: the server may just have started the write-ahead log from its beginning again.
    limitFiles(0);
    const replies = await Promise.allSettled(Array.from({ length: 20 }, create));
    // A job may meet the error first. Then the server is already stopping, and refuses connections.
    const answers = replies.flatMap((reply) => (reply.status === "fulfilled" ? [reply.value.status] : []));
    expect(answers.filter((status) => status !== 503)).toEqual([]);
    expect(await ended).toBe(74);
    await server.restart();
    const ids = made.map(({ body }) => body.payment_id);
    const found = await Promise.all(ids.map((id) => api("GET", `/v1/payments/${id}`, { token })));
    expect(found.map(({ status }) => status)).toEqual(ids.map(() => 200));
    expect(await runProgram(server, "server/domains/ledger/verify-cli.ts")).toContain("The ledger is sound");
  });
}
