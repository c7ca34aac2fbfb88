// The server key: from SECRET_KEY, or generated once on disk for an installation on one machine.
import { createHash, randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from "node:fs";
import path from "node:path";
import type { Env } from "./env";

const keyBytes = 32;

/** A key. Its id (8 hex digits of a SHA-256 hash) is stored beside what it signed and reveals nothing about it. */
type ServerKey = { id: string; key: Buffer };

export type ServerKeys = {
  /** The key that signs. */
  current: ServerKey;
  /** All keys that may read, the current one first. */
  all: ServerKey[];
  /** Keys that only verify what they signed. They read nothing else. */
  retired?: ServerKey[];
  /** Ids of keys that are lost. What they signed cannot be verified. */
  lost?: readonly string[];
};

type KeyEnv = Pick<Env, "secretKeys" | "databaseUrl" | "dataDir"> & Partial<Pick<Env, "retiredKeys" | "lostKeys">>;

/**
 * The keys of this installation. On SQLite, generates `DATA_DIR/secret.key` if needed. Throws with a readable reason.
 */
export function loadServerKeys(env: KeyEnv): ServerKeys {
  const all = (env.secretKeys ?? [keyOnDisk(env)]).map(withId);
  const [current] = all;
  if (current === undefined) throw new Error("SECRET_KEY: must hold at least one key");
  return { current, all, retired: (env.retiredKeys ?? []).map(withId), lost: env.lostKeys ?? [] };
}

/** Like {@link loadServerKeys}, but never makes a key: a new one could not read what an existing database contains. */
export function existingServerKeys(env: KeyEnv): ServerKeys {
  const file = path.join(env.dataDir, "secret.key");
  if (env.secretKeys !== null || existsSync(file)) return loadServerKeys(env);
  throw new Error(`SECRET_KEY: is not set, and ${file} does not exist. Provide the database's own key.`);
}

/**
 * Throws unless the key that signed last is one of ours. A key that does not know it is not this database's, or is
 * already replaced, and what it signs could never be proved.
 */
export function expectToKnow({ all, retired = [], lost = [] }: ServerKeys, lastSigner: string): void {
  if ([...all, ...retired].some(({ id }) => id === lastSigner) || lost.includes(lastSigner)) return;
  throw new Error(
    `SECRET_KEY: the database was last signed with the key ${lastSigner}, which is neither here nor in ` +
      "SECRET_KEY_RETIRED. Provide the database's own key: SECRET_KEY, or on SQLite the secret.key in its DATA_DIR. " +
      "If that key is lost for good, docs/operating.md says what to do.",
  );
}

const withId = (key: Buffer): ServerKey => ({ id: keyId(key), key });

function keyId(key: Buffer): string {
  return createHash("sha256").update("quittance server key").update(key).digest("hex").slice(0, 8);
}

/** Whether the key is a file in the database's folder, so that copying one folder reveals both. */
export const isBesideData = ({
  secretKeys,
  databaseUrl,
  dataDir,
}: Pick<Env, "secretKeys" | "databaseUrl" | "dataDir">) =>
  secretKeys === null && path.resolve(dataDir) === path.dirname(path.resolve(databaseUrl.replace(/^file:/, "")));

function keyOnDisk({ databaseUrl, dataDir }: Pick<Env, "databaseUrl" | "dataDir">): Buffer {
  // Machines that share a database must share the key: with different keys they could not read each other's tokens.
  if (/^postgres/.test(databaseUrl)) throw new Error("SECRET_KEY: must be set with PostgreSQL");
  const file = path.join(dataDir, "secret.key");
  const existing = readKey(file);
  if (existing) return existing;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  writeOnce(file, randomBytes(keyBytes));
  const written = readKey(file);
  if (!written) throw new Error(`${file}: could not be written`);
  return written;
}

function readKey(file: string): Buffer | null {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw new Error(`${file}: cannot be read`, { cause: error });
  }
  const key = Buffer.from(text.trim(), "base64");
  if (key.length !== keyBytes) {
    throw new Error(`${file}: is not a key of ${keyBytes} bytes in base64; restore it from a backup`);
  }
  chmodSync(file, 0o600);
  return key;
}

/** Writes the whole file or nothing, and never over an existing one: if two processes race, the first wins. */
function writeOnce(file: string, key: Buffer): void {
  const draft = `${file}.${process.pid}.new`;
  const handle = openSync(draft, "wx", 0o600);
  try {
    writeSync(handle, `${key.toString("base64")}\n`);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  try {
    linkSync(draft, file);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}
