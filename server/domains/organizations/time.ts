// The time of an organization: the real time and, in the sandbox, the offset of its clock.
// docs/decisions/sandbox-clock.md says what follows it and what does not.
import type { Reader, Tx } from "@/db/client";
import type { ReadContext, WriteContext } from "@/server/kit/context";
import type { Clock } from "@/server/process/clock";
import type { Runtime } from "@/server/process/runtime";
import { type ClockRow, findClock, keepClock } from "./clock-store";
import { findOrganization } from "./store";

/** Organizations known to be live. That never changes, so this process asks once for each. */
const live = new Set<string>();

/** How far the organization's time is ahead of real time, in milliseconds, as `find` reads its clock. */
async function offsetOf<Q extends Reader | Tx>(
  q: Q,
  organizationId: string,
  find: (q: Q, organizationId: string) => Promise<ClockRow | undefined>,
): Promise<number> {
  if (organizationId === "" || live.has(organizationId)) return 0;
  const row = await find(q, organizationId);
  if (row) return row.offsetMs;
  if ((await findOrganization(q, organizationId))?.mode === "live") live.add(organizationId);
  return 0;
}

/** The organization's clock with an offset. In a transaction, it asks again and keeps the answer. */
function clockOf(real: Clock, organizationId: string, offset: number): Clock {
  const nowIn = async (tx: Tx) => real.now() + (await offsetOf(tx, organizationId, keepClock));
  return { now: () => real.now() + offset, real, nowIn };
}

const realClock = ({ clock }: Runtime): Clock => clock.real ?? clock;

/**
 * The runtime for a job of the organization; null if it is an act and an advance is going on, which carries it out in
 * its turn.
 */
export async function workerRuntime(runtime: Runtime, organizationId: string, isAct: boolean): Promise<Runtime | null> {
  if (live.has(organizationId)) return runtime;
  const row = await findClock(runtime.db.read, organizationId);
  if (row?.isRunning && isAct) return null;
  return { ...runtime, clock: clockOf(realClock(runtime), organizationId, row?.offsetMs ?? 0) };
}

/** The runtime for an act that is carried out as if it were `instant` of its organization's time. */
export const runtimeAt = (runtime: Runtime, instant: number): Runtime => ({
  ...runtime,
  clock: { now: () => instant, real: realClock(runtime) },
});

/** The organization's time, in epoch milliseconds. */
export async function timeOf(runtime: Runtime, q: Reader | Tx, organizationId: string): Promise<number> {
  return realClock(runtime).now() + (await offsetOf(q, organizationId, findClock));
}

/**
 * The context in the organization's time: its `now`, the clock of its runtime, and when its events happen. In a write,
 * nobody moves the organization's clock until the transaction ends.
 */
export async function inTimeOf<C extends ReadContext | WriteContext>(ctx: C, organizationId: string): Promise<C> {
  const isWrite = "emit" in ctx;
  const offset = isWrite
    ? await offsetOf(ctx.db, organizationId, keepClock)
    : await offsetOf(ctx.db, organizationId, findClock);
  const now = ctx.realNow + offset;
  const runtime = { ...ctx.runtime, clock: clockOf(realClock(ctx.runtime), organizationId, offset) };
  const emit: WriteContext["emit"] = (event) => isWrite && ctx.emit({ at: now, ...event });
  return { ...ctx, now, runtime, ...(isWrite ? { emit } : {}) };
}
