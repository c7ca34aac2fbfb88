// Requests that no client library would send: wrong body lengths, request smuggling, broken heads, slow clients.
import { expect } from "playwright/test";
import type { Api } from "../api";
import { newMember, type Person, succeeded } from "../contract/people";
import { recordFields } from "../contract/records";
import { test } from "../fixtures";
import { converse, head, type RawAnswer } from "./socket";

let person: Person;
let authorization: string;
const json = "Content-Type: application/json";
const chunked = "Transfer-Encoding: chunked";
const payment = JSON.stringify({ type: "product", amount: 100, currency: "EUR" });
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;

/** Records that no broken request may add to. */
async function countOf(api: Api): Promise<number> {
  const reply = await api<{ total_count: number }>("GET", "/v1/payments?include_total=true", { token: person.token });
  return succeeded(reply).total_count;
}

/** Expects a 4xx response or none at all, and a closed connection; never a success or a 5xx. */
function expectRefused({ statuses, text, closed }: RawAnswer): void {
  for (const status of statuses) expect([400, 408, 413, 431, 501], text).toContain(status);
  expect(statuses.length, text).toBeLessThanOrEqual(2);
  expect(closed).toBe(true);
  const [, body] = /\r\n\r\n(\{.*?\})/s.exec(text) ?? [];
  if (body) expect(Object.keys(JSON.parse(body)).sort()).toEqual([...recordFields.error].sort());
}

test.beforeAll(async ({ api }) => {
  person = await newMember(api);
  authorization = `Authorization: Bearer ${person.token}`;
});
test.beforeEach(async ({ api }) => {
  expect(await countOf(api)).toBe(0);
});
test.afterEach(async ({ api }) => {
  expect(await countOf(api)).toBe(0);
});

test.describe("malformed chunked bodies", () => {
  for (const [name, body] of Object.entries({
    "a chunk longer than its size": `5\r\n${payment}\r\n0\r\n\r\n`,
    "a size that is not a number": `xyz\r\n${payment}\r\n0\r\n\r\n`,
    "a negative size": `-5\r\n${payment}\r\n0\r\n\r\n`,
    "a size with a prefix": `0x${payment.length.toString(16)}\r\n${payment}\r\n0\r\n\r\n`,
    "a size beyond 64 bits": `fffffffffffffffff\r\n${payment}\r\n0\r\n\r\n`,
    "a size with spaces inside": `1 0\r\n${payment}\r\n0\r\n\r\n`,
    "no size": `\r\n${payment}\r\n0\r\n\r\n`,
  })) {
    test(name, async ({ server }) => {
      const start = head(server.url, "POST /v1/payments", [authorization, json, chunked]);
      expectRefused(await converse(server.url, [start, body], { half: true }));
    });
  }

  test("a body that ends before its last chunk", async ({ server }) => {
    const start = head(server.url, "POST /v1/payments", [authorization, json, chunked]);
    expectRefused(await converse(server.url, [start, chunk(payment)], { half: true }));
    expectRefused(await converse(server.url, [start, "ffff\r\n{"], { half: true }));
  });
});

test.describe("a wrong Content-Length", () => {
  test("announces more than is sent", async ({ server }) => {
    const start = head(server.url, "POST /v1/payments", [authorization, json, `Content-Length: ${payment.length + 1}`]);
    expectRefused(await converse(server.url, [start, payment], { half: true }));
  });

  test("announces less than is sent", async ({ server }) => {
    const start = head(server.url, "POST /v1/payments", [authorization, json, "Content-Length: 10"]);
    expectRefused(await converse(server.url, [start, payment]));
  });

  for (const value of ["-1", "1e1", "0x10", "+5", "5 5", "5, 5", "99999999999999999999999", "ten", ""]) {
    test(`Content-Length: ${value}`, async ({ server }) => {
      const start = head(server.url, "POST /v1/payments", [authorization, json, `Content-Length: ${value}`]);
      expectRefused(await converse(server.url, [start, payment], { half: true }));
    });
  }

  test("a length of gigabytes is refused before the body arrives", async ({ server }) => {
    const start = head(server.url, "POST /v1/payments", [authorization, json, "Content-Length: 9000000000"]);
    const answer = await converse(server.url, [start, ...Array<string>(20).fill("x".repeat(65_536))], {
      waitMs: 8_000,
    });
    expectRefused(answer);
  });
});

test.describe("request smuggling", () => {
  const smuggled = (url: string) =>
    head(url, "POST /v1/payments", [authorization, json, `Content-Length: ${payment.length}`]) + payment;

  for (const [name, headers] of Object.entries({
    "Content-Length and Transfer-Encoding": ["Content-Length: 5", chunked],
    "Transfer-Encoding and Content-Length": [chunked, "Content-Length: 5"],
    "two Content-Lengths": ["Content-Length: 5", "Content-Length: 400"],
    "an unknown coding": ["Transfer-Encoding: xchunked"],
    "chunked is not the last coding": ["Transfer-Encoding: chunked, identity"],
    "a space before the colon": ["Transfer-Encoding : chunked"],
    "a tab before the value's end": ["Transfer-Encoding: chunked\u000b"],
    "two Transfer-Encodings": [chunked, "Transfer-Encoding: identity"],
  })) {
    test(name, async ({ server }) => {
      const start = head(server.url, "POST /v1/auth/login", [json, ...headers]);
      const answer = await converse(server.url, [start, `0\r\n\r\n${smuggled(server.url)}`], { half: true });
      expectRefused(answer);
    });
  }

  test("lines that end in a bare LF", async ({ server }) => {
    const whole = smuggled(server.url).replaceAll("\r\n", "\n");
    expectRefused(await converse(server.url, [whole], { half: true }));
    const start = head(server.url, "POST /v1/auth/login", [json, chunked]);
    const answer = await converse(server.url, [start, `2\n{}\n0\n\n${smuggled(server.url)}`], { half: true });
    expectRefused(answer);
  });

  test("a request in a header", async ({ server }) => {
    const folded = head(server.url, "GET /v1/openapi.json", [`X: a\r\n ${authorization}`]);
    expectRefused(await converse(server.url, [folded], { half: true }));
    const split = head(server.url, "GET /v1/openapi.json", [`X: a\rPOST /v1/payments HTTP/1.1`]);
    expectRefused(await converse(server.url, [split], { half: true }));
  });
});

test.describe("broken heads", () => {
  for (const [name, text] of Object.entries({
    "no HTTP": "hello\r\n\r\n",
    "TLS on a plain port": "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003",
    "an unknown version": "GET /v1/transactions HTTP/9.9\r\nHost: x\r\n\r\n",
    "a space in the path": "GET /v1/ transactions HTTP/1.1\r\nHost: x\r\n\r\n",
    "NUL in a header": "GET /v1/transactions HTTP/1.1\r\nHost: x\r\nX: a\u0000b\r\n\r\n",
    "no Host": "GET /v1/transactions HTTP/1.1\r\n\r\n",
    "a header without a colon": "GET /v1/transactions HTTP/1.1\r\nHost: x\r\nodd\r\n\r\n",
    "20 KB of headers": `GET /v1/transactions HTTP/1.1\r\nHost: x\r\nX: ${"x".repeat(20_000)}\r\n\r\n`,
  })) {
    test(name, async ({ server }) => {
      const answer = await converse(server.url, [text], { half: true });
      expectRefused(answer);
      expect(answer.statuses.length).toBe(1);
      expect(answer.text).toMatch(/^Request-Id: req_\w{26}\r$/m);
      expect(answer.text).toMatch(/^Cache-Control: no-store\r$/m);
    });
  }
});

test("two Authorization headers count as none", async ({ server }) => {
  const close = "Connection: close";
  for (const headers of [
    [authorization, authorization],
    [authorization, "Authorization: Bearer x"],
    ["Authorization: Bearer x", authorization],
  ]) {
    const answer = await converse(server.url, [head(server.url, "GET /v1/transactions", [...headers, close])]);
    expect(answer.statuses).toEqual([401]);
    expect(answer.text).toContain('"error_code":"unauthorized"');
  }
  const one = await converse(server.url, [head(server.url, "GET /v1/transactions", [authorization, close])]);
  expect(one.statuses).toEqual([200]);
});

test("a client that offers a protocol upgrade is answered over HTTP/1.1", async ({ server }) => {
  // Load a page first: from then on Next.js would handle such requests itself.
  expect((await fetch(`${server.url}/sign-in`)).status).toBe(200);
  for (const offer of ["h2c", "websocket"]) {
    const headers = [authorization, "Connection: Upgrade, close", `Upgrade: ${offer}`];
    expect((await converse(server.url, [head(server.url, "GET /v1/transactions", headers)])).statuses).toEqual([200]);
  }
});

test("pipelined requests are answered in order", async ({ server }) => {
  const requests = ["/v1/nothing", "/v1/openapi.json", "/v1/transactions"].map((path) =>
    head(server.url, `GET ${path}`),
  );
  const last = head(server.url, "GET /v1/nothing", ["Connection: close"]);
  const answer = await converse(server.url, [requests.join("") + last]);
  expect(answer.statuses).toEqual([404, 200, 401, 404]);
});

test("a client that disconnects midway disturbs no other", async ({ server, api }) => {
  const start = head(server.url, "POST /v1/payments", [authorization, json, "Content-Length: 1000"]);
  await Promise.all(Array.from({ length: 20 }, () => converse(server.url, [start, payment], { waitMs: 20 })));
  expect((await api("GET", "/v1/openapi.json")).status).toBe(200);
});

test("slow clients are disconnected and delay no other", async ({ server, api }) => {
  test.setTimeout(40_000);
  const start = head(server.url, "GET /v1/openapi.json").slice(0, -2);
  const drip = Array.from({ length: 30 }, (_, i) => [`X-${i}: y\r\n`, 500]).flat();
  const dawdlers = Array.from({ length: 50 }, () => converse(server.url, [start, ...drip], { waitMs: 1_000 }));
  const startedAt = Date.now();
  for (let i = 0; i < 20; i++) expect((await api("GET", "/v1/openapi.json")).status).toBe(200);
  expect(Date.now() - startedAt).toBeLessThan(8_000);
  for (const answer of await Promise.all(dawdlers)) {
    expectRefused(answer);
    expect(answer.statuses).toEqual([408]);
  }
});
