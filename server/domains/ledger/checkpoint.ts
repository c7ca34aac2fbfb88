// Signed checkpoints of the head of every chain, so that removing the latest postings is noticed.
import { createHmac } from "node:crypto";
import type { Database } from "@/db/client";
import { idFloor } from "@/server/kit/ids";
import { hourMs, limits, minuteMs } from "@/server/kit/limits";
import type { Runtime } from "@/server/process/runtime";
import { expectToKnow } from "@/server/process/server-key";
import {
  type ChainHead,
  type CheckpointRow,
  headsOf,
  insertCheckpoint,
  lastCheckpoint,
  touchedPage,
  unsignedOf,
  unsignedPage,
} from "./checkpoint-store";

type Signer = Pick<Runtime, "db" | "keys" | "clock" | "log">;

/** Most rows read in one query, and most chains signed in one checkpoint. */
const pageSize = limits.batch.checkpoint;

/** A posting is found at once if it commits within this time of the instant in its journal's id. */
const longestTransactionMs = 5 * minuteMs;

/** Every chain is checked this often, so that no posting stays unsigned that a slow commit or a wrong clock hid. */
const checkAllEveryMs = hourMs;

/** When this process last checked the latest journals, and when all chains; epoch milliseconds. */
const lastChecks = new WeakMap<Database, { at: number; allAt: number }>();

/**
 * Signs every ledger account with postings since its last checkpoint, and returns their number. Checks the chains that
 * the latest journals touched; at startup, every hour, and after the clock was set back, it checks every chain. Several
 * processes may call it at once; one of them does the work.
 */
export async function writeCheckpoint(runtime: Signer): Promise<number> {
  const { db, clock } = runtime;
  const now = clock.now();
  const last = lastChecks.get(db);
  const checksAll = !last || now < last.at || now - last.allAt >= checkAllEveryMs;
  if (!last) await anchorKey(runtime);
  const signed = checksAll ? await signAll(runtime) : await signTouched(runtime, last.at - longestTransactionMs);
  lastChecks.set(db, { at: now, allAt: checksAll ? now : last.allAt });
  return signed;
}

/** Throws with a readable reason if the latest checkpoint was signed with a key that this process does not have. */
export async function expectCheckpointKey({ db, keys }: Pick<Signer, "db" | "keys">): Promise<void> {
  const last = await lastCheckpoint(db.read);
  if (last) expectToKnow(keys, last.keyId);
}

async function signAll(runtime: Signer): Promise<number> {
  let signed = 0;
  for (let after: string | null = ""; after !== null; ) {
    const page = await unsignedPage(runtime.db.read, after, pageSize);
    signed += await signFor(runtime, page.ids);
    after = page.next;
    await othersTurn();
  }
  return signed;
}

/** Signs the chains that were touched by journals whose ids are not older than `since` (epoch milliseconds). */
async function signTouched(runtime: Signer, since: number): Promise<number> {
  const touched = new Set<string>();
  for (let after: string | null = idFloor("jrn", since); after !== null; ) {
    const page = await touchedPage(runtime.db.read, after, pageSize);
    for (const id of page.ids) touched.add(id);
    after = page.next;
    await othersTurn();
  }
  const ids = [...touched];
  let signed = 0;
  for (let from = 0; from < ids.length; from += pageSize) {
    const unsigned = await unsignedOf(runtime.db.read, ids.slice(from, from + pageSize));
    signed += await signFor(runtime, unsigned);
    await othersTurn();
  }
  return signed;
}

/** SQLite runs on this thread, so other work gets a turn between two pages. */
const othersTurn = () => new Promise((resume) => setImmediate(resume));

/**
 * Adds a checkpoint if another key signed the latest one, so that the other key can be retired even without new
 * postings.
 */
async function anchorKey(runtime: Signer): Promise<void> {
  const last = await lastCheckpoint(runtime.db.read);
  if (last && last.keyId !== runtime.keys.current.id) await sealHeads(runtime, []);
}

const signFor = async (runtime: Signer, ids: readonly string[]): Promise<number> =>
  ids.length === 0 ? 0 : sealHeads(runtime, ids);

/** Writes one checkpoint over the current heads of these ledger accounts. Returns 0 if another process is doing it. */
async function sealHeads({ db, keys, clock, log }: Signer, ledgerAccountIds: readonly string[]): Promise<number> {
  const createdAt = clock.now();
  const checkpoint = await db.write(async (tx) => {
    if (!(await db.tryLockName(tx, "ledger checkpoint"))) return null;
    const heads = await headsOf(tx, ledgerAccountIds);
    const previous = await lastCheckpoint(tx);
    if (previous) expectToKnow(keys, previous.keyId);
    const unsigned = {
      number: (previous?.number ?? 0) + 1,
      createdAt,
      headCount: heads.length,
      keyId: keys.current.id,
    };
    const signature = sign(keys.current.key, unsigned, previous, heads);
    await insertCheckpoint(tx, { ...unsigned, signature }, heads);
    return { ...unsigned, signature };
  });
  if (!checkpoint) return 0;
  // A copy outside the database, for the proof's --expect: with it, missing checkpoints are detected.
  log.info({ checkpoint: `${checkpoint.number}:${checkpoint.signature}` }, "ledger checkpoint");
  return checkpoint.headCount;
}

/** HMAC-SHA256 over the checkpoint, the previous signature and its heads, one value per line. */
function sign(
  key: Buffer,
  checkpoint: Omit<CheckpointRow, "signature">,
  previous: CheckpointRow | null,
  heads: readonly ChainHead[],
): string {
  const { number, createdAt, headCount, keyId } = checkpoint;
  const mac = createHmac("sha256", key);
  mac.update(["ledger checkpoint 1", number, createdAt, headCount, keyId, previous?.signature ?? "-"].join("\n"));
  for (const head of heads) mac.update(`\n${head.ledgerAccountId} ${head.sequence} ${head.hash}`);
  return mac.digest("hex");
}
