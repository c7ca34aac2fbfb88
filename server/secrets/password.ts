// Passwords: which are valid, and Argon2id in separate threads with bounded concurrency.
import { join } from "node:path";
import type { Algorithm, Options } from "@node-rs/argon2";
import { Piscina } from "piscina";
import * as z from "zod";
import type { Places } from "@/server/fairness/places";
import { protocolFailure } from "@/server/kit/errors";
import { limits } from "@/server/kit/limits";

/** OWASP's minimum for Argon2id: 19 MiB, two passes, one lane; about 15 ms. */
const cost: Options = {
  // The package exports a `const enum`, which single-file compilation cannot read.
  algorithm: 2 satisfies Algorithm.Argon2id,
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
};

/**
 * The hash of 32 random bytes that were thrown away. Verified for unknown users, so that they take the same time.
 * Generate a new one when `cost` changes.
 */
export const decoyHash =
  "$argon2id$v=19$m=19456,t=2,p=1$4ohPn7DkRmlb9f+k/9uO+Q$w/8/QwDpqPux1ZXlBeyAzkzI7e6Uj/vAATboa8QW8l8";

const { min, max, bytes } = limits.password;
const characters = (password: string) => [...password].length;

/**
 * The form in which passwords are hashed and compared: that of OpaqueString (RFC 8265, 4.2.2). Keyboards write one
 * letter with an accent as one character or as two, and a space in several ways.
 */
const plainPassword = (password: string): string => password.replaceAll(/\p{Zs}/gu, " ").normalize("NFC");

/** A password to set. Apart from its form it is stored as given: not trimmed, folded or truncated (ASVS 6.2.8). */
export const newPassword = z
  .string()
  .transform(plainPassword)
  .refine((value) => characters(value) >= min, `must have at least ${min} characters`)
  .refine((value) => characters(value) <= max, `must have at most ${max} characters`)
  .refine((value) => Buffer.byteLength(value) <= bytes, `must have at most ${bytes} bytes`)
  .refine((value) => Buffer.from(value).toString() === value, "must be well-formed Unicode")
  .meta({ minLength: min, maxLength: max, format: "password", example: "correct horse battery staple" });

/** A password to check. Accepts anything that could be one, so that every wrong password gets the same answer. */
export const givenPassword = z
  .string()
  .min(1)
  .transform(plainPassword)
  .refine((value) => Buffer.byteLength(value) <= bytes, `must have at most ${bytes} bytes`)
  .meta({ format: "password", example: "correct horse battery staple" });

/** Whose password it is, because each caller may queue only a few at a time; null for the operator. */
export type Place = { places: Places; caller: string } | null;

/**
 * Hashes a password and returns the PHC string to store. Refuses with `unavailable` if too many are queued, and with
 * `rate_limited` if too many of those are from the same address block.
 */
export const hashPassword = (password: string, place: Place): Promise<string> =>
  run("hash", { password: plainPassword(password), cost }, place);

/**
 * Whether the password matches the hash. Without a hash (unknown user) it does the same work and returns false. Refuses
 * as {@link hashPassword} does.
 */
export async function verifyPassword(stored: string | null, password: string, place: Place): Promise<boolean> {
  const matches: boolean = await run(
    "verify",
    { stored: stored ?? decoyHash, password: plainPassword(password) },
    place,
  );
  return matches && stored !== null;
}

const parameters = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$`;

/** Whether a stored hash was made with outdated parameters. */
export const isOutdated = (stored: string): boolean => !stored.startsWith(parameters);

async function run<T>(name: "hash" | "verify", task: object, place: Place): Promise<T> {
  if (place === null) return queue(name, task);
  const release = place.places.take(place.caller);
  if (!release) {
    const text = "Too many passwords from this address are being checked.";
    throw protocolFailure("rate_limited", text, { "Retry-After": "1" });
  }
  try {
    return await queue(name, task);
  } finally {
    release();
  }
}

async function queue<T>(name: "hash" | "verify", task: object): Promise<T> {
  if (pool.queueSize >= limits.passwordsAtOnce.waiting) {
    throw protocolFailure("unavailable", "Too many passwords are being checked.", { "Retry-After": "1" });
  }
  return pool.run(task, { name });
}

/**
 * Separate threads, because each hash occupies a core for a long time. On Linux they lower their priority, so that
 * threads that answer requests get the core first.
 */
const openPool = () =>
  new Piscina({
    filename: join(process.cwd(), "server/secrets/password-worker.cjs"),
    minThreads: 0,
    maxThreads: limits.passwordsAtOnce.running,
    idleTimeout: 60_000,
    niceIncrement: process.platform === "linux" ? 10 : 0,
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1, stackSizeMb: 1 },
  });

const slot = Symbol.for("quittance.passwords");
type Shared = typeof globalThis & { [slot]?: Piscina };

// One pool per process, even where this module is bundled twice.
const shared = globalThis as Shared;
shared[slot] ??= openPool();
const pool = shared[slot];
