// Proof that the database takes writes, for readiness: a real row, committed as any other, at a bounded rate.
import type { Engine } from "./client";
import { raiseCount } from "./throttles";

/** A proof counts for this long, in milliseconds, so that probes cost at most one small write in that time. */
const freshMs = 1_000;
const windowMs = 60_000;

/**
 * A function that resolves if a write was committed within the last second, and otherwise writes one. Calls that come
 * meanwhile share its outcome.
 */
export function writeProof(engine: Pick<Engine, "write">): () => Promise<void> {
  let provenAt = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | undefined;
  const prove = async () => {
    // A counter like any other: how often readiness was proven in this minute.
    const now = Date.now();
    await engine.write((tx) => raiseCount(tx, "readiness", now, now + windowMs));
    provenAt = performance.now();
  };
  return async () => {
    if (performance.now() - provenAt < freshMs) return;
    running ??= prove().finally(() => {
      running = undefined;
    });
    await running;
  };
}
