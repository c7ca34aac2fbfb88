// The server refuses broken requests itself, and determines the caller's address.
import type { Server } from "node:http";
import { connect } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, describe, expect, it, vi } from "vitest";
import { CallRate } from "@/server/fairness/rate";
import { Download } from "@/server/kit/download";
import { limits } from "@/server/kit/limits";
import { callerAddressHeader } from "@/server/kit/peer";
import { serverSettings } from "@/test/http";
import { listenerOf } from "./node-http";
import { createHttpServer, type HttpServerOptions, listen } from "./server";

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** Starts a server whose handlers echo what they received, and returns its port. */
async function start(options: Partial<HttpServerOptions> = {}): Promise<number> {
  server = createHttpServer({
    rest: async (_request, response, { address }) => void response.end(`rest for ${address}`),
    hosted: async (_request, response, { address }) => void response.end(`hosted for ${address}`),
    pages: async (request, response) => void response.end(`page for ${request.headers[callerAddressHeader]}`),
    ...serverSettings,
    ...options,
  });
  await listen(server, 0, "127.0.0.1");
  const address = server.address();
  return typeof address === "object" && address ? address.port : 0;
}

/** Sends raw bytes and resolves with everything received until the server closes. */
function sendRaw(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    socket.on("data", (chunk) => {
      answer += chunk;
    });
    socket.on("close", () => resolve(answer));
    socket.on("error", reject);
  });
}

const bodyOf = (answer: string) => JSON.parse(answer.slice(answer.indexOf("\r\n\r\n") + 4));

it("accepts a request target in absolute form", async () => {
  const port = await start();
  const ask = (target: string) => sendRaw(port, `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  expect(await ask("http://a.example/v1/transactions")).toMatch(/rest for/);
  expect(await ask("http://a.example/v1/transactions?limit=1")).toMatch(/rest for/);
  expect(await ask("http://a.example")).toMatch(/page for/);
  expect(await ask("http://a.example/dashboard?x=http://b/v1/y")).toMatch(/page for/);
});

it("keeps an idle connection for longer than load balancers keep theirs", async () => {
  const answer = await fetch(`http://127.0.0.1:${await start()}/`);
  await answer.text();
  expect(answer.headers.get("Keep-Alive")).toBe("timeout=65");
});

it("applies all limits to a request with an unknown expectation", async () => {
  const ask = (port: number) =>
    sendRaw(port, "GET /v1/x HTTP/1.1\r\nHost: a\r\nExpect: x\r\nConnection: close\r\n\r\n");
  expect(await ask(await start())).toMatch(/^HTTP\/1.1 200 [\s\S]*rest for/);
  const rate = new CallRate(1);
  await expect(rate.count("127.0.0.1", 2)).rejects.toBeDefined();
  expect(await ask(await start({ rate }))).toMatch(/^HTTP\/1.1 429 [\s\S]*X-Frame-Options/);
});

it("repeats the sender's request id in every answer of its own, and in the log", async () => {
  const info = vi.fn();
  const log = { ...serverSettings.log, info, isLevelEnabled: () => true } as unknown as HttpServerOptions["log"];
  const rate = new CallRate(1);
  await expect(rate.count("127.0.0.1", 2)).rejects.toBeDefined();
  const port = await start({ rate, log });
  const ask = (path: string, id: string) =>
    sendRaw(port, `GET ${path} HTTP/1.1\r\nHost: a\r\nRequest-Id: ${id}\r\nConnection: close\r\n\r\n`);
  expect(await ask("/v1/transactions", "abc.1")).toMatch(/^HTTP\/1.1 429 [\s\S]*\r\nRequest-Id: abc.1\r\n/);
  expect(info).toHaveBeenCalledWith(expect.objectContaining({ requestId: "abc.1", status: 429 }), "request");
  expect(await ask("/healthz", "abc.2")).toMatch(/^HTTP\/1.1 200 [\s\S]*\r\nRequest-Id: abc.2\r\n/);
  expect(await ask("/v1/transactions", "no way")).toMatch(/\r\nRequest-Id: req_\w{26}\r\n/);
});

it("says that /metrics takes no body", async () => {
  const answer = await sendRaw(
    await start(),
    "GET /metrics HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}",
  );
  expect(answer).toMatch(/^HTTP\/1.1 400 /);
  expect(bodyOf(answer)).toEqual({ error_code: "invalid_request", error_description: "This path accepts no body." });
});

describe("a body that waits for 100 Continue", () => {
  const head = (length: number) =>
    `POST /v1/x HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n`;

  it("is requested once the request is within all limits", async () => {
    const port = await start({
      rest: async (request, response) => {
        let body = "";
        for await (const chunk of request) body += chunk;
        response.end(`had ${body}`);
      },
    });
    const socket = connect(port, "127.0.0.1", () => socket.write(head(5)));
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk;
    });
    await vi.waitFor(() => expect(text).toBe("HTTP/1.1 100 Continue\r\n\r\n"));
    socket.write("hello");
    await vi.waitFor(() => expect(text).toMatch(/100 Continue\r\n\r\nHTTP\/1.1 200 [\s\S]*had hello/));
  });

  it("is not requested beyond the sender's rate limit", async () => {
    const rate = new CallRate(1);
    await expect(rate.count("127.0.0.1", 2)).rejects.toBeDefined();
    expect(await sendRaw(await start({ rate }), head(5))).toMatch(/^HTTP\/1.1 429 /);
  });

  it("is not requested if it is too large", async () => {
    const answer = await sendRaw(await start(), head(limits.bodyBytes + 1));
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
    expect(bodyOf(answer).error_code).toBe("payload_too_large");
  });
});

describe("probes", () => {
  const ask = (port: number, line: string) => sendRaw(port, `${line} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);

  it("are answered before any rate limit", async () => {
    const rate = new CallRate(1);
    await expect(rate.count("127.0.0.1", 2)).rejects.toBeDefined();
    const port = await start({ rate });
    expect(await ask(port, "GET /dashboard")).toMatch(/^HTTP\/1.1 429 /);
    const answer = await ask(port, "GET /healthz");
    expect(answer).toMatch(/^HTTP\/1.1 200 /);
    expect(bodyOf(answer)).toEqual({ status: "ok" });
    expect(await ask(port, "HEAD /healthz")).toMatch(/^HTTP\/1.1 200 [\s\S]*\r\n\r\n$/);
  });

  it("are plain GET or HEAD requests of exactly their paths", async () => {
    const port = await start();
    expect(await ask(port, "POST /healthz")).toMatch(/^HTTP\/1.1 405 /);
    expect(await ask(port, "GET /healthz/x")).toMatch(/page for/);
    expect(await sendRaw(port, "GET /healthz HTTP/1.1\r\n\r\n")).toMatch(/^HTTP\/1.1 400 /);
  });
});

describe("broken requests", () => {
  it.each([
    ["what is not HTTP", "hello\r\n\r\n", "400"],
    ["a missing Host", "GET /v1/x HTTP/1.1\r\n\r\n", "400"],
    ["two lengths", "POST /v1/x HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", "400"],
    [
      "length and chunks",
      "POST /v1/x HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      "400",
    ],
    ["a page's path that cannot be decoded", "GET /pay/%ff HTTP/1.1\r\nHost: a\r\n\r\n", "400"],
    ["headers that are too large", `GET /v1/x HTTP/1.1\r\nHost: a\r\nX: ${"a".repeat(20_000)}\r\n\r\n`, "431"],
  ])("answers %s itself and closes", async (_what, bytes, status) => {
    const answer = await sendRaw(await start(), bytes);
    expect(answer.split(" ")[1]).toBe(status);
    expect(answer).toMatch(/connection: close/i);
    expect(bodyOf(answer)).toEqual({ error_code: "invalid_request", error_description: expect.any(String) });
  });
});

describe("requests that must not reach the pages", () => {
  const untilClosed = async (start: string, headers: string[] = []) => {
    let calls = 0;
    const port = await startWith(() => void calls++);
    const answer = await sendRaw(port, [`${start} HTTP/1.1`, "Host: a", ...headers, "", ""].join("\r\n"));
    expect(calls).toBe(0);
    expect(answer).toMatch(/connection: close/i);
    return answer;
  };
  const startWith = (onPage: () => void) =>
    start({
      pages: async (_request, response) => {
        onPage();
        response.end("page");
      },
    });

  it.each([
    "/%2e/v1/auth/login",
    "//v1/auth/login",
    "/x/../v1/auth/login",
    "/x/%2e%2e/v1/a",
    "/x\\..\\v1",
    "/a;b",
    "/a%2fb",
  ])("refuses %s, which a router could take for another path", async (path) => {
    const answer = await untilClosed(`GET ${path}`);
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(bodyOf(answer).error_code).toBe("invalid_request");
  });

  it("refuses a body before it arrives where none is read", async () => {
    const length = "Content-Length: 10000000";
    expect(await untilClosed("POST /sign-in", [length])).toMatch(/^HTTP\/1.1 405 [\s\S]*\r\nAllow: GET, HEAD\r\n/);
    expect(await untilClosed("POST /sign-in", ["Transfer-Encoding: chunked"])).toMatch(/^HTTP\/1.1 405 /);
    expect(await untilClosed("GET /sign-in", [length])).toMatch(/^HTTP\/1.1 413 /);
    expect(await untilClosed("GET /sign-in", ["Transfer-Encoding: chunked"])).toMatch(/^HTTP\/1.1 400 /);
    expect(await untilClosed("POST /dashboard", ["Content-Length: 0"])).toMatch(/^HTTP\/1.1 405 /);
  });

  it.each(["", "/invoice"])(
    "refuses to read the preview%s, which is only posted, and keeps that out of caches",
    async (path) => {
      const answer = await untilClosed(`GET /dashboard/payment-requests/preview${path}`);
      expect(answer).toMatch(/^HTTP\/1.1 405 [\s\S]*\r\nAllow: POST\r\n/);
      expect(answer).toMatch(/\r\nCache-Control: [^\r]*no-store/);
    },
  );

  it("refuses a body of large or unknown size where one is read", async () => {
    expect(await untilClosed("POST /api/trpc/x.y", ["Content-Length: 65537"])).toMatch(/^HTTP\/1.1 413 /);
    expect(await untilClosed("POST /api/trpc/x.y", ["Transfer-Encoding: chunked"])).toMatch(/^HTTP\/1.1 400 /);
    const port = await startWith(() => {});
    const request = "POST /api/trpc/x.y HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}";
    expect(await sendRaw(port, request)).toMatch(/^HTTP\/1.1 200 /);
  });

  it.each(["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND"])("refuses %s", async (method) => {
    for (const path of ["/", "/api/trpc/x.y"]) {
      expect(await untilClosed(`${method} ${path}`)).toMatch(/^HTTP\/1.1 405 [\s\S]*\r\nAllow: GET, HEAD/);
    }
  });

  it.each(["/_next/image?url=/x&w=1&q=1", "/_next/data/x/v1.json", "/_next/"])("does not serve %s", async (path) => {
    expect(await untilClosed(`GET ${path}`)).toMatch(/^HTTP\/1.1 404 /);
  });
});

describe("protective headers", () => {
  const protective = {
    "content-security-policy": expect.stringContaining("default-src 'none'"),
    "x-frame-options": "DENY",
    "referrer-policy": expect.any(String),
    "x-content-type-options": "nosniff",
  };
  const headersOf = async (port: number, path: string) =>
    Object.fromEntries((await fetch(`http://127.0.0.1:${port}${path}`)).headers);

  it("are added to pages that set none, and to refusals", async () => {
    const port = await start({
      pages: async (_request, response) => {
        response.setHeader("Content-Type", "application/json");
        response.end("{}");
      },
    });
    expect(await headersOf(port, "/healthzx")).toMatchObject({
      ...protective,
      "content-type": "application/json; charset=utf-8",
    });
    expect(await headersOf(port, "/_next/image")).toMatchObject(protective);
    expect(await headersOf(port, "/%2e%2e%2f")).toMatchObject(protective);
  });

  it("are left unchanged if a page sets them", async () => {
    const own = { "Content-Security-Policy": "default-src 'self'", "Referrer-Policy": "same-origin" };
    const port = await start({
      pages: async (_request, response) => {
        for (const [name, value] of Object.entries(own)) response.setHeader(name, value);
        response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" });
        response.end();
      },
    });
    const headers = await headersOf(port, "/");
    expect(headers["content-security-policy"]).toBe("default-src 'self'");
    expect(headers["referrer-policy"]).toBe("same-origin");
    expect(headers["content-type"]).toBe("text/html; charset=utf-8");
  });
});

describe("three parts of the server", () => {
  it.each(["/v1", "/v1/", "/v1/accounts", "/v1?x"])("sends %s to the REST API", async (path) => {
    const port = await start();
    expect(await (await fetch(`http://127.0.0.1:${port}${path}`)).text()).toBe("rest for 127.0.0.1");
  });

  it.each(["/pay", "/pay/", "/pay/x", "/pay/v1/", "/sandbox/challenge/x?lang=de", "/sandbox/x"])(
    "sends %s to the hosted pages",
    async (path) => {
      const port = await start();
      expect(await (await fetch(`http://127.0.0.1:${port}${path}`)).text()).toBe("hosted for 127.0.0.1");
    },
  );

  it.each(["/", "/v10", "/v1x/a", "/payments", "/sandboxes/x", "/x/pay/", "/_next/static/chunks/a.js"])(
    "sends %s to the pages",
    async (path) => {
      const port = await start();
      expect(await (await fetch(`http://127.0.0.1:${port}${path}`)).text()).toBe("page for 127.0.0.1");
    },
  );

  it("believes X-Forwarded-For only from trusted proxies", async () => {
    const headers = { "X-Forwarded-For": "203.0.113.9", [callerAddressHeader]: "203.0.113.7" };
    const untrusting = await start();
    expect(await (await fetch(`http://127.0.0.1:${untrusting}/`, { headers })).text()).toBe("page for 127.0.0.1");
    server?.close();
    const trusting = await start({ trustedProxies: { hops: 1 } });
    expect(await (await fetch(`http://127.0.0.1:${trusting}/v1/`, { headers })).text()).toBe("rest for 203.0.113.9");
  });

  it("sends HSTS only if the app is reached by https", async () => {
    const headerOn = async (isHttps: boolean) =>
      (await fetch(`http://127.0.0.1:${await start({ isHttps })}/`)).headers.get("Strict-Transport-Security");
    expect(await headerOn(false)).toBeNull();
    expect(await headerOn(true)).toContain("max-age=");
  });
});

describe("a stalled connection", () => {
  it("is cut, but not while its request is being handled", async () => {
    await start();
    expect(server?.timeout).toBeGreaterThan(limits.waitSeconds * 1_000);
    expect(server?.timeout).toBeLessThanOrEqual(300_000);
  });
});

describe("listening", () => {
  it("rejects when the port is in use", async () => {
    const port = await start();
    const second = createHttpServer({
      rest: async () => {},
      hosted: async () => {},
      pages: async () => {},
      ...serverSettings,
    });
    await expect(listen(second, port, "127.0.0.1")).rejects.toMatchObject({ code: "EADDRINUSE" });
  });
});

it("logs no warning and no error while it sends a file in many pieces", async () => {
  const seen: string[] = [];
  const note = ({ message }: Error) => void seen.push(message);
  const lines = { warn: vi.fn(), error: vi.fn() };
  const log = { ...serverSettings.log, ...lines, info() {}, isLevelEnabled: () => true };
  async function* pieces() {
    for (let i = 0; i < 40; i++) {
      yield "x".repeat(100_000);
      await nextTurn();
    }
  }
  const rest = listenerOf(async ({ signal }) => {
    const download = new Download({ contentType: "text/csv", fileName: "a.csv" }, pieces(), () => {});
    signal.addEventListener("abort", () => download.close(), { once: true });
    return { status: 200, headers: download.headers, body: null, download };
  });
  process.on("warning", note);
  try {
    const port = await start({ rest, log: log as unknown as HttpServerOptions["log"] });
    for (let i = 0; i < 2; i++) {
      const answer = await fetch(`http://127.0.0.1:${port}/v1/payments/export`);
      expect((await answer.text()).length).toBe(4_000_000);
    }
    await nextTurn();
  } finally {
    process.off("warning", note);
  }
  expect(seen).toEqual([]);
  expect([lines.warn, lines.error].map(({ mock }) => mock.calls)).toEqual([[], []]);
});
