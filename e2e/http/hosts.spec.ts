// The REST interface behaves alike behind our own server and behind any other Next.js host: one handler, two adapters.
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import BetterSqlite from "better-sqlite3";
import { type Api, type ApiReply, type ApiRequest, createApi, signIn } from "../api";
import { expect, test } from "../fixtures";
import { end, freePort, serverEnvironment, startServer, type TestServer } from "../server";

const comparedHeaders = [
  "content-type",
  "cache-control",
  "request-id",
  "www-authenticate",
  "allow",
  "etag",
  "retry-after",
  "x-content-type-options",
];
const payment = { type: "product", amount: 100, currency: "EUR" };

let ours: TestServer;
let api: Api;
let otherApi: Api;
let token: string;
let paymentId: string;
const keyed = { body: payment, headers: { "Idempotency-Key": randomUUID() } };
let done: ApiReply<unknown>;
let stopOther: () => Promise<unknown>;

test.beforeAll(async ({ engine }) => {
  ours = await startServer({ engine });
  api = createApi(ours.url);
  token = (await signIn(api)).access_token;
  const made = await api<{ payment_id: string }>("POST", "/v1/payments", { token, body: payment });
  paymentId = made.body.payment_id;
  done = await api("POST", "/v1/payments", { token, ...keyed });
  const port = await freePort();
  const { dataDir } = ours;
  const databaseUrl = engine === "sqlite" ? await copyOf(ours.databaseUrl) : ours.databaseUrl;
  const env = serverEnvironment({ port, url: ours.url, dataDir, databaseUrl, given: { __NEXT_PROCESSED_ENV: "true" } });
  const args = ["node_modules/next/dist/bin/next", "start", "-H", "127.0.0.1", "-p", String(port)];
  const other = spawn(process.execPath, args, { env: { NODE_ENV: "production", ...env }, stdio: "ignore" });
  stopOther = () => end(other, "SIGTERM");
  otherApi = createApi(`http://127.0.0.1:${port}`);
  const isReady = () =>
    otherApi("GET", "/readyz").then(
      ({ status }) => status,
      () => 0,
    );
  await expect.poll(isReady, { timeout: 30_000 }).toBe(200);
});

/** Only one app may use a SQLite file, so the other host gets a copy. */
async function copyOf(url: string): Promise<string> {
  const original = new BetterSqlite(url.replace("file:", ""), { readonly: true });
  await original.backup(`${original.name}.copy`);
  original.close();
  return `${url}.copy`;
}

test.afterAll(async () => {
  await stopOther();
  await ours.stop();
});

/** A host's response without the parts that differ from call to call. */
async function answerOf(call: Api, method: string, path: string, request: ApiRequest) {
  const headers = { "Request-Id": "req_compare", ...request.headers };
  const reply = await call(method, path, { ...request, headers });
  const compared = comparedHeaders.map((name) => [name, reply.headers.get(name)]);
  return { status: reply.status, text: reply.text, headers: Object.fromEntries(compared) };
}

const json = { "Content-Type": "application/json" };
type Case = [title: string, method: string, path: () => string, request?: () => ApiRequest];

const cases: Case[] = [
  ["the document", "GET", () => "/v1/openapi.json"],
  ["an unknown path", "GET", () => "/v1/nowhere"],
  ["an unknown path below a known one", "GET", () => "/v1/payments/a/b/c"],
  ["a method that the path does not have", "PUT", () => "/v1/accounts"],
  ["OPTIONS", "OPTIONS", () => "/v1/payments"],
  ["HEAD", "HEAD", () => "/v1/payments", () => ({ token })],
  ["no credential", "GET", () => "/v1/transactions"],
  ["a wrong credential", "GET", () => "/v1/transactions", () => ({ token: "nonsense" })],
  ["a list", "GET", () => "/v1/payments?limit=5&include_total=true", () => ({ token })],
  ["a filter that does not exist", "GET", () => "/v1/transactions?colour=red", () => ({ token })],
  ["nested filters", "GET", () => "/v1/transactions?metadata[order]=1%20a", () => ({ token })],
  ["one resource", "GET", () => `/v1/payments/${paymentId}`, () => ({ token })],
  ["a status", "GET", () => `/v1/payments/${paymentId}/status`, () => ({ token })],
  ["an escaped id", "GET", () => "/v1/payments/%2e%2e%2f", () => ({ token })],
  ["broken JSON", "POST", () => "/v1/payments", () => ({ token, body: "{", headers: json })],
  [
    "another media type",
    "POST",
    () => "/v1/payments",
    () => ({ token, body: "a=1", headers: { "Content-Type": "text/plain" } }),
  ],
  ["an unknown field", "POST", () => "/v1/payments", () => ({ token, body: { ...payment, color: "red" } })],
  [
    "a body that is too large",
    "POST",
    () => "/v1/payments",
    () => ({ token, body: { description: "a".repeat(70_000) } }),
  ],
  [
    "a refused sign-in",
    "POST",
    () => "/v1/auth/login",
    () => ({ body: { email: "no@example.com", password: "wrong-one" } }),
  ],
];

for (const [title, method, path, request = () => ({})] of cases) {
  test(`answers alike: ${title}`, async () => {
    const expected = await answerOf(api, method, path(), request());
    expect(await answerOf(otherApi, method, path(), request())).toEqual(expected);
  });
}

test("both answer 304 to an ETag that the other issued", async () => {
  const first = await api("GET", `/v1/payments/${paymentId}/status`, { token });
  const headers = { "If-None-Match": first.headers.get("etag") ?? "" };
  const again = await otherApi("GET", `/v1/payments/${paymentId}/status`, { token, headers });
  expect(again.status).toBe(304);
});

test("one replays a request that the other executed", async () => {
  const replayed = await otherApi("POST", "/v1/payments", { token, ...keyed });
  expect(replayed.body).toEqual(done.body);
  expect(replayed.headers.get("Idempotent-Replayed")).toBe("true");
});
