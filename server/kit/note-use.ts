// Records that a credential is in use, outside the request and at most once a minute, so that no call costs a write.
import type { Tx } from "@/db/client";
import type { Runtime } from "@/server/process/runtime";

/** The precision of the recorded instant. */
const noteUseEveryMs = 60_000;

/** Credentials whose use this process is recording now. */
const underWay = new Set<string>();

/**
 * Lets `write` record the use of the session or API key if its last record, `lastAt`, is a minute old. Instants are
 * epoch ms. Never delays or fails the call.
 */
export function noteUse(
  runtime: Runtime,
  { id, lastAt }: { id: string; lastAt: number | null },
  now: number,
  write: (tx: Tx) => Promise<void>,
): void {
  if ((lastAt !== null && now - lastAt < noteUseEveryMs) || underWay.has(id)) return;
  underWay.add(id);
  runtime.db
    .write(write)
    .catch((error: unknown) => runtime.log.warn({ err: error }, "could not record the use of a credential"))
    .finally(() => underWay.delete(id));
}
