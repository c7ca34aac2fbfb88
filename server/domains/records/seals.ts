// Seals sign the audit entries that no seal covers yet, so that tampering with the audit log is detected.
import { createHash, createHmac } from "node:crypto";
import type { Database, Reader } from "@/db/client";
import { idFloor, instantOf } from "@/server/kit/ids";
import { dayMs, hourMs, limits, minuteMs } from "@/server/kit/limits";
import type { Runtime } from "@/server/process/runtime";
import { expectToKnow } from "@/server/process/server-key";
import {
  insertSeal,
  lastSeal,
  lastSealedEntry,
  oldestWaiting,
  type SealedEntry,
  type SealRow,
  type UnsealedEntry,
  unsealedEntries,
  unsealedPage,
} from "./seal-store";

type Signer = Pick<Runtime, "db" | "keys" | "clock" | "log">;

/** Entries that commit within this time after their id was created are found in the next run. */
const longestTransactionMs = 5 * minuteMs;

/**
 * How far the search that runs at startup and every hour goes back from the entries that were sealed last. An entry
 * that appears further back was not written by the product: it is never sealed, and the proof reports it.
 */
const reachMs = dayMs;

/** When this process last sealed, and when it last searched as far back as {@link reachMs}; epoch milliseconds. */
const lastRuns = new WeakMap<Database, { at: number; farAt: number }>();

/**
 * Seals every audit entry that no seal covers yet, and returns their number. Several processes may call it at once.
 * The very first call seals all entries, oldest first. If it is interrupted, the next one continues.
 */
export async function writeSeals(runtime: Signer, stopping?: AbortSignal): Promise<number> {
  const run: Run = { sealed: 0, newest: null };
  try {
    await sealAll(runtime, run, stopping);
  } finally {
    // A copy outside the database, for the proof's --expect-seal: with it, missing seals are detected. The last seal of
    // a run is enough, because each signs the previous one.
    if (run.newest !== null) runtime.log.info({ seal: run.newest }, "audit seal");
  }
  return run.sealed;
}

/** Throws with a readable reason if the latest seal was signed with a key that this process does not have. */
export async function expectSealKey({ db, keys }: Pick<Signer, "db" | "keys">): Promise<void> {
  const last = await lastSeal(db.read);
  if (last) expectToKnow(keys, last.keyId);
}

interface Run {
  /** How many entries it has sealed. */
  sealed: number;
  /** Number and signature of the last seal that it wrote. */
  newest: string | null;
}

async function sealAll(runtime: Signer, run: Run, stopping?: AbortSignal): Promise<void> {
  const { db, clock } = runtime;
  const now = clock.now();
  const last = lastRuns.get(db);
  const isLastRun = stopping?.aborted === true;
  // Entries before those that were sealed last would be out of reach if newer ones were sealed first.
  if (!last && isLastRun) return;
  const isFar = !last || now < last.at || now - last.farAt >= hourMs;
  if (!last) await anchorKey(runtime, run);
  let after: string | null = isFar ? await farthest(runtime, now) : idFloor("aud", last.at - longestTransactionMs);
  while (after !== null) {
    const page = await unsealedPage(db.read, after, limits.batch.seal);
    const count = page.ids.length > 0 ? await seal(runtime, run, page.ids) : 0;
    // The other process may die before it has sealed this page, so later ones must wait.
    if (count === null) return;
    run.sealed += count;
    after = page.next;
    if (after !== null && stopping?.aborted && !isLastRun) return;
    await othersTurn();
  }
  lastRuns.set(db, { at: now, farAt: isFar ? now : last.farAt });
}

/**
 * When the oldest entry without a seal was created, in epoch milliseconds; null if there is none. For monitoring: reads
 * only entries that are not older than the one sealed last.
 */
export async function unsealedSince(q: Reader): Promise<number | null> {
  const last = await lastSealedEntry(q);
  const id = await oldestWaiting(q, last ? idFloor("aud", instantOf(last.entryId)) : "");
  return id === null ? null : instantOf(id);
}

/** SQLite runs on this thread, so other work gets a turn between two pages. */
const othersTurn = () => new Promise((resume) => setImmediate(resume));

/** An id before every entry that can still be sealed. The clock may have been ahead when the last one was sealed. */
async function farthest({ db }: Signer, now: number): Promise<string> {
  const last = await lastSealedEntry(db.read);
  return last ? idFloor("aud", Math.min(now, last.sealedAt, instantOf(last.entryId)) - reachMs) : "";
}

/** Adds a seal if another key signed the latest one, so that the other key can be retired even without new entries. */
async function anchorKey(runtime: Signer, run: Run): Promise<void> {
  const last = await lastSeal(runtime.db.read);
  if (last && last.keyId !== runtime.keys.current.id) await seal(runtime, run, []);
}

/** Writes one seal over those of the entries that have none. Returns null if another process is sealing. */
async function seal({ db, keys, clock }: Signer, run: Run, ids: readonly string[]): Promise<number | null> {
  const createdAt = clock.now();
  const written = await db.write(async (tx) => {
    if (!(await db.tryLockName(tx, "audit seal"))) return "busy";
    const rows = ids.length === 0 ? [] : await unsealedEntries(tx, ids);
    if (ids.length > 0 && rows.length === 0) return "done";
    const entries = rows.map((row) => ({ entryId: row.id, hash: entryHash(row) }));
    const previous = await lastSeal(tx);
    if (previous) expectToKnow(keys, previous.keyId);
    const number = (previous?.number ?? 0) + 1;
    const unsigned = { number, createdAt, entryCount: entries.length, keyId: keys.current.id };
    const signature = sign(keys.current.key, unsigned, previous, entries);
    await insertSeal(tx, { ...unsigned, signature }, entries);
    return { ...unsigned, signature };
  });
  if (written === "busy") return null;
  if (written === "done") return 0;
  run.newest = `${written.number}:${written.signature}`;
  return written.entryCount;
}

/** SHA-256 over all columns. Personal values that changed are in `detail` as salted hashes, so they can be erased. */
function entryHash({ id, organizationId, operation, actorType, actorId, targetId, ...rest }: UnsealedEntry): string {
  const { detail, requestId, ip, userAgent, createdAt } = rest;
  const who = [id, organizationId, operation, actorType, actorId, targetId];
  return createHash("sha256")
    .update(JSON.stringify(["audit entry 1", ...who, detail, requestId, ip, userAgent, createdAt]))
    .digest("hex");
}

/** HMAC-SHA256 over the seal, the previous signature and its entries, one value per line. */
function sign(
  key: Buffer,
  seal: Omit<SealRow, "signature">,
  previous: SealRow | null,
  entries: readonly SealedEntry[],
): string {
  const { number, createdAt, entryCount, keyId } = seal;
  const mac = createHmac("sha256", key);
  mac.update(["audit seal 1", number, createdAt, entryCount, keyId, previous?.signature ?? "-"].join("\n"));
  for (const { entryId, hash } of entries) mac.update(`\n${entryId} ${hash}`);
  return mac.digest("hex");
}
