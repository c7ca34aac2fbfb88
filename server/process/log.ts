// The structured log: one JSON object per line on stdout, with secrets removed before anything is written.
import pino, { type Logger, type LoggerOptions } from "pino";
import { forgetValues } from "@/db/errors";
import { limits } from "@/server/kit/limits";
import type { Env } from "./env";

/** Field names whose values are never logged. */
const secretNames = [
  ...["authorization", "proxy-authorization", "cookie", "set-cookie", "idempotency-key"],
  ...["password", "new_password", "secret", "secret_key", "api_key", "otp", "recovery_codes"],
  ...["token", "access_token", "refresh_token", "form_token", "invite_token"],
  ...["card_number", "security_code", "cvc", "expiry"],
];
const plainName = (name: string) => name.toLowerCase().replace(/[-_]/g, "");
const secretPlainNames = new Set(secretNames.map(plainName));

/** Our tokens (SECURITY.md gives the format), and pay links, which open a page without further credentials. */
const secretText = [
  { pattern: /\b(qt[a-z]{2})_[0-9A-Za-z]{49}\b/g, replacement: "$1_[redacted]" },
  { pattern: /(\/pay\/)[^/?#\s"'\\]+/g, replacement: "$1[redacted]" },
  { pattern: /(\bpostgres(?:ql)?:\/\/[^:@/\s"]*:)[^@\s"]+@/g, replacement: "$1[redacted]@" },
];

/** Removes tokens, pay links and database passwords from a text. */
export function redactText(text: string): string {
  let clean = text;
  for (const { pattern, replacement } of secretText) clean = clean.replace(pattern, replacement);
  return clean;
}

/** A copy that is safe to log: no secrets by name or format, and errors reduced to name, message, code and stack. */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return redactText(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= limits.logDepth) return "[too deep]";
  if (value instanceof Error) return redactError(value, depth);
  if (value instanceof Date) return value;
  if (value instanceof Uint8Array) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
  const clean: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(value)) {
    const isSecret = secretPlainNames.has(plainName(name));
    clean[name] = isSecret && item !== null && item !== undefined ? "[redacted]" : redact(item, depth + 1);
  }
  return clean;
}

/** Driver errors carry query parameters in other properties, so only known ones are kept. */
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

/** Creates a logger that redacts. `destination` is for tests. JSON escapes CR and LF, so entries stay on one line. */
export function createLogger(env: Pick<Env, "logLevel">, destination?: { write(line: string): void }): Logger {
  const options: LoggerOptions = {
    level: env.logLevel,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: {
      level: (label) => ({ level: label }),
      log: (fields) => Object(redact(fields)),
    },
    // The formatter above does not see the bindings of a child logger.
    redact: { paths: secretNames.map((name) => `["${name}"]`), censor: "[redacted]" },
    // Otherwise pino would serialize `err` before the formatter sees it.
    serializers: { err: (error: unknown) => redact(error) },
    hooks: { streamWrite: redactText },
  };
  return destination ? pino(options, destination) : pino(options);
}

/** Turns console output of libraries into log lines, so that the whole log is JSON. */
export function captureConsole(log: Logger): void {
  for (const level of ["error", "warn", "info", "debug"] as const) {
    console[level] = (...values: unknown[]) => {
      const err = values.find((value) => value instanceof Error);
      const text = values.filter((value) => typeof value === "string").join(" ");
      log[level === "info" ? "debug" : level]({ source: "console", ...(err ? { err } : {}) }, text);
    };
  }
}
