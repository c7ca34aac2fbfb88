// Limits shared by all callers of one address, so that nobody takes what others need.
import type { Server } from "node:http";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { CallRate } from "@/server/fairness/rate";
import { serverSettings } from "@/test/http";
import { createHttpServer, type HttpServerOptions, listen } from "./server";

let server: Server;
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.closeAllConnections();
  server.close();
});

async function start(options: Partial<HttpServerOptions> = {}): Promise<void> {
  const handler: HttpServerOptions["rest"] = async (_request, response) => void response.end("answer");
  const pages: HttpServerOptions["pages"] = async (_request, response) => void response.end("page");
  server = createHttpServer({ rest: handler, hosted: handler, pages, ...serverSettings, ...options });
  await listen(server, 0, "127.0.0.1");
}

interface Client {
  socket: Socket;
  /** The status of the response; 0 until it arrives. */
  status: () => number;
}

/** Sends a request on a new connection, as a proxy would for the address. */
function ask(path: string, { from, token }: { from: string; token?: string }): Client {
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const socket = connect(port, "127.0.0.1");
  sockets.push(socket);
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk;
  });
  socket.on("error", () => {});
  const credential = token === undefined ? "" : `Authorization: Bearer ${token}\r\n`;
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${from}\r\n${credential}\r\n`);
  return { socket, status: () => Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0) };
}

const untilStatus = (client: Client, status: number) =>
  vi.waitFor(() => expect(client.status()).toBe(status), { timeout: 10_000 });

const behindProxy: Partial<HttpServerOptions> = { trustedProxies: { addresses: ["127.0.0.1"] } };
const [firstAddress, secondAddress] = ["203.0.113.1", "203.0.113.2"];

/** A handler that takes the token for the user's name. It leaves requests for /v1/unanswered unanswered. */
const knowing: HttpServerOptions["rest"] = async (request, response, { notes }) => {
  const name = request.headers.authorization?.slice(7);
  if (name === undefined) {
    notes.callerKey = "anonymous";
  } else if (name.startsWith("ended")) {
    Object.assign(notes, { actor: { type: "anonymous" }, callerKey: "anonymous", errorCode: "unauthorized" });
  } else {
    const userId = `usr_${name}`;
    const session = { sessionId: "ses_1", sessionKind: "api", authenticatedAt: 0 } as const;
    notes.actor = { type: "user", organizationId: "org_1", role: "member", userId, ...session };
    notes.callerKey = userId;
  }
  if (request.url !== "/v1/unanswered") response.end();
};

describe("behind a proxy", () => {
  it("a request refused because no place is free counts as a call of its address", async () => {
    const rate = new CallRate(3);
    await start({ ...behindProxy, rate, requestsPerAddress: 2, rest: knowing });
    const unanswered = [ask("/v1/unanswered", { from: firstAddress }), ask("/v1/unanswered", { from: firstAddress })];
    for (let i = 0; i < 4; i++) {
      expect(rate.secondsUsedUp(firstAddress)).toBe(0);
      await untilStatus(ask("/v1/x", { from: firstAddress }), 429);
    }
    await vi.waitFor(() => expect(rate.secondsUsedUp(firstAddress)).toBeGreaterThan(0));
    expect(rate.secondsUsedUp(secondAddress)).toBe(0);
    for (const client of unanswered) expect(client.status()).toBe(0);
  });

  it("delayed refusals take no more connections than the address may have", async () => {
    const rate = new CallRate(1);
    await start({ ...behindProxy, rate, requestsPerAddress: 3, rest: knowing });
    await rate.count(firstAddress);
    await rate.count(firstAddress).catch(() => {});
    const delay = vi.spyOn(rate, "refusalDelay").mockReturnValue(60_000);
    const waiting = Array.from({ length: 3 }, () => ask("/v1/x", { from: firstAddress }));
    await vi.waitFor(() => expect(delay).toHaveBeenCalledTimes(3));
    await untilStatus(ask("/v1/x", { from: firstAddress }), 429);
    expect(delay).toHaveBeenCalledTimes(3);
    for (const client of waiting) expect(client.status()).toBe(0);
    await untilStatus(ask("/v1/x", { from: secondAddress }), 200);
  });

  it("all users of one address together stay within its concurrent requests", async () => {
    await start({ ...behindProxy, requestsPerAddress: 3, rest: knowing });
    const names = ["ann", "bob", "cyd", "dan"];
    for (const token of names) await untilStatus(ask("/v1/x", { from: firstAddress, token }), 200);
    const received = vi.fn();
    server.on("request", received);
    for (const token of names.slice(0, 3)) ask("/v1/unanswered", { from: firstAddress, token });
    await vi.waitFor(() => expect(received).toHaveBeenCalledTimes(3));
    await untilStatus(ask("/v1/x", { from: firstAddress, token: "dan" }), 429);
    await untilStatus(ask("/v1/x", { from: secondAddress, token: "dan" }), 200);
    // Unknown callers have their own places, which users do not take.
    await untilStatus(ask("/v1/x", { from: firstAddress }), 200);
  });

  it("unread responses of one address do not cut off those of others", async () => {
    const answer = "x".repeat(7 * 1024 * 1024);
    const answered: Socket[] = [];
    await start({
      ...behindProxy,
      rest: async (request, response) => {
        answered.push(request.socket);
        response.end(answer);
      },
    });
    for (const [index, from] of [secondAddress, firstAddress, firstAddress, firstAddress].entries()) {
      ask("/v1/x", { from }).socket.pause();
      await vi.waitFor(() => expect(answered).toHaveLength(index + 1));
    }
    await vi.waitFor(() => expect(answered[1]?.destroyed).toBe(true));
    expect(answered[0]?.destroyed).toBe(false);
  });
});

it("counts a request that is refused before any operation starts", async () => {
  const rate = new CallRate(3);
  await start({ ...behindProxy, rate, rest: async (_request, response) => void response.writeHead(404).end() });
  await vi.waitFor(
    async () => {
      const client = ask("/v1/nowhere", { from: firstAddress });
      await vi.waitFor(() => expect(client.status()).toBeGreaterThan(0));
      expect(client.status()).toBe(429);
    },
    { timeout: 10_000 },
  );
  expect((await rate.count(secondAddress)).consumedPoints).toBe(1);
});

it("stops counting an ended token for its user", async () => {
  const rate = new CallRate(100);
  let isEnded = false;
  await start({
    ...behindProxy,
    rate,
    rest: async (request, response, arrival) => {
      if (isEnded) request.headers.authorization = "Bearer ended";
      return knowing(request, response, arrival);
    },
  });
  const asAnn = () => ask("/v1/x", { from: firstAddress, token: "ann" });
  await untilStatus(asAnn(), 200);
  isEnded = true;
  await untilStatus(asAnn(), 200);
  const used = vi.spyOn(rate, "secondsUsedUp");
  await vi.waitFor(async () => {
    await untilStatus(asAnn(), 200);
    expect(used).toHaveBeenLastCalledWith(firstAddress);
  });
});

describe("requests waiting on one connection", () => {
  // Newer versions of Node refuse a request of more than 1,000 headers themselves.
  const fat = `GET /v1/x HTTP/1.1\r\nHost: a\r\n${"x:\r\n".repeat(600)}\r\n`;

  it("close it when they have very many headers", async () => {
    await start({ rest: async () => {} });
    const { socket } = ask("/v1/unanswered", { from: firstAddress });
    socket.write(fat);
    await vi.waitFor(() => expect(socket.destroyed).toBe(true), { timeout: 10_000 });
  });

  it("are not handled after a response that closes it", async () => {
    const begun = vi.fn();
    await start({
      rest: async (_request, response) => {
        begun();
        await new Promise(setImmediate);
        response.setHeader("Connection", "close");
        response.end();
      },
    });
    const { socket } = ask("/v1/x", { from: firstAddress });
    socket.write("GET /v1/x HTTP/1.1\r\nHost: a\r\n\r\n".repeat(3));
    await vi.waitFor(() => expect(socket.destroyed).toBe(true), { timeout: 10_000 });
    expect(begun).toHaveBeenCalledTimes(1);
  });
});
