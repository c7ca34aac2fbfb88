// Clients that common generators make from openapi.json, without changes by hand, can call every operation.
import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { startMailServer } from "../../test/mail-server";
import { type Api, createApi, signIn } from "../api";
import type { Start, Walk } from "../clients/walks/walk";
import { Description, describedApi, type OpenApi, resolved } from "../contract/described";
import { memberPassword, newEmail, newOrganization, runProgram, succeeded } from "../contract/people";
import { expect, test } from "../fixtures";
import { firstAdmin, startServer, type TestServer } from "../server";
import { arriveLate, requireFactors } from "../trouble";

const root = path.resolve(import.meta.dirname, "../..");
const clients = path.join(root, "e2e/clients");
const generators = ["openapi-fetch", "hey-api"];
const preparedWithinMs = 180_000;

/** Headers that a server with an https address sends, and those of a caller beyond its limit. */
const rareHeaders = ["Strict-Transport-Security", "Retry-After"];

/** One call of a walk. */
type Exchange = {
  method: string;
  url: URL;
  requestHeaders: Headers;
  status: number;
  errorCode: string | null;
  headers: Headers;
};

test.beforeAll(async () => {
  test.setTimeout(preparedWithinMs);
  // Fails if a generator fails, or if a generated client or a walk does not compile.
  await promisify(execFile)(process.execPath, [path.join(clients, "prepare.mjs")], { cwd: root });
});

test("the walks are typed by the generated clients alone", () => {
  const files = readdirSync(path.join(clients, "walks"), { recursive: true, encoding: "utf8" });
  for (const file of files.filter((name) => name.endsWith(".ts"))) {
    expect(evasionOf(readFileSync(path.join(clients, "walks", file), "utf8")), file).toBeNull();
  }
  const evasions = [
    "// @ts-expect-error",
    "/* @ts-ignore */",
    "f(x as any)",
    "x as const as Y",
    "x!.y",
    "f(x!)",
    "x!;",
  ];
  expect(
    evasions.filter((text) => evasionOf(text) === null),
    "the check notices what evades the types",
  ).toEqual([]);
});

/** What evades the types in a program's text; null if nothing does. */
function evasionOf(text: string): string | null {
  const code = text.replaceAll(/\/\/.*|\/\*\*.*\*\//g, "");
  const found = /@ts-\w+/.exec(text) ?? /\bany\b|\bas (?!const\b)|\bas const as\b|[\w)\]]!(?!=)/.exec(code);
  return found?.[0] ?? null;
}

for (const generator of generators) {
  test(`a client of ${generator} calls every operation, with every parameter and a refusal of each`, async () => {
    const mailServer = await startMailServer();
    const env = { RATE_LIMIT: "6000", SMTP_URL: mailServer.url, MAIL_FROM: "mail@example.com" };
    const server = await startServer({ engine: "sqlite", env });
    try {
      const document = (await createApi(server.url)<OpenApi>("GET", "/v1/openapi.json")).body;
      const exchanges: Exchange[] = [];
      const { email, organizationId } = await newOrganization(server, createApi(server.url));
      requireFactors(server, organizationId);
      const file = path.join(clients, "generated/walks", `${generator}.mjs`);
      const { walk }: { walk: Walk } = await import(pathToFileURL(file).href);
      const ids = await recordsOf(createApi(server.url));
      await walk({
        ids,
        latePayment: await paidLate(server),
        ...{ baseUrl: server.url, fetch: recorder(new Description(document), exchanges), admin: firstAdmin },
        unenrolled: { email, password: memberPassword },
        verify: async (email) => void (await runProgram(server, "server/cli.ts", ["user", "verify", email])),
      });
      expect(missingOf(document, exchanges)).toEqual([]);
      const withoutUpdates = exchanges.filter(({ method }) => method !== "PATCH");
      expect(missingOf(document, withoutUpdates), "the check notices what is missing").toEqual([
        "no request has If-Match",
        "PATCH /v1/accounts is not called",
        "PATCH /v1/accounts is not refused",
        "PATCH /v1/users/{user_id} is not called",
        "PATCH /v1/users/{user_id} is not refused",
        "PATCH /v1/customers/{customer_id} is not called",
        "PATCH /v1/customers/{customer_id} is not refused",
        "PATCH /v1/payments/{payment_id} is not called",
        "PATCH /v1/payments/{payment_id} is not refused",
        "PATCH /v1/subscriptions/{subscription_id} is not called",
        "PATCH /v1/subscriptions/{subscription_id} is not refused",
      ]);
    } finally {
      await server.stop();
      await mailServer.close();
    }
  });
}

/** A payment request of the first admin's organization whose money arrived after its end. */
async function paidLate(server: TestServer): Promise<string> {
  const api = createApi(server.url);
  const { access_token: token } = await signIn(api);
  const made = async (route: string, body: object) =>
    succeeded(await api<Record<string, string>>("POST", route, { token, body }));
  const { payment_id: id = "" } = await made("/v1/payments", { type: "product", amount: 5_000, currency: "EUR" });
  await made(`/v1/payments/${id}/mark_paid`, { method: "cash", reason: "Paid at the counter" });
  arriveLate(server, id);
  return id;
}

/** One record of each kind that the examples of the document name. */
async function recordsOf(api: Api): Promise<Start["ids"]> {
  const { access_token: token, session_id: session } = await signIn(api);
  const made = async (route: string, body: object) =>
    succeeded(await api<Record<string, string>>("POST", route, { token, body }));
  const email = newEmail();
  const { user_id: user = "", account_id: account = "" } = await made("/v1/users", { email, password: memberPassword });
  const money = { account_id: account, amount: 5_000, currency: "EUR" };
  const { payment_id: payment = "" } = await made("/v1/payments", { ...money, type: "product", customer: { email } });
  const terms = { interval: "month" };
  const asked = await made("/v1/payments", { ...money, type: "subscription", subscription: terms });
  const cash = { method: "cash", reason: "Paid at the counter" };
  const { subscription_id: subscription = "" } = await made(`/v1/payments/${asked.payment_id}/mark_paid`, cash);
  const { customer_id: customer = "" } = await made("/v1/customers", { account_id: account, email });
  const { transaction_id: transaction = "" } = await made("/v1/transactions", { ...money, type: "payment" });
  const { mail_id: mail = "" } = await made(`/v1/payments/${payment}/send`, {});
  const { invitation_id: invitation = "" } = await made("/v1/invitations", { email: newEmail(), role: "member" });
  const { api_key_id: apiKey = "" } = await made("/v1/api_keys", { name: "Till", scopes: ["payments:read"] });
  return { account, user, session, customer, payment, subscription, transaction, mail, invitation, apiKey };
}

test("responses that the walks do not cause are as described too", async () => {
  const env = { RATE_LIMIT: "1", APP_URL: "https://pay.example.com" };
  const server = await startServer({ engine: "sqlite", env });
  try {
    const api = await describedApi(createApi(server.url));
    // The document was the only call that the limit allows.
    const refused = await api("GET", "/v1/transactions");
    expect(refused.status).toBe(429);
    expect([...refused.headers.keys()]).toEqual(expect.arrayContaining(rareHeaders.map((name) => name.toLowerCase())));
  } finally {
    await server.stop();
  }
});

/** Sends requests, records the exchanges, and throws if one does not match the document. */
const recorder =
  (description: Description, exchanges: Exchange[]): typeof fetch =>
  async (input, init) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    const sent = await request.clone().text();
    const response = await fetch(request);
    const text = await response.clone().text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json");
    const { status, headers } = response;
    const body = isJson ? JSON.parse(text) : null;
    const call = [request.method, url.pathname + url.search, sent === "" ? {} : { body: JSON.parse(sent) }] as const;
    expect(description.faultOf([...call], { status, headers, text, body })).toBeNull();
    const errorCode = status >= 400 ? body.error_code : null;
    exchanges.push({ method: request.method, url, requestHeaders: request.headers, status, errorCode, headers });
    return response;
  };

/** Whether the operation refused the call. A failure of the server or a used-up limit is no refusal of its own. */
const isRefused = ({ status, errorCode }: Exchange): boolean => errorCode !== null && status < 429;

/** What the document describes and no exchange has shown. */
function missingOf(document: OpenApi, exchanges: readonly Exchange[]): string[] {
  const description = new Description(document);
  const callsOf = (row: string) =>
    exchanges.filter(({ method, url }) => {
      const found = description.operationOf(method, url.pathname);
      return `${method} ${found?.pattern}` === row;
    });
  const operations = Object.entries(document.paths).flatMap(([pattern, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ row: `${method.toUpperCase()} ${pattern}`, operation })),
  );
  const { headers, parameters } = document.components as Record<"headers" | "parameters", object>;
  const unsent = (names: object, sent: (exchange: Exchange) => Headers) =>
    Object.keys(names).filter((name) => !rareHeaders.includes(name) && !exchanges.some((each) => sent(each).has(name)));
  const ofHeaders = [
    ...unsent(headers, (exchange) => exchange.headers).map((name) => `no response has ${name}`),
    ...unsent(parameters, (exchange) => exchange.requestHeaders).map((name) => `no request has ${name}`),
  ];
  const ofOperations = operations.flatMap(({ row, operation }) => {
    const calls = callsOf(row);
    const done = calls.filter(({ status }) => status === 200);
    const sent = new Set(done.flatMap(({ url }) => [...url.searchParams.keys()].map((name) => name.split("[")[0])));
    const known = operation.parameters.map((parameter) => resolved(document, parameter));
    const missing = known.filter((parameter) => parameter.in === "query" && !sent.has(parameter.name));
    const canRefuse = "401" in operation.responses;
    return [
      ...(done.length === 0 ? [`${row} is not called`] : []),
      ...(canRefuse && !calls.some(isRefused) ? [`${row} is not refused`] : []),
      ...missing.map(({ name }) => `${row} is not called with ${name}`),
    ];
  });
  return [...ofHeaders, ...ofOperations];
}
