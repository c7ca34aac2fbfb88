// The log leaves out secrets, by field name and by format, and writes each entry on one line.
import { inspect } from "node:util";
import { DrizzleQueryError } from "drizzle-orm/errors";
import { describe, expect, it } from "vitest";
import { captureConsole, createLogger, redact, redactText } from "./log";

const token = `qtat_${"a1B2".repeat(12)}Z`;

/** What a logger wrote, as text and parsed. */
function capture(write: (log: ReturnType<typeof createLogger>) => void) {
  const lines: string[] = [];
  write(createLogger({ logLevel: "debug" }, { write: (line) => void lines.push(line) }));
  return { lines, entry: JSON.parse(lines[0] ?? "{}") };
}

describe("redaction", () => {
  it("redacts values by field name, at any depth and in any spelling", () => {
    const { lines } = capture((log) =>
      log.info({
        headers: { Authorization: "Bearer opensesame", cookie: "a=opensesame", "set-cookie": ["a=opensesame"] },
        body: { password: "opensesame", nested: [{ refresh_token: "opensesame", cardNumber: "opensesame" }] },
      }),
    );
    expect(lines.join("")).not.toContain("opensesame");
    expect(lines.join("")).toContain("[redacted]");
  });

  it("redacts our tokens anywhere, except their kind", () => {
    const { lines, entry } = capture((log) => log.info({ note: `got ${token}.` }, `token ${token} refused`));
    expect(lines.join("")).not.toContain(token);
    expect(entry.note).toBe("got qtat_[redacted].");
    expect(entry.msg).toBe("token qtat_[redacted] refused");
  });

  it("redacts pay links and database passwords", () => {
    expect(redactText("GET /pay/abcDEF123?lang=en")).toBe("GET /pay/[redacted]?lang=en");
    expect(redactText("postgres://app:hunter2@db/quittance")).toBe("postgres://app:[redacted]@db/quittance");
  });

  it("keeps only name, message, code, stack and cause of an error", () => {
    const cause = Object.assign(new Error("duplicate"), { code: "23505", parameters: ["opensesame"] });
    const { lines, entry } = capture((log) => log.error({ err: new Error(`with ${token}`, { cause }) }));
    expect(lines.join("")).not.toContain("opensesame");
    expect(lines.join("")).not.toContain(token);
    expect(entry.err.cause).toMatchObject({ message: "duplicate", code: "23505" });
  });

  it("leaves out the values of a failed query, also in its message and stack", () => {
    const cause = Object.assign(new Error("duplicate key"), { detail: "Key (email)=(ada@example.com) exists." });
    const err = new DrizzleQueryError("insert into users values ($1)", ["ada@example.com\nopensesame"], cause);
    const { lines, entry } = capture((log) => log.error({ err: new Error("outer", { cause: err }) }, "failed"));
    expect(lines.join("")).not.toMatch(/ada@example|opensesame/);
    expect(entry.err.cause.message).toBe("Failed query: insert into users values ($1)");
    expect(inspect(err)).not.toMatch(/ada@example|opensesame/);
  });

  it("redacts the bindings of a child logger", () => {
    const { lines } = capture((log) => log.child({ token: "opensesame", url: `/v1?x=${token}` }).info("hello"));
    expect(lines.join("")).not.toContain("opensesame");
    expect(lines.join("")).not.toContain(token);
  });

  it("leaves other values as they are", () => {
    const value = { amount: 1200, currency: "EUR", ids: ["txn_1"], empty: null, ok: true };
    expect(redact(value)).toEqual(value);
  });

  it("handles circular values", () => {
    const loop: Record<string, unknown> = {};
    loop.self = loop;
    expect(JSON.stringify(redact(loop))).toContain("[too deep]");
  });
});

describe("lines", () => {
  it("writes one line for a text with line breaks, so that none can be forged", () => {
    const { lines, entry } = capture((log) => log.warn({ agent: 'x\r\n{"level":"fatal"}' }, "a\nb"));
    expect(lines).toHaveLength(1);
    expect(lines[0]?.trimEnd()).not.toMatch(/[\r\n]/);
    expect(entry).toMatchObject({ level: "warn", msg: "a\nb" });
  });
});

it("logs console output of libraries, one line each and without secrets", () => {
  const kept = { ...console };
  const { lines } = capture((log) => {
    captureConsole(log);
    const library = console;
    library.error(" ⨯ Error:", new Error(`broke at ${token}`), { card_number: "4242424242424242" });
    library.warn("two\nlines");
    Object.assign(console, kept);
  });
  expect(lines).toHaveLength(2);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ level: "error", source: "console", err: { name: "Error" } });
  expect(lines.join("")).not.toContain(token);
  expect(lines.join("")).not.toContain("4242424242424242");
  expect(JSON.parse(lines[1] ?? "")).toMatchObject({ level: "warn", msg: "two\nlines" });
});
