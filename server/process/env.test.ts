// The configuration: defaults, every form that is parsed, and all faults at once.
import { describe, expect, it } from "vitest";
import { EnvError, parseEnv } from "./env";

const key = Buffer.alloc(32, 7).toString("base64");

/** The faults that parsing `source` reports. */
function faultsOf(source: Record<string, string>): string[] {
  try {
    parseEnv(source);
  } catch (error) {
    if (error instanceof EnvError) return error.faults;
    throw error;
  }
  return [];
}

describe("defaults", () => {
  it("needs nothing", () => {
    expect(parseEnv({})).toMatchObject({
      port: 3000,
      host: "127.0.0.1",
      appUrl: "http://localhost:3000",
      databaseUrl: "file:./data/quittance.db",
      secretKeys: null,
      admin: null,
      signup: null,
      accessTokenMs: 15 * 60_000,
      refreshTokenMs: 30 * 86_400_000,
      apiSessionMaxMs: 90 * 86_400_000,
      dashboardSessionIdleMs: 12 * 3_600_000,
      dashboardSessionMaxMs: 7 * 86_400_000,
      rateLimit: 6000,
      worker: "inside",
      logLevel: "info",
      trustedProxies: null,
    });
  });

  it("takes a token for metrics that fits into a header and is long enough to withstand guesses", () => {
    const token = "ab-._~+/".repeat(4);
    expect(parseEnv({ METRICS_TOKEN: token }).metricsToken).toBe(token);
    for (const wrong of [token.slice(1), `${token} x`, token.repeat(7), `${token}\u00e9`]) {
      expect(faultsOf({ METRICS_TOKEN: wrong })).toEqual([
        expect.stringMatching(/^METRICS_TOKEN: must have 32 to 200/),
      ]);
    }
  });

  it("takes the address of a mail server", () => {
    const mailOf = (url: string, from = "Example Ltd <billing@example.com>") =>
      parseEnv({ SMTP_URL: url, MAIL_FROM: from }).mail;
    expect(parseEnv({ MAIL_FROM: "billing@example.com" }).mail).toBeNull();
    expect(mailOf("smtp://mail.example.com")).toEqual({
      server: { host: "mail.example.com", port: 587, isSecure: false, login: null, mayBePlain: false },
      from: { name: "Example Ltd", address: "billing@example.com" },
    });
    expect(mailOf("smtps://ada%40example.com:p%3As@[::1]:2465/", "billing@example.com")).toEqual({
      server: {
        host: "::1",
        port: 2_465,
        isSecure: true,
        login: { user: "ada@example.com", password: "p:s" },
        mayBePlain: false,
      },
      from: { name: null, address: "billing@example.com" },
    });
    expect(faultsOf({ SMTP_URL: "smtp://localhost" })).toEqual(["MAIL_FROM: must be set together with SMTP_URL"]);
  });

  it.each([
    "localhost:25",
    "http://localhost",
    "smtp://",
    "smtp://host:0",
    "smtp://host/inbox",
    "smtp://host?secure=1",
    "smtp://user@host",
    "smtp://:secret@host",
    "smtp://user:%zz@host",
    "smtp://host name",
  ])("refuses %s as a mail server, without repeating it", (url) => {
    const faults = faultsOf({ SMTP_URL: url, MAIL_FROM: "billing@example.com" });
    expect(faults).toEqual([expect.stringMatching(/^SMTP_URL: must be smtp:\/\/ or smtps:/)]);
    expect(faults.join()).not.toContain("secret");
  });

  it.each([
    "billing",
    "Billing billing@example.com",
    "<billing@example.com",
    'A "B" <billing@example.com>',
    "a@example.com, b@example.com",
    "A\r\nBcc: b@example.com <a@example.com>",
  ])("refuses %j as the sender of mails", (from) => {
    expect(faultsOf({ SMTP_URL: "smtp://localhost", MAIL_FROM: from })).toEqual([
      expect.stringMatching(/^MAIL_FROM: must /),
    ]);
  });

  it.each([
    ["security@example.com", "mailto:security@example.com"],
    ["https://example.com/security", "https://example.com/security"],
    ["tel:+1-201-555-0123", "tel:+1-201-555-0123"],
  ])("takes %j as where to report vulnerabilities", (given, uri) => {
    expect(parseEnv({ SECURITY_CONTACT: given }).securityContact).toBe(uri);
  });

  it.each(["http://example.com/security", "nobody", "https://example.com/a b", "mailto:a@example.com\nExpires: x"])(
    "refuses %j there",
    (given) => {
      expect(faultsOf({ SECURITY_CONTACT: given })).toEqual([expect.stringMatching(/^SECURITY_CONTACT: must be /)]);
    },
  );

  it("treats an empty variable as absent", () => {
    expect(parseEnv({ PORT: "", ADMIN_EMAIL: "", SIGNUP: "" })).toMatchObject({
      port: 3000,
      admin: null,
      signup: null,
    });
  });

  it("uses the port in the default address", () => {
    expect(parseEnv({ PORT: "8080" }).appUrl).toBe("http://localhost:8080");
  });
});

describe("forms", () => {
  it("reads durations with their unit", () => {
    expect(parseEnv({ ACCESS_TOKEN_TTL: "90s", REFRESH_TOKEN_TTL: "2h" })).toMatchObject({
      accessTokenMs: 90_000,
      refreshTokenMs: 7_200_000,
    });
  });

  it("reads several server keys, the current one first", () => {
    const other = Buffer.alloc(32, 9).toString("base64");
    expect(parseEnv({ SECRET_KEY: `${key}, ${other}` }).secretKeys).toEqual([Buffer.alloc(32, 7), Buffer.alloc(32, 9)]);
  });

  it("reads trusted proxies as a number or as addresses", () => {
    expect(parseEnv({ TRUST_PROXY: "2" }).trustedProxies).toEqual({ hops: 2 });
    expect(parseEnv({ TRUST_PROXY: "10.0.0.0/8, ::1" }).trustedProxies).toEqual({ addresses: ["10.0.0.0/8", "::1"] });
  });

  it("keeps only the origin of APP_URL", () => {
    expect(parseEnv({ APP_URL: "https://Pay.Example.com/" }).appUrl).toBe("https://pay.example.com");
  });
});

describe("faults", () => {
  it("reports all of them, each with its variable", () => {
    const faults = faultsOf({
      PORT: "70000",
      APP_URL: "https://example.com/path",
      DATABASE_URL: "mysql://x",
      SECRET_KEY: "short",
      ADMIN_EMAIL: "root@example.com",
      SIGNUP: "maybe",
      ACCESS_TOKEN_TTL: "900",
      RATE_LIMIT: "-1",
      LOG_LEVEL: "loud",
      TRUST_PROXY: "yes",
    });
    expect(faults.map((fault) => fault.slice(0, fault.indexOf(":"))).sort()).toEqual(
      [
        "ACCESS_TOKEN_TTL",
        "ADMIN_PASSWORD",
        "APP_URL",
        "DATABASE_URL",
        "LOG_LEVEL",
        "PORT",
        "RATE_LIMIT",
        "SECRET_KEY",
        "SIGNUP",
        "TRUST_PROXY",
      ].sort(),
    );
  });

  it("limits how many accounts a member may own to what a statement can hold", () => {
    expect(faultsOf({ ACCOUNTS_PER_OWNER: "10000" })).toEqual([]);
    expect(faultsOf({ ACCOUNTS_PER_OWNER: "10001" })).toEqual([
      "ACCOUNTS_PER_OWNER: must be a whole number from 1 to 10000",
    ]);
  });

  it("never repeats the value of a secret", () => {
    const text = faultsOf({ SECRET_KEY: "opensesame", ADMIN_PASSWORD: "opense" }).join("\n");
    expect(text).toContain("SECRET_KEY");
    expect(text).not.toContain("opense");
  });

  it("refuses a query in the path of a SQLite file", () => {
    expect(faultsOf({ DATABASE_URL: "file:./data/quittance.db?mode=rwc" }).join()).toContain("DATABASE_URL");
  });

  it("requires a key with PostgreSQL", () => {
    expect(faultsOf({ DATABASE_URL: "postgres://u:p@db/q" }).join()).toContain("SECRET_KEY");
    expect(faultsOf({ DATABASE_URL: "postgres://u:p@db/q", SECRET_KEY: key })).toEqual([]);
  });

  it.each(["0", "1.5", "5w", "-5m", "99999d"])("refuses the duration %s", (text) => {
    expect(faultsOf({ ACCESS_TOKEN_TTL: text })).toHaveLength(1);
  });

  it.each(["21", "10.0.0.0/33", "10.0.0", "::1/129", "10.0.0.1,"])("refuses the proxies %s", (text) => {
    expect(faultsOf({ TRUST_PROXY: text })).toHaveLength(1);
  });
});
