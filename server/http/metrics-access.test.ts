// Who may read /metrics: the token's holder, or a program on this machine while nobody else can reach the app.
import { afterEach, describe, expect, it, vi } from "vitest";
import { callerFinder } from "@/server/kit/peer";
import { isOnlyLocal } from "@/server/kit/reach";
import { type MetricsSettings, mayReadMetrics } from "./metrics-access";

const local: MetricsSettings = {
  metricsToken: null,
  host: "127.0.0.1",
  appUrl: "http://localhost:3000",
  trustedProxies: null,
};
const token = "0123456789abcdef0123456789abcdef";

const may = (settings: Partial<MetricsSettings>, headers: Record<string, string> = {}, remoteAddress = "127.0.0.1") =>
  mayReadMetrics(
    { socket: { remoteAddress }, headers: { host: "localhost:3000", ...headers } },
    { ...local, ...settings },
  );

const proxySeen = Symbol.for("quittance.proxy-seen");
afterEach(() => {
  vi.restoreAllMocks();
  Reflect.deleteProperty(globalThis, proxySeen);
});

describe("without METRICS_TOKEN", () => {
  it.each(["127.0.0.1", "::1", "::ffff:127.0.0.1", "127.0.0.53"])("lets %s in", (address) => {
    expect(may({}, {}, address)).toBe(true);
  });

  it.each(["192.168.1.7", "::ffff:10.0.0.1", "2001:db8::1", ""])("keeps %s out", (address) => {
    expect(may({}, {}, address)).toBe(false);
  });

  it.each(["Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Proto", "X-Real-IP", "CF-Connecting-IP"])(
    "keeps a request with %s out, even from loopback",
    (name) => {
      expect(may({}, { [name.toLowerCase()]: "x" })).toBe(false);
    },
  );

  it("admits nobody once others may reach the app: a proxy on this machine need not reveal itself", () => {
    expect(may({ appUrl: "https://pay.example.com" })).toBe(false);
    expect(may({ host: "0.0.0.0" })).toBe(false);
    expect(may({ trustedProxies: { hops: 1 } })).toBe(false);
  });

  it("admits nobody for ten minutes after a proxy was seen: one request must not stop monitoring for good", () => {
    callerFinder(null)("127.0.0.1", "203.0.113.9");
    expect(may({})).toBe(false);
    const now = performance.now();
    vi.spyOn(performance, "now").mockReturnValue(now + 599_000);
    expect(may({})).toBe(false);
    vi.spyOn(performance, "now").mockReturnValue(now + 601_000);
    expect(may({})).toBe(true);
    expect(isOnlyLocal(local)).toBe(false);
  });

  it("refuses a page that resolves its own domain to this machine", () => {
    expect(may({}, { host: "attacker.example:3000" })).toBe(false);
    expect(may({}, { host: "[::1]:3000" })).toBe(true);
  });

  it("accepts no token", () => {
    expect(may({ host: "0.0.0.0" }, { authorization: `Bearer ${token}` })).toBe(false);
    expect(may({ host: "0.0.0.0" }, { authorization: "Bearer null" })).toBe(false);
  });
});

describe("with METRICS_TOKEN", () => {
  it("admits its holder from anywhere, through any proxy", () => {
    const settings = { metricsToken: token, host: "0.0.0.0", appUrl: "https://pay.example.com" };
    const headers = { authorization: `Bearer ${token}`, "x-forwarded-for": "203.0.113.9", host: "pay.example.com" };
    expect(may(settings, headers, "203.0.113.1")).toBe(true);
    expect(may(settings, { ...headers, authorization: `bearer  ${token}` }, "203.0.113.1")).toBe(true);
  });

  it.each([
    undefined,
    token,
    `Basic ${token}`,
    `Bearer ${token}0`,
    `Bearer ${token.slice(1)}`,
    "Bearer ",
    `Bearer ${token} x`,
  ])("keeps the Authorization %s out, on this machine too", (authorization) => {
    expect(may({ metricsToken: token }, authorization === undefined ? {} : { authorization })).toBe(false);
  });
});
