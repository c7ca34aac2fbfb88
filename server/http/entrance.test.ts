// What one address or caller may do to the server at once: connections, requests, bodies, unread responses.
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { CallRate } from "@/server/fairness/rate";
import { limits } from "@/server/kit/limits";
import {
  as,
  firstAddress,
  get,
  identifying,
  secondAddress,
  send,
  start,
  statusesOf,
  thirdAddress,
  untilStatuses,
} from "@/test/connections";
import { credentialOf } from "./credential-of";
import type { HttpServerOptions } from "./server";

describe("connections", () => {
  it("of one address are limited, and others still get theirs", async () => {
    await start({ requestsPerAddress: 5 });
    const own = Array.from({ length: 5 }, () => send(get));
    for (const client of own) await untilStatuses(client, [200]);
    const refused = send(get);
    await vi.waitFor(() => expect(refused.closed()).toBe(true));
    expect(refused.text()).toBe("");
    await untilStatuses(send(get, secondAddress), [200]);
    own[0]?.socket.destroy();
    await vi.waitFor(async () => {
      const again = send(get);
      await vi.waitFor(() => expect(statusesOf(again)).toEqual([200]), 500);
    }, 10_000);
  });

  it("are accepted before waiting work continues", async () => {
    let pieces = 0;
    const rest: HttpServerOptions["rest"] = async (_request, response, { notes }) => {
      await notes.turns.first();
      const endsAt = performance.now() + 6;
      while (performance.now() < endsAt);
      response.setHeader("Pieces-Before", pieces++);
      response.end();
    };
    await start({ rest });
    // They are in the system's queue before the server accepts the first of them.
    for (let n = 0; n < 150; n++) send(get);
    const last = send(get, secondAddress);
    await vi.waitFor(() => expect(statusesOf(last)).toEqual([200]), 10_000);
    expect(Number(/pieces-before: (\d+)/i.exec(last.text())?.[1])).toBeLessThan(75);
  });

  it("end with the answer to a probe, which no limit applies to", async () => {
    await start();
    const probe = send("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n".repeat(3));
    await vi.waitFor(() => expect(probe.closed()).toBe(true), 3_000);
    expect(statusesOf(probe)).toEqual([200]);
  });

  it("of a trusted proxy are not limited, but the requests of each caller behind it are", async () => {
    const forwarded = (address: string) => get.replace("\r\n\r\n", `\r\nX-Forwarded-For: ${address}\r\n\r\n`);
    await start({
      requestsPerAddress: 3,
      trustedProxies: { addresses: [firstAddress] },
      rest: async (request, response) => {
        if (request.headers["x-forwarded-for"] !== "203.0.113.9") response.end();
      },
    });
    const unanswered = Array.from({ length: 3 }, () => send(forwarded("203.0.113.9")));
    await sleep(200);
    await untilStatuses(send(forwarded("203.0.113.9")), [429]);
    for (let i = 0; i < 5; i++) await untilStatuses(send(forwarded("203.0.113.8")), [200]);
    for (const client of unanswered) expect(client.text()).toBe("");
  });
});

describe("requests on one connection", () => {
  it("are handled one at a time and answered in order", async () => {
    let running = 0;
    let most = 0;
    await start({
      rest: async (_request, response) => {
        most = Math.max(most, ++running);
        await sleep(20);
        running--;
        response.end("x");
      },
    });
    await untilStatuses(send(get.repeat(8)), Array(8).fill(200));
    expect(most).toBe(1);
  });

  it("close it when too many arrive before the first is answered", async () => {
    let begun = 0;
    await start({ rest: async () => void begun++ });
    const client = send(get.repeat(1_000));
    await vi.waitFor(() => expect(client.closed()).toBe(true), 10_000);
    expect(begun).toBe(1);
  });
});

describe("data that follows a request on its connection", () => {
  const slow: HttpServerOptions["rest"] = async (_request, response) => {
    begun++;
    await sleep(100);
    response.end("answer");
  };
  const post = "POST /v1/x HTTP/1.1\r\nHost: a\r\n";
  let begun: number;

  it.each([
    ["no HTTP", "hello\r\n\r\n", [200, 400]],
    ["another request and invalid HTTP", `${get}hello\r\n\r\n`, [200, 200, 400]],
    ["a body with broken chunks", `${post}Transfer-Encoding: chunked\r\n\r\nxyz\r\n`, [200, 400]],
    ["headers that are too large", `GET /v1/x HTTP/1.1\r\nHost: a\r\nX: ${"a".repeat(20_000)}\r\n\r\n`, [200, 431]],
  ])("is refused once that request's answer is complete: %s", async (_what, bytes, statuses) => {
    begun = 0;
    await start({ rest: slow });
    const client = send(get + bytes);
    await untilStatuses(client, statuses);
    await vi.waitFor(() => expect(client.closed()).toBe(true), 10_000);
    expect(begun).toBe(statuses.filter((status) => status === 200).length);
    expect(client.text().match(/answer/g)).toHaveLength(begun);
  });

  it("is refused once that request's answer is complete, if the connection ends in the middle of it", async () => {
    begun = 0;
    await start({ rest: slow });
    const client = send(`${get}${post}Content-Length: 10\r\n\r\nabc`);
    await vi.waitFor(() => expect(begun).toBe(1));
    client.socket.end();
    await untilStatuses(client, [200, 400]);
    expect(begun).toBe(1);
  });

  it("has its bodies counted against the address's limit before they are handled", async () => {
    await start({ rest: async () => {} });
    const empty = `${post}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`;
    const waiting = limits.bodiesAtOnce.perCaller / limits.bodyBytes;
    const unanswered = Array.from({ length: waiting / 8 }, () => send(get + empty.repeat(8)));
    await sleep(200);
    expect(unanswered.map(({ closed }) => closed())).toEqual(unanswered.map(() => false));
    const beyond = send(get + empty);
    await vi.waitFor(() => expect(beyond.closed()).toBe(true), 10_000);
    const other = send(get + empty, secondAddress);
    await sleep(100);
    expect(other.closed()).toBe(false);
    for (const { socket } of unanswered) socket.destroy();
    await vi.waitFor(async () => {
      const again = send(get + empty);
      await sleep(100);
      expect(again.closed()).toBe(false);
    }, 10_000);
  });
});

describe("concurrent requests", () => {
  it("count until their work has ended, even after their connections close", async () => {
    let begun = 0;
    let finish = () => {};
    const ended = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const rest: HttpServerOptions["rest"] = async (_request, response) => {
      begun++;
      await ended;
      response.end();
    };
    await start({ requestsPerAddress: 5, rest });
    for (let i = 1; i <= 5; i++) {
      const { socket } = send(get);
      await vi.waitFor(() => expect(begun).toBe(i), 10_000);
      socket.destroy();
    }
    await vi.waitFor(async () => {
      const beyond = send(get);
      await vi.waitFor(() => expect(statusesOf(beyond)).toEqual([429]), 500);
    }, 10_000);
    expect(begun).toBe(5);
    finish();
    await vi.waitFor(async () => {
      const again = send(get);
      await vi.waitFor(() => expect(statusesOf(again)).toEqual([200]), 500);
    }, 10_000);
  });

  it("of one user are counted together, however the header is written", async () => {
    let isOpen = true;
    let begun = 0;
    const rest = identifying(async () => {
      begun++;
      return String(await vi.waitUntil(() => isOpen, { timeout: 20_000 }));
    });
    const oneToken: HttpServerOptions["rest"] = (request, ...others) => {
      request.headers.authorization = "Bearer ann";
      return rest(request, ...others);
    };
    await start({ rest: oneToken, credentialOf: credentialOf("session") });
    await untilStatuses(send(as("ann")), [200]);
    isOpen = false;
    begun = 0;
    for (let i = 0; i < limits.requestsAtOnce; i++) {
      send(as(`${" ".repeat(i)}ann`).replace("Host: a", `Host: a\r\nCookie: session=junk${i}`));
    }
    await vi.waitFor(() => expect(begun).toBe(limits.requestsAtOnce), 10_000);
    await untilStatuses(send(as("    ann").replace("Bearer", "bearer")), [429]);
    isOpen = true;
  });

  it("of one user are limited across connections and sessions, and refusals are delayed", async () => {
    let isOpen = false;
    const rate = new CallRate(1);
    await start({ rate, rest: identifying(async () => String(await vi.waitUntil(() => isOpen, { timeout: 20_000 }))) });
    isOpen = true;
    await untilStatuses(send(as("ann")), [200]);
    isOpen = false;
    const unanswered = Array.from({ length: limits.requestsAtOnce }, () => send(as("ann")));
    await vi.waitFor(async () => {
      const beyond = send(as("ann"));
      await vi.waitFor(() => expect(statusesOf(beyond)).toEqual([429]), 500);
      expect(beyond.text()).toContain("Retry-After: 1");
    }, 10_000);
    await untilStatuses(send(as("ann")), [429]);
    await vi.waitFor(() => expect(rate.secondsUsedUp("usr_ann")).toBeGreaterThan(0));
    const delay = vi.spyOn(rate, "refusalDelay").mockReturnValue(60_000);
    const ignoring = send(as("ann"));
    await vi.waitFor(() => expect(delay).toHaveBeenCalledTimes(1));
    expect(ignoring.text()).toBe("");
    isOpen = true;
    for (const client of unanswered) await vi.waitFor(() => expect(statusesOf(client).length).toBe(1), 10_000);
    await untilStatuses(send(as("bob")), [200]);
  });
});

describe("bodies in progress", () => {
  it("of unknown callers leave room for users at the same address", async () => {
    const begun = vi.fn(async () => "");
    await start({ rest: identifying(begun) });
    await untilStatuses(send(as("ann")), [200]);
    const post = `POST /v1/x HTTP/1.1\r\nHost: a\r\nContent-Length: ${limits.bodyBytes}\r\n`;
    const unanswered = limits.bodiesAtOnce.perCaller / limits.bodyBytes;
    begun.mockImplementation(() => new Promise(() => {}));
    Array.from({ length: unanswered }, () => send(`${post}\r\nx`));
    await vi.waitFor(() => expect(begun).toHaveBeenCalledTimes(1 + unanswered), 10_000);
    await untilStatuses(send(`${post}\r\nx`), [429]);
    send(`${post}Authorization: Bearer ann\r\n\r\nx`);
    await vi.waitFor(() => expect(begun).toHaveBeenCalledTimes(2 + unanswered), 10_000);
  });

  it("of one address are limited in bytes; further ones are refused unread and count as calls", async () => {
    const begun = vi.fn();
    const rate = new CallRate(1);
    await start({ rate, rest: async () => begun() });
    const post = `POST /v1/x HTTP/1.1\r\nHost: a\r\nContent-Length: ${limits.bodyBytes}\r\n\r\nx`;
    const most = limits.bodiesAtOnce.perCaller / limits.bodyBytes;
    Array.from({ length: most }, () => send(post));
    await vi.waitFor(() => expect(begun).toHaveBeenCalledTimes(most), 10_000);
    const refused = send(post);
    await untilStatuses(refused, [429]);
    await vi.waitFor(() => expect(refused.closed()).toBe(true));
    expect(begun).toHaveBeenCalledTimes(most);
    expect((await rate.count(firstAddress, 0)).consumedPoints).toBe(1);
    send(post, secondAddress);
    await vi.waitFor(() => expect(begun).toHaveBeenCalledTimes(most + 1));
  });

  it("of one busy address leave room for other addresses", async () => {
    const begun = vi.fn(async () => "");
    await start({ rest: identifying(begun) });
    const hostile = [firstAddress, secondAddress, thirdAddress];
    // Three addresses with one body per user could fill the whole limit.
    const users = Math.ceil(limits.bodiesAtOnce.inAll / limits.bodyBytes / hostile.length);
    const names = Array.from({ length: users }, (_, i) => `user${i}`);
    for (const from of hostile) {
      const clients = names.map((name) => send(as(`${name}-${from}`), from));
      for (const client of clients) {
        await untilStatuses(client, [200]);
        client.socket.destroy();
      }
    }
    begun.mockReset();
    begun.mockImplementation(() => new Promise(() => {}));
    const post = `POST /v1/x HTTP/1.1\r\nHost: a\r\nContent-Length: ${limits.bodyBytes}\r\n`;
    for (const from of hostile) {
      const sent = names.map((name) => send(`${post}Authorization: Bearer ${name}-${from}\r\n\r\nx`, from));
      const refusals = () => sent.filter((client) => statusesOf(client)[0] === 429).length;
      await vi.waitFor(() => expect(begun.mock.calls.length + refusals()).toBe(sent.length), 10_000);
      begun.mockClear();
    }
    send(`${post}\r\nx`, "127.0.0.4");
    await vi.waitFor(() => expect(begun).toHaveBeenCalledTimes(1), 10_000);
  });
});

describe("responses that are not read", () => {
  it("are limited in bytes per address; the oldest are cut off first", async () => {
    const sockets: Socket[] = [];
    const answer = "x".repeat(7 * 1024 * 1024);
    await start({
      rest: async (request, response) => {
        sockets.push(request.socket);
        response.end(answer);
      },
    });
    const waiting = () => sockets.reduce((sum, socket) => sum + (socket.destroyed ? 0 : socket.writableLength), 0);
    for (let i = 1; i <= 8; i++) {
      send(get).socket.pause();
      await vi.waitFor(() => expect(sockets).toHaveLength(i), 10_000);
      await sleep(20);
      expect(waiting()).toBeLessThanOrEqual(limits.unreadBytes.perAddress);
    }
    expect(sockets[0]?.destroyed).toBe(true);
    expect(sockets[7]?.destroyed).toBe(false);
    const reader = send(get, secondAddress);
    await vi.waitFor(() => expect(reader.text().length).toBeGreaterThan(answer.length), 15_000);
  });
});
