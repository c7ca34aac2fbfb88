// How the sandbox's events are handled: by a worker, by an advance of the clock, or by an operation.
import type { JobTable, Later } from "@/server/domains/jobs/runner";
import { workerRuntime } from "@/server/domains/organizations/time";
import { lookUpMethodAfterEvent } from "@/server/domains/payments/methods/look-up";
import { disputeAtOf } from "@/server/domains/providers/simulate";
import { lookUpAfterEvent } from "@/server/domains/transactions/look-up";
import { isId } from "@/server/kit/ids";
import type { Runtime } from "@/server/process/runtime";

/**
 * Handles an event. The next one of a charge may be to come: its test card disputes what has just been taken. One that
 * only stored a card has taken nothing.
 */
export async function handleSandboxEvent(runtime: Runtime, attemptId: string): Promise<Later | undefined> {
  if (isId("sme", attemptId)) return lookUpMethodAfterEvent(runtime, attemptId);
  await lookUpAfterEvent(runtime, attemptId);
  const at = await disputeAtOf(runtime.db.read, attemptId);
  return at === null ? undefined : { again: at, isAct: true };
}

/** Handles events as a worker does. */
export const eventTable: JobTable = {
  handlers: { "sandbox.event": handleSandboxEvent },
  batchHandlers: {},
  runtimeFor: (runtime, { organizationId }) => workerRuntime(runtime, organizationId, true),
};

/** The runtime in real time, by which jobs are due. */
export const realRuntime = (runtime: Runtime): Runtime => ({ ...runtime, clock: runtime.clock.real ?? runtime.clock });
