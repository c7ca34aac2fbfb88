// Passwords: which ones are accepted, and Argon2id in threads of its own with a bound on how much of it runs at once.
import { join } from "node:path";
import type { Algorithm, Options } from "@node-rs/argon2";
import { Piscina } from "piscina";
import * as z from "zod";
import common from "./common-passwords.json";
import { protocolFailure } from "./errors";
import { limits } from "./limits";

/** OWASP's minimum for Argon2id: 19 MiB, two passes, one lane; about 15 ms. */
const cost: Options = {
  // The enum of the package is `const enum`, which single-file compilation cannot read.
  algorithm: 2 satisfies Algorithm.Argon2id,
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
};

/** The hash of 32 random bytes that nobody kept: verified for unknown users, so that they take the same time. */
const nobodysHash = "$argon2id$v=19$m=19456,t=2,p=1$4ohPn7DkRmlb9f+k/9uO+Q$w/8/QwDpqPux1ZXlBeyAzkzI7e6Uj/vAATboa8QW8l8";

const { min, max, bytes } = limits.password;
const characters = (password: string) => [...password].length;

/** A password to be set. It is kept to the letter: neither trimmed nor folded nor cut (ASVS 6.2.8). */
export const newPassword = z
  .string()
  .refine((value) => characters(value) >= min, `must have at least ${min} characters`)
  .refine((value) => characters(value) <= max, `must have at most ${max} characters`)
  .refine((value) => Buffer.byteLength(value) <= bytes, `must have at most ${bytes} bytes`)
  .refine((value) => Buffer.from(value).toString() === value, "must be well-formed Unicode")
  .meta({ minLength: min, maxLength: max, format: "password", example: "correct horse battery staple" });

/** A password to be checked: whatever could be one, so that the answer to a wrong one is always the same. */
export const givenPassword = z
  .string()
  .min(1)
  .refine((value) => Buffer.byteLength(value) <= bytes, `must have at most ${bytes} bytes`)
  .meta({ format: "password", example: "correct horse battery staple" });

const commonPasswords = new Set(common.passwords.split(" "));

/** Whether a password is too easily guessed: on the list of the most common ones, or the user's own e-mail address. */
export function isWeakPassword(password: string, email: string): boolean {
  const folded = password.normalize("NFKC").toLowerCase();
  return commonPasswords.has(folded) || folded === email.normalize("NFKC").toLowerCase();
}

/** The PHC string to store for a password. Refuses with `unavailable` when too many wait already. */
export const hashPassword = (password: string): Promise<string> => run("hash", { password, cost });

/**
 * Whether the password is the one that was hashed. Without a hash (unknown user) the same work is done and the answer
 * is no. Refuses with `unavailable` when too many wait already.
 */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const matches: boolean = await run("verify", { stored: stored ?? nobodysHash, password });
  return matches && stored !== null;
}

async function run<T>(name: "hash" | "verify", task: object): Promise<T> {
  if (pool.queueSize >= mostWaiting) {
    throw protocolFailure("unavailable", "Too many passwords are being checked.", { "Retry-After": "1" });
  }
  return pool.run(task, { name });
}

const mostRunning = 2;
const mostWaiting = 50;

/**
 * Threads of their own, since each hash takes a core for a long time: where they may (Linux), they step back for those
 * that answer requests, which otherwise wait for a turn on the core.
 */
const openPool = () =>
  new Piscina({
    filename: join(process.cwd(), "server/kit/password-worker.cjs"),
    minThreads: 0,
    maxThreads: mostRunning,
    idleTimeout: 60_000,
    niceIncrement: process.platform === "linux" ? 10 : 0,
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1, stackSizeMb: 1 },
  });

const slot = Symbol.for("quittance.passwords");
type Shared = typeof globalThis & { [slot]?: Piscina };

// One pool for the process, also where this module is bundled twice.
const shared = globalThis as Shared;
shared[slot] ??= openPool();
const pool = shared[slot];
