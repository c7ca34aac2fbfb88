// Writes without a caller: transaction, audit entry and events as for a caller's write, but in the system's name.
import type { Actor, CallRequest, WriteContext } from "@/server/kit/context";
import { newId } from "@/server/kit/ids";
import { realNow } from "@/server/process/clock";
import type { Runtime } from "@/server/process/runtime";
import { Records } from "./records";

const nobody: Actor = { type: "anonymous" };

/** Runs `work` in one transaction for the named task, and announces what it changed after the commit. */
export async function inBackground<T>(
  runtime: Runtime,
  task: string,
  work: (ctx: WriteContext) => Promise<T>,
): Promise<T> {
  const { clock } = runtime;
  const at = realNow(clock);
  const request = requestOf(at);
  const isAdmitted = runtime.refusals.admission(request.ip, at);
  let changed: string[] = [];
  const result = await runtime.db.write(async (db) => {
    const records = new Records({ runtime, operation: task, actor: nobody, request, now: at, isAdmitted });
    const now = clock.nowIn ? await clock.nowIn(db) : clock.now();
    const value = await work({
      runtime,
      request,
      actor: nobody,
      ...{ now, realNow: at, db },
      id: (prefix) => newId(prefix, at),
      scope: { organizationId: "", ownerUserId: null, accountId: null },
      audit: (record) => records.audit({ actor: { type: "system", id: null }, ...record }),
      emit: (event) => records.emit({ at: now, ...event }),
    });
    changed = records.changedObjects;
    if (records.hasAudit || changed.length > 0) await records.write(db);
    return value;
  });
  for (const object of changed) runtime.changes.announce(object);
  return result;
}

const requestOf = (now: number): CallRequest => ({
  requestId: newId("req", now),
  bearer: null,
  cookie: null,
  device: null,
  ip: null,
  userAgent: null,
  idempotencyKey: null,
  ifMatch: null,
  ifNoneMatch: null,
  receivedAt: now,
  signal: new AbortController().signal,
  answerHeaders: {},
  setCookie: () => undefined,
});
