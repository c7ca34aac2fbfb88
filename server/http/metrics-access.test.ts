// Who may read /metrics: the token's holder, or a program on this machine while nobody else can reach the app.
import { describe, expect, it } from "vitest";
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
