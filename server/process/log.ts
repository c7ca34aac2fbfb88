// The structured log: one JSON object a line on stdout, with secrets taken out before anything is written.
import pino, { type Logger, type LoggerOptions } from "pino";
import { forgetValues } from "@/db/errors";
import type { Env } from "./env";

/** Names whose values never reach the log. */
const SECRET_NAMES = [
  ...["authorization", "proxy-authorization", "cookie", "set-cookie", "idempotency-key"],
  ...["password", "new_password", "secret", "secret_key", "api_key", "otp"],
  ...["token", "access_token", "refresh_token", "form_token", "invite_token"],
  ...["card_number", "security_code", "cvc", "expiry"],
];
const plainName = (name: string) => name.toLowerCase().replace(/[-_]/g, "");
const SECRET_PLAIN_NAMES = new Set(SECRET_NAMES.map(plainName));

/** Our tokens (SECURITY.md states the format) and pay links, whose holder needs nothing else to open a page. */
const SECRET_TEXT = [
  { pattern: /\b(qt[a-z]{2})_[0-9A-Za-z]{49}\b/g, replacement: "$1_[redacted]" },
  { pattern: /(\/pay\/)[^/?#\s"'\\]+/g, replacement: "$1[redacted]" },
  { pattern: /(\bpostgres(?:ql)?:\/\/[^:@/\s"]*:)[^@\s"]+@/g, replacement: "$1[redacted]@" },
];

const DEEPEST = 6;

/** `text` without tokens, pay links and database passwords. */
export function redactText(text: string): string {
  let clean = text;
  for (const { pattern, replacement } of SECRET_TEXT) clean = clean.replace(pattern, replacement);
  return clean;
}

/** A copy of `value` that is safe to log: secrets gone by name and by shape, errors as name, message, code and stack. */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return redactText(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= DEEPEST) return "[too deep]";
  if (value instanceof Error) return redactError(value, depth);
  if (value instanceof Date) return value;
  if (value instanceof Uint8Array) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
  const clean: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(value)) {
    const isSecret = SECRET_PLAIN_NAMES.has(plainName(name));
    clean[name] = isSecret && item !== null && item !== undefined ? "[redacted]" : redact(item, depth + 1);
  }
  return clean;
}

/** Driver errors carry query parameters in further properties: only the named ones are kept. */
function redactError(error: Error, depth: number): Record<string, unknown> {
  forgetValues(error);
  const code: unknown = "code" in error ? error.code : undefined;
  return {
    name: error.name,
    message: redactText(error.message),
    ...(typeof code === "string" ? { code } : {}),
    ...(error.stack === undefined ? {} : { stack: redactText(error.stack) }),
    ...(error.cause === undefined ? {} : { cause: redact(error.cause, depth + 1) }),
  };
}

/** A logger that redacts; `destination` is for tests. Text stays on its line: JSON escapes CR and LF. */
export function createLogger(env: Pick<Env, "logLevel">, destination?: { write(line: string): void }): Logger {
  const options: LoggerOptions = {
    level: env.logLevel,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: {
      level: (label) => ({ level: label }),
      log: (fields) => Object(redact(fields)),
    },
    // The formatter above does not see what a child logger is bound to.
    redact: { paths: SECRET_NAMES.map((name) => `["${name}"]`), censor: "[redacted]" },
    // pino would otherwise serialise `err` before the formatter sees it.
    serializers: { err: (error: unknown) => redact(error) },
    hooks: { streamWrite: redactText },
  };
  return destination ? pino(options, destination) : pino(options);
}

/** Writes what libraries print to the console as lines of the log, so that the log is JSON throughout. */
export function captureConsole(log: Logger): void {
  for (const level of ["error", "warn", "info", "debug"] as const) {
    console[level] = (...values: unknown[]) => {
      const err = values.find((value) => value instanceof Error);
      const text = values.filter((value) => typeof value === "string").join(" ");
      log[level === "info" ? "debug" : level]({ source: "console", ...(err ? { err } : {}) }, text);
    };
  }
}
