// How the sandbox's operations handle its events, outside a worker.
import type { JobTable } from "@/server/domains/jobs/runner";
import { workerRuntime } from "@/server/domains/organizations/time";
import { lookUpAfterEvent } from "@/server/domains/transactions/look-up";
import type { Runtime } from "@/server/process/runtime";

/** Handles events as a worker does. */
export const eventTable: JobTable = {
  handlers: { "sandbox.event": lookUpAfterEvent },
  batchHandlers: {},
  runtimeFor: (runtime, { organizationId }) => workerRuntime(runtime, organizationId, true),
};

/** The runtime in real time, by which jobs are due. */
export const realRuntime = (runtime: Runtime): Runtime => ({ ...runtime, clock: runtime.clock.real ?? runtime.clock });
