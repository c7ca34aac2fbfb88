// Proof that the database takes writes, for readiness: any commit of this process, or else a small one made for it.
import { randomUUID } from "node:crypto";
import type { Database, Engine } from "./client";
import { DatabaseUnavailable } from "./errors";
import { raiseCount } from "./throttles";

/** How long a commit counts, in milliseconds. */
export const freshMs = 3_000;
const windowMs = 60_000;

/**
 * The database with `ping`, which resolves if a write was committed within the last {@link freshMs}, and otherwise writes
 * a row. Calls that come meanwhile share its outcome. After a write that was refused as unavailable, only such a row is
 * proof: a transaction that changes nothing may commit on a full disk.
 */
export function withProof(engine: Engine): Database {
  // One row per process, since a process that hangs may keep its row locked.
  const bucket = `readiness ${randomUUID()}`;
  let provenAt = Number.NEGATIVE_INFINITY;
  let isInDoubt = false;
  let running: Promise<void> | undefined;

  async function prove(): Promise<void> {
    const now = Date.now();
    // A counter like any other: how often readiness was proven in this minute.
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
