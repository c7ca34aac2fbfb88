// Callers beyond their rate limit, requests that are refused before any work, and the line of each request in the log.
import pino from "pino";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { CallRate } from "@/server/fairness/rate";
import { limits } from "@/server/kit/limits";
import {
  actorOf,
  as,
  firstAddress,
  get,
  identifying,
  secondAddress,
  send,
  start,
  untilStatuses,
} from "@/test/connections";

describe("a caller without calls left", () => {
  it("is refused before any work, also on other connections and with other sessions", async () => {
    const rate = new CallRate(1);
    const handled = vi.fn(async () => "");
    await start({ rate, rest: identifying(handled) });
    await untilStatuses(send(as("ann")), [200]);
    await rate.count("usr_ann");
    await rate.count("usr_ann").catch(() => {});
    const refused = send(as("ann"));
    await untilStatuses(refused, [429]);
    expect(refused.text()).toMatch(/RateLimit: "default";r=0;t=\d+/);
    expect(refused.text()).toMatch(/Retry-After: \d+/);
    await untilStatuses(send(as("bob")), [200]);
    expect(handled).toHaveBeenCalledTimes(2);
  });

  it("is delayed when it keeps calling", async () => {
    const rate = new CallRate(1);
    await rate.count("a");
    await rate.count("a").catch(() => {});
    const delays = Array.from({ length: 30 }, () => rate.refusalDelay("a"));
    expect(delays.slice(0, 20)).toEqual(Array(20).fill(0));
    for (const delay of delays.slice(20)) expect(delay).toBeGreaterThanOrEqual(1_000);
  });

  it("has calls again after a minute, even if the clock was fast for a while", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const rate = new CallRate(1);
    const now = Date.now();
    vi.setSystemTime(now + 3_600_000);
    await rate.count("a");
    await rate.count("a").catch(() => {});
    vi.setSystemTime(now);
    expect(rate.secondsUsedUp("a")).toBeLessThanOrEqual(60);
    await rate.count("a").catch(() => {});
    expect(rate.secondsUsedUp("a")).toBeLessThanOrEqual(60);
  });

  it("is also charged for the bytes of its requests and responses", async () => {
    const rate = new CallRate(100);
    await start({ rate, rest: identifying(async () => "x".repeat(limits.bytesPerCall * 10)) });
    await untilStatuses(send(as("ann")), [200]);
    await vi.waitFor(async () => expect((await rate.count("usr_ann")).consumedPoints).toBeGreaterThan(10));
  });

  it("is charged for pages, which no operation counts", async () => {
    const rate = new CallRate(12);
    await start({ rate });
    const page = (path: string) => send(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
    await untilStatuses(page("/nowhere"), [200]);
    await untilStatuses(page("/nowhere"), [200]);
    await untilStatuses(page("/_next/static/x.js"), [200]);
    await untilStatuses(page("/nowhere"), [429]);
    await untilStatuses(send("GET /nowhere HTTP/1.1\r\nHost: a\r\n\r\n", secondAddress), [200]);
  });
});

describe("a request that is refused before any work", () => {
  const malformed = "GET /a//b HTTP/1.1\r\nHost: a\r\n\r\n";

  it("counts as a call of its address", async () => {
    await start({ rate: new CallRate(3) });
    for (let i = 0; i < 4; i++) await untilStatuses(send(malformed), [400]);
    await untilStatuses(send(malformed), [429]);
    await untilStatuses(send(get), [429]);
    await untilStatuses(send(get, secondAddress), [200]);
  });

  it("counts as a call of the user only while the credential is known to identify one", async () => {
    await start({ rate: new CallRate(3), rest: identifying(async () => "") });
    await untilStatuses(send(as("ann")), [200]);
    const realNow = performance.now.bind(performance);
    const clock = vi.spyOn(performance, "now").mockImplementation(() => realNow() + 600_000);
    onTestFinished(() => clock.mockRestore());
    // The session has ended meanwhile, but these requests are refused before the server notices.
    const stale = as("ann").replace("Host: a\r\n", "");
    for (let i = 0; i < 4; i++) await untilStatuses(send(stale, secondAddress), [400]);
    await untilStatuses(send(stale, secondAddress), [429]);
    await untilStatuses(send(as("ann")), [200]);
  });

  it("counts even if it is not HTTP, and is not answered beyond the limit", async () => {
    await start({ rate: new CallRate(3) });
    for (let i = 0; i < 4; i++) await untilStatuses(send("hello\r\n\r\n"), [400]);
    const beyond = send("hello\r\n\r\n");
    await vi.waitFor(() => expect(beyond.closed()).toBe(true), 10_000);
    expect(beyond.text()).toBe("");
    await untilStatuses(send(get), [429]);
  });

  it("is not charged to the proxy that it came through, which others share", async () => {
    await start({ rate: new CallRate(1), trustedProxies: { addresses: [firstAddress] } });
    for (let i = 0; i < 5; i++) await untilStatuses(send("hello\r\n\r\n"), [400]);
  });

  it.each([malformed, "hello\r\n\r\n"])("has a limited number of lines in the log: %j", async (bytes) => {
    const lines: string[] = [];
    const log = pino({ level: "info" }, { write: (line: string) => void lines.push(line) });
    await start({ log });
    for (let i = 0; i < limits.refusalLines.perAddress + 20; i++) await untilStatuses(send(bytes), [400]);
    await untilStatuses(send(bytes, secondAddress), [400]);
    await vi.waitFor(() => expect(lines).toHaveLength(limits.refusalLines.perAddress + 1), 10_000);
    expect(lines[0]).toContain("invalid_request");
    expect(lines.at(-1)).toContain(secondAddress);
  });
});

describe("the line in the log", () => {
  it("states the caller, the address, the operation and the outcome", async () => {
    const lines: Record<string, unknown>[] = [];
    const log = pino({ level: "info" }, { write: (line: string) => void lines.push(JSON.parse(line)) });
    await start({
      log,
      rest: async (_request, response, { notes }) => {
        Object.assign(notes, { requestId: "req_1", actor: actorOf("usr_1"), errorCode: "payment_not_found" });
        notes.operations.push("payments.get");
        response.statusCode = 400;
        response.end();
      },
    });
    const { socket } = send(get);
    await vi.waitFor(() => expect(lines).toHaveLength(1));
    expect(lines[0]).toMatchObject({
      requestId: "req_1",
      method: "GET",
      path: "/v1/x",
      status: 400,
      error_code: "payment_not_found",
      address: firstAddress,
      caller: "usr_1",
      session: "ses_1",
      operation: "payments.get",
      ms: expect.any(Number),
    });
    socket.write("GET /a//b?token=secret HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 203.0.113.1\r\n\r\n");
    await vi.waitFor(() => expect(lines).toHaveLength(3));
    expect(lines[1]?.msg).toContain("TRUST_PROXY");
    expect(lines[2]).toMatchObject({ status: 400, path: "/a//b", error_code: "invalid_request", caller: null });
  });
});
