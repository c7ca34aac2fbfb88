// The OpenAPI document that the server serves: identical to the repository's, valid, and true.
import { readFileSync } from "node:fs";
import path from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect } from "playwright/test";
import { type Api, signIn } from "../api";
import { describedApi, type OpenApi, resolved, test } from "../contract/described";
import { memberPassword, newMember, receive, requestPayment } from "../contract/people";
import { absentId, recordFields } from "../contract/records";

const inRepository = path.resolve(import.meta.dirname, "../../openapi.json");

/** The core operations with their ids, after which existing generated clients name their functions. */
const documented = {
  "POST /v1/auth/login": "sessions.login",
  "POST /v1/auth/refresh": "sessions.refresh",
  "DELETE /v1/auth/session": "sessions.invalidate",
  "GET /v1/auth/accounts": "accounts.list",
  "POST /v1/accounts": "accounts.create",
  "PATCH /v1/accounts": "accounts.update",
  "DELETE /v1/auth/close": "accounts.close",
  "POST /v1/users": "users.create",
  "DELETE /v1/users/{user_id}": "users.remove",
  "POST /v1/payments": "payments.create",
  "GET /v1/payments/{payment_id}/status": "payments.status",
  "POST /v1/transactions": "transactions.create",
  "GET /v1/transactions": "transactions.list",
  "GET /v1/transactions/{transaction_id}": "transactions.get",
};

let document: OpenApi;
test.beforeAll(async ({ api }) => {
  document = (await api<OpenApi>("GET", "/v1/openapi.json")).body;
});

const operationsOf = ({ paths }: OpenApi) =>
  Object.entries(paths).flatMap(([route, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ row: `${method.toUpperCase()} ${route}`, ...operation })),
  );

test("is served without a credential and equals the repository's", async ({ api }) => {
  const reply = await api("GET", "/v1/openapi.json", { headers: { Authorization: "Bearer nonsense" } });
  expect(reply.status).toBe(200);
  expect(reply.body).toEqual(JSON.parse(readFileSync(inRepository, "utf8")));
});

test("has the fourteen core operations under stable ids, and marks all others as extensions", () => {
  const core = operationsOf(document).filter((operation) => operation["x-extension"] !== true);
  expect(Object.fromEntries(core.map(({ row, operationId }) => [row, operationId]))).toEqual(documented);
});

test("has one tag for each resource", () => {
  const { tags } = document as OpenApi & { tags: { name: string; description: string }[] };
  const names = tags.map(({ name }) => name);
  const used = operationsOf(document).flatMap((operation) => operation.tags);
  expect(names).toEqual([...new Set(names)]);
  expect(new Set(used)).toEqual(new Set(names));
  expect(used).toHaveLength(operationsOf(document).length);
});

test("every reference resolves, and every schema is valid", () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#([^"]+)"/g)].map(([, pointer]) => pointer ?? "");
  expect(references.length).toBeGreaterThan(0);
  for (const pointer of references) {
    const parts = pointer
      .slice(1)
      .split("/")
      .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
    const found = parts.reduce<unknown>(
      (node, part) => (node as Record<string, unknown> | undefined)?.[part],
      document,
    );
    expect(found, pointer).toBeDefined();
  }
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(document, "openapi");
  for (const name of Object.keys((document.components as { schemas: object }).schemas)) {
    expect(() => ajv.compile({ $ref: `openapi#/components/schemas/${name}` }), name).not.toThrow();
  }
});

test("documents the input of each operation", () => {
  for (const { row, requestBody } of operationsOf(document)) {
    const [method] = row.split(" ");
    if (method === "GET") expect(requestBody, row).toBeUndefined();
    if (method === "PATCH" || (method === "POST" && !row.includes("{"))) expect(requestBody, row).toBeDefined();
  }
  const queryOf = (row: string) =>
    operationsOf(document)
      .find((operation) => operation.row === row)
      ?.parameters.map((parameter) => resolved(document, parameter))
      .flatMap((parameter) => (parameter.in === "query" ? [parameter.name] : []));
  expect(queryOf("GET /v1/transactions")?.sort()).toEqual(
    [
      ...["account_id", "status", "type", "created_from", "created_to", "metadata", "customer_metadata"],
      ...[
        "settled_from",
        "settled_to",
        "card_last4",
        "customer_credit",
        "disputed",
        "unanswered",
        "customer_id",
        "customer_email",
        "customer_reference",
        "payment_id",
        "parent_transaction_id",
        "currency",
        "amount_min",
      ],
      ...["amount_max", "reference", "q", "limit", "cursor", "include_total", "total_max", "updated_from"],
    ].sort(),
  );
  expect(queryOf("DELETE /v1/auth/session")?.sort()).toEqual(["reason", "session_id"]);
  expect(queryOf("DELETE /v1/auth/close")?.sort()).toEqual(["account_id", "reason"]);
  expect(queryOf("GET /v1/payments/{payment_id}/status")).toEqual(["wait", "wait_for"]);
});

test("lists the 401 for a missing credential first", () => {
  const { info } = document as OpenApi & { info: { description: string } };
  expect(info.description).toMatch(/401/);
  for (const { row, responses } of operationsOf(document)) {
    const isOpen = /login|openapi\.json/.test(row);
    expect([row, "401" in responses]).toEqual([row, !isOpen]);
  }
});

test("an error has exactly two fields", () => {
  const { schemas } = document.components as {
    schemas: Record<string, { required: string[]; additionalProperties: boolean }>;
  };
  expect(schemas.Error?.required.toSorted()).toEqual([...recordFields.error]);
  expect(schemas.Error?.additionalProperties).toBe(false);
});

test("the check rejects a response that does not match", async ({ api: honest }) => {
  const { headers } = await honest("GET", "/v1/openapi.json");
  const page = { data: [], has_more: false, next_cursor: null, total_count: null, total_is_estimate: null };
  let sent = { body: { ...page, has_more: "no" } as unknown, headers };
  const lying: Api = async <T>(...[method, route]: Parameters<Api>) => {
    const body = route === "/v1/openapi.json" ? document : sent.body;
    const text = JSON.stringify(body);
    return { status: method === "GET" ? 200 : 201, headers: sent.headers, body: body as T, text };
  };
  const api = await describedApi(lying);
  await expect(api("GET", "/v1/transactions")).rejects.toThrow(/has_more must be boolean/);
  await expect(api("POST", "/v1/payments")).rejects.toThrow(/no status 201/);
  await expect(api("GET", "/v1/transactions?odd=1")).rejects.toThrow(
    /accepted an undescribed request: the query's odd/,
  );
  await expect(api("GET", "/v1/secrets")).rejects.toThrow(/is not described/);
  sent = { body: page, headers };
  await api("GET", "/v1/transactions");
  const changed = (change: (copy: Headers) => void) => {
    const copy = new Headers(headers);
    change(copy);
    sent = { body: page, headers: copy };
    return expect(api("GET", "/v1/transactions")).rejects;
  };
  await changed((copy) => copy.set("X-Powered-By", "magic")).toThrow(/not described: x-powered-by/);
  await changed((copy) => copy.delete("Request-Id")).toThrow(/Request-Id is missing/);
  await changed((copy) => copy.set("Cache-Control", "public")).toThrow(/Cache-Control: public/);
  await changed((copy) => copy.set("Content-Type", "text/html")).toThrow(/media type is text\/html/);
});

test("the responses of the extensions match the document", async ({ described: api, adminToken }) => {
  const person = await newMember(api);
  const { payment_id } = await requestPayment(api, person, 500);
  await receive(api, person, 500, { payment_id });
  const other = await requestPayment(api, person, 700);
  const as = { token: person.token };
  await api("GET", `/v1/payments/${payment_id}`, as);
  await api("GET", "/v1/payments?include_total=true&status=paid,pending", as);
  await api("POST", `/v1/payments/${other.payment_id}/cancel`, as);
  await api("POST", `/v1/payments/${payment_id}/cancel`, as);
  await api("GET", `/v1/payments/${absentId("pay")}`, as);
  await api("GET", `/v1/accounts/${person.accountId}`, as);
  await api("GET", `/v1/accounts/${absentId("acct")}`, as);
  await api("GET", "/v1/users", as);
  await api("GET", "/v1/users?limit=2", { token: adminToken });
  await api("GET", "/v1/audit_entries", as);
  await api("GET", "/v1/audit_entries?limit=5&include_total=true&q=api_keys", { token: adminToken });
  await api("GET", "/v1/sandbox/clock", { token: adminToken });
  await api("GET", "/v1/sandbox/clock", as);
  await api("POST", `/v1/sandbox/payments/${payment_id}/simulate`, { token: adminToken, body: { event: "settle" } });
  await api("GET", `/v1/sandbox/payments/${payment_id}/events`, { token: adminToken });
  await api("GET", `/v1/sandbox/payments/${payment_id}/events`, as);
  await api("POST", "/v1/sandbox/storm", { token: adminToken, body: { duplicates: 1 } });
  await api("POST", "/v1/sandbox/storm", as);
  await api("GET", "/v1/auth/sessions", as);
  await api("GET", "/v1/auth/sessions");
  await api("GET", "/v1/openapi.json");
});

test("a payment request is canceled once, and its status shows it", async ({ described: api }) => {
  const person = await newMember(api);
  const { payment_id } = await requestPayment(api, person, 500);
  const cancel = () =>
    api<Record<string, unknown>>("POST", `/v1/payments/${payment_id}/cancel`, { token: person.token });
  expect((await cancel()).body).toMatchObject({ status: "canceled", canceled_at: expect.any(String) });
  expect((await cancel()).body).toMatchObject({ error_code: "payment_not_cancelable" });
});

test("sessions are listed for their user, and for an admin who names the user", async ({
  described: api,
  adminToken,
}) => {
  const person = await newMember(api);
  const other = await signIn(api, person.email, memberPassword);
  const own = [person.tokens.session_id, other.session_id].sort();
  for (const [query, token] of [
    ["", person.token],
    [`?user_id=${person.userId}`, adminToken],
  ]) {
    const reply = await api<{ data: { session_id: string }[] }>("GET", `/v1/auth/sessions${query}`, { token });
    expect(reply.body.data.map((session) => session.session_id).sort()).toEqual(own);
  }
});
