// Signed checkpoints: where every chain stood, under the server key, so that a tail cannot be cut off unnoticed.
import { createHmac } from "node:crypto";
import type { Database } from "@/db/client";
import type { Runtime } from "@/server/kit/runtime";
import {
  type ChainHead,
  type CheckpointRow,
  headsOf,
  insertCheckpoint,
  lastCheckpoint,
  newestJournalAt,
  unsignedChains,
} from "@/server/ledger/checkpoint-store";

/** Ledger accounts that are looked at in one query, and signed for in one checkpoint, at most. */
const pageSize = 1000;

/** Longer than any transaction can take between the instant it stamps on its rows and its commit, in milliseconds. */
const longestTransaction = 10 * 60_000;

/** Databases that this process has looked through from end to end at least once. */
const lookedThrough = new WeakSet<Database>();

/**
 * Signs for every ledger account that was posted to since its last checkpoint, and answers how many those were. Cheap
 * when nothing was posted; several processes may call it at once, and one of them does the work.
 */
export async function writeCheckpoint(runtime: Pick<Runtime, "db" | "keys" | "clock" | "log">): Promise<number> {
  const { db } = runtime;
  if (lookedThrough.has(db) && (await isSettled(db))) return 0;
  let signed = 0;
  for (let after: string | null = ""; after !== null; ) {
    const page = await unsignedChains(db.read, after, pageSize);
    if (page.ids.length > 0) signed += await signFor(runtime, page.ids);
    after = page.next;
  }
  lookedThrough.add(db);
  return signed;
}

/** Whether the newest journal is so much older than the last checkpoint that no transaction can have come between. */
async function isSettled(db: Database): Promise<boolean> {
  const newest = await newestJournalAt(db.read);
  if (newest === null) return true;
  const last = await lastCheckpoint(db.read);
  return last !== null && newest < last.createdAt - longestTransaction;
}

/** Writes one checkpoint over these ledger accounts as they stand now; 0 if another process is at it. */
async function signFor(
  { db, keys, clock, log }: Pick<Runtime, "db" | "keys" | "clock" | "log">,
  ledgerAccountIds: readonly string[],
): Promise<number> {
  const createdAt = clock.now();
  const checkpoint = await db.write(async (tx) => {
    if (!(await db.tryLockName(tx, "ledger checkpoint"))) return null;
    const heads = await headsOf(tx, ledgerAccountIds);
    const previous = await lastCheckpoint(tx);
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
  // A copy outside the database: whoever cuts off checkpoints too is found out by the log.
  log.info({ number: checkpoint.number, signature: checkpoint.signature }, "ledger checkpoint");
  return checkpoint.headCount;
}

/** HMAC-SHA256 over the checkpoint, the signature before it and its heads, one value a line. */
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
