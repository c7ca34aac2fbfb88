// Removes records that are past their retention: Idempotency-Keys, old sessions and old devices.
import { removeExpiredKeys } from "./idempotency/keys";
import type { Runtime } from "./kit/runtime";
import { removeOldDevices } from "./sessions/devices";
import { removeOldSessions } from "./sessions/retention";

/** Rows in one transaction, so that nobody waits long for the writer. */
const batchSize = 500;

/**
 * Removes expired Idempotency-Keys, sessions that ended long ago and devices not seen for long, batch by batch, until
 * `stopping` fires. Safe to run in several processes at once.
 */
export async function removeOutdated(runtime: Runtime, stopping?: AbortSignal): Promise<void> {
  for (const remove of [removeExpiredKeys, removeOldSessions, removeOldDevices]) {
    while (!stopping?.aborted && (await remove(runtime, batchSize)) === batchSize);
  }
}
