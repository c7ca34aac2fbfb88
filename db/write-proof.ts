// Proof that the database takes writes, for readiness checks: a recent commit, or else a small write.
import { randomUUID } from "node:crypto";
import type { Database, Engine } from "./client";
import { DatabaseUnavailable } from "./errors";
import { raiseCount } from "./throttles";

/** How long a commit counts as proof, in milliseconds. */
export const freshMs = 3_000;
const windowMs = 60_000;

/**
 * Adds `ping`, which resolves if a write was committed within the last {@link freshMs} and otherwise writes a row.
 * Concurrent pings share that write. After an unavailable write only a new row is proof: a transaction that changes
 * nothing can commit even on a full disk.
 */
export function withProof(engine: Engine): Database {
  // One row per process, because a process that hangs may keep its row locked.
  const bucket = `readiness ${randomUUID()}`;
  let provenAt = Number.NEGATIVE_INFINITY;
  let isInDoubt = false;
  let running: Promise<void> | undefined;

  async function prove(): Promise<void> {
    const now = Date.now();
    // An ordinary counter: how often readiness was proven in this minute.
    await engine.writeBeside((tx) => raiseCount(tx, bucket, now, now + windowMs));
    provenAt = performance.now();
    isInDoubt = false;
  }

  return {
    ...engine,
    async write(work) {
      try {
        const value = await engine.write(work);
        provenAt = performance.now();
        return value;
      } catch (error) {
        if (error instanceof DatabaseUnavailable) isInDoubt = true;
        throw error;
      }
    },
    async ping() {
      if (!isInDoubt && performance.now() - provenAt < freshMs) return;
      running ??= prove().finally(() => {
        running = undefined;
      });
      await running;
    },
  };
}
