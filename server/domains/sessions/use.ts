// Notes that a session is in use, beside the request and at most once a minute; a dashboard session stays alive by it.
import type { Runtime } from "@/server/process/runtime";
import { noteUseEveryMs } from "./rules";
import { noteUse } from "./store";
import type { Caller } from "./token-store";

/** Sessions whose note is being written by this process. */
const underWay = new Set<string>();

/** Writes the note if the last one is a minute old. Never delays or fails the call. */
export function inUse(runtime: Runtime, session: Caller["session"], now: number): void {
  if (now - session.lastSeenAt < noteUseEveryMs || underWay.has(session.id)) return;
  underWay.add(session.id);
  const idleUntil = session.idleUntil === null ? null : now + runtime.env.dashboardSessionIdleMs;
  runtime.db
    .write((tx) => noteUse(tx, session.id, now, idleUntil))
    .catch((error: unknown) => runtime.log.warn({ err: error }, "the use of a session could not be noted"))
    .finally(() => underWay.delete(session.id));
}
