// Which code does which job. A job may be done twice, so each of these is idempotent.
import type { Runtime } from "@/server/kit/runtime";
import { cancelRest } from "@/server/payments/cancel-open";
import { expirePayment, expirePayments } from "@/server/payments/expire";
import { lookUp } from "@/server/payments/lookup";
import { indexWords } from "@/server/payments/words";
import type { JobKind } from "./queue";

/** A handler's answer for a job that is not finished yet, though nothing failed: when to do it again, epoch ms. */
export type Later = { again: number };

/** Does the job for one object. The signal fires once the job has gone to another worker, so that a long one stops. */
export type Handler = (runtime: Runtime, objectId: string, signal: AbortSignal) => Promise<Later | undefined>;

/** Does the jobs for several objects in one transaction, for good, or throws and has done none. */
export type BatchHandler = (runtime: Runtime, objectIds: readonly string[]) => Promise<void>;

export const handlers: Readonly<Record<JobKind, Handler>> = {
  "payments.lookup": lookUp,
  "payments.expire": expirePayment,
  "payments.words": indexWords,
  "payments.cancel_open": cancelRest,
  // The sandbox says only that something has changed, so the look-up asks what.
  "sandbox.event": async (runtime, transactionId) => {
    await lookUp(runtime, transactionId);
    return undefined;
  },
};

/** Kinds that come in bulk and touch the database alone. */
export const batchHandlers: Readonly<Partial<Record<JobKind, BatchHandler>>> = { "payments.expire": expirePayments };
