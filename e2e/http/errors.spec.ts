// Bad input of every kind, refused before any database access: the documented status, two fields, no change.
import { request as httpRequest } from "node:http";
import fc from "fast-check";
import { expect } from "playwright/test";
import { anyText } from "../../test/any-text";
import type { Api, ApiError } from "../api";
import { newMember, type Person } from "../contract/people";
import { expectRecord, recordFields } from "../contract/records";
import { expectRefusal, stateOf } from "../contract/refusals";
import { test } from "../fixtures";

let person: Person;

const payment = { type: "product", amount: 100, currency: "EUR" };
const create = (api: Api, body: string, contentType = "application/json") =>
  api<ApiError>("POST", "/v1/payments", { token: person.token, body, headers: { "Content-Type": contentType } });
const withField = (json: string) => `${JSON.stringify(payment).slice(0, -1)},${json}}`;

/** Sends a body that the client library would not send unchanged. */
function sendBytes(url: string, body: Uint8Array): Promise<{ status: number; body: ApiError }> {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${person.token}`, "Content-Type": "application/json" };
    const sent = httpRequest(`${url}/v1/payments`, { method: "POST", headers }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      resolve({ status: response.statusCode ?? 0, body: JSON.parse(Buffer.concat(chunks).toString()) });
    });
    sent.on("error", reject).end(body);
  });
}

let before: string;
test.beforeAll(async ({ api }) => {
  person = await newMember(api);
});
test.beforeEach(async ({ api }) => {
  before = await stateOf(api, person);
});
test.afterEach(async ({ api }) => {
  expect(await stateOf(api, person)).toBe(before);
});

test.describe("400 invalid_json", () => {
  for (const [name, body] of Object.entries({
    "cut off": '{"type":',
    "trailing comma": '{"type":"product",}',
    comment: '{"type":"product"} // note',
    "two values": "{}{}",
    "single quotes": "{'type':'product'}",
    NaN: withField('"x":NaN'),
    "leading zero": '{"amount":0100}',
    "white space only": "  ",
    HTML: "<html>",
    form: "type=product&amount=100",
    "bad escape": '{"type":"\\x41"}',
    "raw control character": '{"type":"a\u0001"}',
  })) {
    test(name, async ({ api }) => expectRefusal(await create(api, body), 400, "invalid_json"));
  }

  for (const [name, bytes] of Object.entries({
    "an overlong encoding": [0xc0, 0x80],
    "a lone continuation byte": [0x80],
    "a surrogate in UTF-8": [0xed, 0xa0, 0x80],
    "a cut sequence": [0xe2, 0x82],
    Latin1: [0xe9],
  })) {
    test(`not UTF-8: ${name}`, async ({ server }) => {
      const text = (part: string) => Buffer.from(part);
      const bad = Buffer.concat([text('{"description":"'), Uint8Array.from(bytes), text('"}')]);
      const reply = await sendBytes(server.url, bad);
      expect(reply).toMatchObject({ status: 400, body: { error_code: "invalid_json" } });
    });
  }

  test("a byte order mark, UTF-16", async ({ server }) => {
    const json = JSON.stringify(payment);
    for (const bytes of [
      Buffer.from(`\ufeff${json}`),
      Buffer.from(json, "utf16le"),
      Buffer.from(`\ufeff${json}`, "utf16le"),
    ]) {
      const reply = await sendBytes(server.url, bytes);
      expect(reply).toMatchObject({ status: 400, body: { error_code: "invalid_json" } });
    }
  });
});

test.describe("400 invalid_request: the body as a whole", () => {
  for (const body of ["[]", "null", "1", '"text"', "true", '[{"type":"product"}]']) {
    test(`not an object: ${body}`, async ({ api }) => expectRefusal(await create(api, body), 400, "invalid_request"));
  }

  test("nested deeper than 20", async ({ api }) => {
    const nested = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth);
    // The body object is level 1.
    expectRefusal(await create(api, withField(`"metadata":${nested(20, "[", "]")}`)), 400, "invalid_request");
    const reply = await create(api, withField(`"metadata":${nested(100_000 / 4, "[", "]")}`));
    expectRefusal(reply, 400, "invalid_request");
    const objects = await create(api, `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`);
    expectRefusal(objects, 400, "invalid_request");
    expect(objects.body.error_description).toMatch(/nested|deep/);
  });

  test("depth 20 passes, and the fields are checked", async ({ api }) => {
    const reply = await create(api, withField(`"odd":${"[".repeat(19)}${"]".repeat(19)}`));
    expectRefusal(reply, 400, "invalid_request");
    expect(reply.body.error_description).toContain("odd: unknown field");
  });
});

test.describe("400 invalid_request: fields", () => {
  for (const [json, field] of [
    ['"amount":"100"', "amount"],
    ['"amount":1.5', "amount"],
    ['"amount":-0', "amount"],
    ['"amount":1e400', "amount"],
    ['"amount":1e300', "amount"],
    ['"amount":9007199254740993', "amount"],
    ['"amount":[100]', "amount"],
    ['"amount":{}', "amount"],
    ['"amount":true', "amount"],
    ['"type":null', "type"],
    ['"type":["product"]', "type"],
    ['"type":"__proto__"', "type"],
    ['"currency":"constructor"', "currency"],
    ['"currency":"XXQ"', "currency"],
    ['"currency":978', "currency"],
    ['"line_items":{}', "line_items"],
    ['"line_items":[null]', "line_items"],
    ['"customer":[]', "customer"],
    ['"customer":{"phone":"1"}', "customer.phone"],
    ['"metadata":{"a":1}', "metadata"],
    ['"metadata":{"constructor":"x"}', "metadata"],
    ['"metadata":{"prototype":"x"}', "metadata"],
    ['"metadata":{"":"x"}', "metadata"],
    [`"metadata":{"${"k".repeat(41)}":"x"}`, "metadata"],
    [`"metadata":{"k":"${"v".repeat(501)}"}`, "metadata"],
    [`"description":"${"x".repeat(281)}"`, "description"],
    [`"reference":"${"x".repeat(81)}"`, "reference"],
    ['"description":"a\\u0000b"', "description"],
    ['"description":"\\ud800"', "description"],
    ['"description":"\\udc00\\ud800"', "description"],
    ['"metadata":{"k":"\\udfff"}', "metadata"],
    ['"expires_at":"2030-13-01T00:00:00Z"', "expires_at"],
    ['"expires_at":"2030-02-30T00:00:00Z"', "expires_at"],
    ['"expires_at":"2030-01-01T00:00:00"', "expires_at"],
    ['"expires_at":1893456000000', "expires_at"],
    ['"expires_at":"2001-01-01T00:00:00Z"', "expires_at"],
    ['"odd":null', "odd"],
    ['"__proto__":{"isAdmin":true}', "__proto__"],
    ['"metadata":{"__proto__":"x"}', "__proto__"],
    ['"customer":{"__proto__":{"name":"x"}}', "__proto__"],
    ['"constructor":{"prototype":{"x":1}}', "constructor"],
    ['"toString":1', "toString"],
    ['"hasOwnProperty":1', "hasOwnProperty"],
  ] as const) {
    test(json.length > 60 ? `${json.slice(0, 57)}…` : json, async ({ api }) => {
      const reply = await create(api, withField(json));
      expectRefusal(reply, 400, "invalid_request");
      expect(reply.body.error_description).toContain(field);
    });
  }

  test("all faulty fields are reported at once", async ({ api }) => {
    const reply = await create(api, '{"type":"gift","amount":0,"currency":"XXQ","odd":1,"even":2}');
    expectRefusal(reply, 400, "invalid_request");
    for (const field of ["type", "amount", "currency", "odd", "even"]) {
      expect(reply.body.error_description).toContain(`${field}: `);
    }
  });

  test("fifty-one keys of metadata", async ({ api }) => {
    const keys = Array.from({ length: 51 }, (_, i) => `"k${i}":"v"`).join();
    expectRefusal(await create(api, withField(`"metadata":{${keys}}`)), 400, "invalid_request");
  });

  test("ten thousand unknown fields are answered briefly", async ({ api }) => {
    const keys = Array.from({ length: 5_000 }, (_, i) => `"k${i}":1`).join();
    const reply = await create(api, `{${keys}}`);
    expectRefusal(reply, 400, "invalid_request");
    expect(reply.text.length).toBeLessThan(8_192);
  });

  test("a reflected field name cannot break the answer", async ({ api }) => {
    const name = '<img src=x onerror=alert(1)>\\r\\nX: y\\u0007"'.replace('"', '\\"');
    const reply = await create(api, withField(`"${name}":1`));
    expectRefusal(reply, 400, "invalid_request");
    expect(reply.body.error_description).not.toMatch(/[\r\n\u0007]/);
  });
});

test.describe("the query", () => {
  for (const query of [
    "limit=1&limit=2",
    "limit=1&limit=1",
    "metadata[a]=1&metadata[a]=2",
    "metadata[a%20b]=1",
    "metadata[__proto__]=1",
    "metadata[]=1",
    "__proto__[x]=1",
    "__proto__=1",
    "constructor=1",
    "limit=%ZZ",
    "limit=%",
    "q=%C3%28",
    "q=%00",
    "q=%ED%A0%80",
    `q=${"x".repeat(101)}`,
    "limit=",
    "limit=1.0",
    "limit=1e1",
    "limit=%201",
    "limit=-1",
    "limit=99999999999999999999",
    "include_total=yes",
    "amount_min=abc",
    "created_from=2026-02-30",
    "created_to=2026-01-01T00:00:00",
    "status=paid",
    "status=succeeded,",
    "type=payment,payment,odd",
    "unknown=1",
    "Status=failed",
    `cursor=${"x".repeat(513)}`,
  ]) {
    test(`400 invalid_request: ?${query.slice(0, 40)}`, async ({ api }) => {
      const reply = await api<ApiError>("GET", `/v1/transactions?${query}`, { token: person.token });
      expectRefusal(reply, 400, "invalid_request");
    });
  }

  for (const cursor of ["garbage", "e30", "AAAA", "%00", "..%2F..", "bnVsbA=="]) {
    test(`400 invalid_cursor: ${cursor}`, async ({ api }) => {
      const reply = await api<ApiError>("GET", `/v1/transactions?cursor=${cursor}`, { token: person.token });
      // A character that no text may contain makes the request invalid, not the cursor.
      expectRefusal(reply, 400, cursor === "%00" ? "invalid_request" : "invalid_cursor");
    });
  }

  test("parameters on an operation that takes none", async ({ api }) => {
    const path = "/v1/payments?type=product&amount=100&currency=EUR";
    expectRefusal(await api<ApiError>("POST", path, { token: person.token }), 400, "invalid_request");
  });

  test("a field in body and query", async ({ api }) => {
    const path = `/v1/auth/close?account_id=${person.accountId}`;
    const body = { account_id: person.accountId };
    expectRefusal(await api<ApiError>("DELETE", path, { token: person.token, body }), 400, "invalid_request");
  });
});

test.describe("413 payload_too_large", () => {
  const padded = (bytes: number) => {
    const frame = withField('"odd":""');
    return frame.replace('""', `"${"x".repeat(bytes - frame.length)}"`);
  };

  test("64 KiB is accepted, one byte more is not", async ({ api }) => {
    expectRefusal(await create(api, padded(65_536)), 400, "invalid_request");
    const reply = await create(api, padded(65_537));
    expectRefusal(reply, 413, "payload_too_large");
    expect(reply.headers.get("connection")).toBe("close");
  });

  test("2 MiB in chunks, without a Content-Length", async ({ server }) => {
    const answer = await new Promise<{ status: number; connection: string | undefined }>((resolve, reject) => {
      const headers = { Authorization: `Bearer ${person.token}`, "Content-Type": "application/json" };
      const sent = httpRequest(`${server.url}/v1/payments`, { method: "POST", headers, agent: false }, (response) => {
        response.resume();
        resolve({ status: response.statusCode ?? 0, connection: response.headers.connection });
      });
      sent.on("error", reject);
      let left = 32;
      const write = () => {
        // The server may stop reading at any point.
        if (left-- === 0 || sent.destroyed || sent.errored) return void sent.end();
        sent.write("x".repeat(65_536));
        setTimeout(write, 5);
      };
      write();
    });
    expect(answer).toEqual({ status: 413, connection: "close" });
  });
});

test.describe("415 unsupported_media_type", () => {
  for (const type of [
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/jsonp",
    "application/problem+json",
    "application/json; charset=latin1",
    "application/json, text/plain",
    "",
  ]) {
    test(JSON.stringify(type), async ({ api }) => {
      expectRefusal(await create(api, JSON.stringify(payment), type), 415, "unsupported_media_type");
    });
  }

  test("application/json is accepted in any case and with a charset", async ({ api }) => {
    for (const type of ["APPLICATION/JSON", "application/json;charset=UTF-8", 'application/json; charset="utf-8"']) {
      expectRefusal(await create(api, withField('"odd":1'), type), 400, "invalid_request", type);
    }
  });
});

test.describe("404 unknown_path, 405 method_not_allowed", () => {
  for (const path of [
    "/v1",
    "/v1/",
    "/v1/nothing",
    "/v1/payments/",
    "/v1/Payments",
    "/v1/transactions/a/b",
    "/v1/auth",
    "/v1/users/",
  ]) {
    test(`404 ${path}`, async ({ api }) => {
      expectRefusal(await api<ApiError>("GET", path, { token: person.token }), 404, "unknown_path");
    });
  }

  for (const path of ["/v1/payments//status", "/v1/%70ayments", "/v1/payments;x=1", "/v1/payments/%2e%2e%2f"]) {
    test(`400 ${path}: not the normal form of a path`, async ({ api }) => {
      expectRefusal(await api<ApiError>("GET", path, { token: person.token }), 400, "invalid_request");
    });
  }

  for (const [method, path, allowed] of [
    ["GET", "/v1/auth/login", ["POST"]],
    ["POST", "/v1/auth/session", ["DELETE"]],
    ["PUT", "/v1/accounts", ["POST", "PATCH"]],
    ["DELETE", "/v1/transactions", ["GET", "POST"]],
    ["POST", "/v1/payments/pay_1/status", ["GET"]],
    ["OPTIONS", "/v1/payments", ["GET", "POST"]],
    ["PUT", "/v1/users/usr_1", ["DELETE", "PATCH"]],
    ["PROPFIND", "/v1/transactions", ["GET", "POST"]],
  ] as const) {
    test(`405 ${method} ${path}`, async ({ api }) => {
      // The server checks neither the credential nor the body.
      const reply = await api<ApiError>(method, path, method === "GET" ? {} : { body: "{" });
      expectRefusal(reply, 405, "method_not_allowed");
      const methods = reply.headers
        .get("allow")
        ?.split(", ")
        .filter((name) => name !== "HEAD");
      expect(methods?.sort()).toEqual([...allowed].sort());
    });
  }
});

test("numbers are accepted in any JSON notation", async ({ api }) => {
  const bodies = ['"amount":1e3', '"amount":1000.0', '"amount":10E2'].map((amount) => withField(`${amount},"odd":1`));
  for (const body of bodies) {
    const reply = await create(api, body);
    expectRefusal(reply, 400, "invalid_request");
    expect(reply.body.error_description).not.toContain("amount");
  }
});

test.describe("fuzz", () => {
  const operations: [method: string, path: string][] = [
    ["POST", "/v1/auth/login"],
    ["POST", "/v1/auth/refresh"],
    ["DELETE", "/v1/auth/session"],
    ["POST", "/v1/accounts"],
    ["PATCH", "/v1/accounts"],
    ["DELETE", "/v1/auth/close"],
    ["POST", "/v1/users"],
    ["POST", "/v1/payments"],
    ["POST", "/v1/transactions"],
  ];
  const fields = [
    ...["email", "password", "session_id", "account_id", "account_type", "account_name", "preferences", "metadata"],
    ...[
      "reason",
      "type",
      "amount",
      "currency",
      "customer",
      "line_items",
      "expires_at",
      "parent_transaction_id",
      "device_id",
    ],
  ];

  test("random JSON: never a 5xx, never a 200", async ({ api }) => {
    const body = fc.dictionary(fc.constantFrom(...fields), fc.jsonValue({ maxDepth: 5 }), { minKeys: 1, maxKeys: 8 });
    // Send a broken credential where a random body could be valid by chance.
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...operations), body, async ([method, path], value) => {
        const isSafe = path === "/v1/payments" || path === "/v1/transactions";
        const token = isSafe ? person.token : undefined;
        const reply = await api<ApiError>(method, path, { token, body: { ...value, never: 1 } });
        expect(reply.status, reply.text).toBeGreaterThanOrEqual(400);
        expect(reply.status, reply.text).toBeLessThan(500);
        expectRecord(reply.body, recordFields.error);
      }),
      { numRuns: 300 },
    );
  });

  test("random bytes", async ({ server }) => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 300 }), async (bytes) => {
        const reply = await sendBytes(server.url, bytes);
        expect([400, 413]).toContain(reply.status);
        expectRecord(reply.body, recordFields.error);
      }),
      { numRuns: 150 },
    );
  });

  test("random queries", async ({ api }) => {
    const part = fc.tuple(fc.string({ maxLength: 20 }), anyText(30));
    await fc.assert(
      fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 5 }), async (parts) => {
        const query = parts.map(([name, value]) => `x${name}=${value.toWellFormed()}`).join("&");
        const reply = await api<ApiError>("GET", `/v1/transactions?${encodeURI(query)}`, { token: person.token });
        expectRefusal(reply, 400, "invalid_request", query);
      }),
      { numRuns: 150 },
    );
  });
});
