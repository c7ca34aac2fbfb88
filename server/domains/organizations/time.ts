// The time of an organization: the real time and, in the sandbox, the offset of its clock.
// docs/decisions/sandbox-clock.md says what follows it and what does not.
import type { Reader, Tx } from "@/db/client";
import { Postponed } from "@/server/domains/jobs/postponed";
import type { ReadContext, WriteContext } from "@/server/kit/context";
import type { Clock } from "@/server/process/clock";
import type { Runtime } from "@/server/process/runtime";
import { type ClockRow, findClock, keepClock } from "./clock-store";
import { findOrganization } from "./store";

/** Organizations known to be live. That never changes, so this process asks once for each. */
const live = new Set<string>();

/** The organization's clock as `find` reads it; undefined for a live one. */
async function rowOf<Q extends Reader | Tx>(
  q: Q,
  organizationId: string,
  find: (q: Q, organizationId: string) => Promise<ClockRow | undefined>,
): Promise<ClockRow | undefined> {
  if (organizationId === "" || live.has(organizationId)) return undefined;
  const row = await find(q, organizationId);
  if (!row && (await findOrganization(q, organizationId))?.mode === "live") live.add(organizationId);
  return row;
}

/** The organization's clock with an offset. In a transaction, it asks again and keeps the answer. */
function clockOf(real: Clock, organizationId: string, offset: number, isAct = false): Clock {
  const nowIn = async (tx: Tx) => {
    const row = await rowOf(tx, organizationId, keepClock);
    // The advance has begun since the worker took the act, and carries it out at its own instant.
    if (isAct && row?.isRunning) throw new Postponed();
    return real.now() + (row?.offsetMs ?? 0);
  };
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
  return { ...runtime, clock: clockOf(realClock(runtime), organizationId, row?.offsetMs ?? 0, isAct) };
}

/** The runtime for an act that is carried out as if it were `instant` of its organization's time. */
export const runtimeAt = (runtime: Runtime, instant: number): Runtime => ({
  ...runtime,
  clock: { now: () => instant, real: realClock(runtime) },
});

/** Whether the organization's clock was moved ahead of real time. */
export const hasMoved = async (q: Reader | Tx, organizationId: string): Promise<boolean> =>
  ((await rowOf(q, organizationId, findClock))?.offsetMs ?? 0) > 0;

/**
 * The organization's time before the advance of its clock of which acts are left, in epoch milliseconds; null if none
 * is going on.
 */
export async function advancingFrom(q: Reader, organizationId: string): Promise<number | null> {
  const row = await rowOf(q, organizationId, findClock);
  return row?.isRunning ? row.movedFrom : null;
}

/** The organization's time, in epoch milliseconds. */
export async function timeOf(runtime: Runtime, q: Reader | Tx, organizationId: string): Promise<number> {
  return realClock(runtime).now() + ((await rowOf(q, organizationId, findClock))?.offsetMs ?? 0);
}

/**
 * The context in the organization's time: its `now`, the clock of its runtime, and when its events happen. In a write,
 * nobody moves the organization's clock until the transaction ends.
 */
export async function inTimeOf<C extends ReadContext | WriteContext>(ctx: C, organizationId: string): Promise<C> {
  const isWrite = "emit" in ctx;
  const row = isWrite ? await rowOf(ctx.db, organizationId, keepClock) : await rowOf(ctx.db, organizationId, findClock);
  return withOffset(ctx, organizationId, row?.offsetMs ?? 0);
}

/** The same for a clock that is known to be ahead by `offset` milliseconds. */
export function withOffset<C extends ReadContext | WriteContext>(ctx: C, organizationId: string, offset: number): C {
  const now = ctx.realNow + offset;
  const runtime = { ...ctx.runtime, clock: clockOf(realClock(ctx.runtime), organizationId, offset) };
  const emit: WriteContext["emit"] = (event) => "emit" in ctx && ctx.emit({ at: now, ...event });
  return { ...ctx, now, runtime, ...("emit" in ctx ? { emit } : {}) };
}
