// Records that a session is in use, outside the request, at most once a minute. It keeps a dashboard session alive.
import type { Runtime } from "@/server/process/runtime";
import { noteUseEveryMs } from "./rules";
import { noteUse } from "./store";
import type { Caller } from "./token-store";

/** Sessions whose use this process is recording now. */
const underWay = new Set<string>();

/** Records the use if the last record is a minute old. Never delays or fails the call. */
export function noteSessionUse(runtime: Runtime, session: Caller["session"], now: number): void {
  if (now - session.lastSeenAt < noteUseEveryMs || underWay.has(session.id)) return;
  underWay.add(session.id);
  const idleUntil = session.idleUntil === null ? null : now + runtime.env.dashboardSessionIdleMs;
  runtime.db
    .write((tx) => noteUse(tx, session.id, now, idleUntil))
    .catch((error: unknown) => runtime.log.warn({ err: error }, "could not record the use of a session"))
    .finally(() => underWay.delete(session.id));
}
