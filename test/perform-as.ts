// Calls in tests by a given actor, without a credential.
import type { Actor, CallRequest } from "@/server/kit/context";
import type { Operation } from "@/server/kit/operation";
import { performFor } from "@/server/pipeline/perform";
import type { Runtime } from "@/server/process/runtime";

/** Performs an operation for the actor, as the pipeline does for the caller whom a credential identifies. */
export const performAs = (
  operation: Operation,
  raw: unknown,
  actor: Actor,
  request: CallRequest,
  runtime: Runtime,
): Promise<unknown> =>
  performFor(
    async () => ({ actor, actorNow: async () => actor, actorIn: async () => actor }),
    operation,
    raw,
    request,
    runtime,
  );
