// The rules of the Idempotency-Key: one effect per key, the same answer again, and a refusal for a different request.
import { createHmac } from "node:crypto";
import type { Tx } from "@/db/client";
import type { Actor, CallRequest } from "@/server/kit/context";
import { type ErrorCode, Failure, protocolFailure } from "@/server/kit/errors";
import { idOf, isAnonymous } from "@/server/kit/identity";
import { limits } from "@/server/kit/limits";
import type { Intent, Operation } from "@/server/kit/operation";
import type { Runtime } from "@/server/process/runtime";
import { findKey, finishKey, insertKey, type Lease, releaseKey, removeExpired, renewKey } from "./idempotency-store";

/** A saga whose process has been silent for this long may be taken over. Longer than any call to a provider. */
export const leaseMs = 30_000;

export interface IdempotencyKey {
  /** Organization, caller and key, so that no two callers share one. */
  readonly id: string;
  /** HMACs of the request under each server key, the current one first. */
  readonly fingerprints: readonly string[];
}

/** The result of an operation: its output or its refusal. */
export type Done = { output: unknown } | { failure: Failure };

/** The key that applies to this call, or null: reads, anonymous callers and some operations have none. */
export function keyOf(
  operation: Operation,
  input: unknown,
  actor: Actor,
  request: CallRequest,
  runtime: Runtime,
): IdempotencyKey | null {
  if (request.idempotencyKey === null || operation.idempotent === false || isAnonymous(actor)) return null;
  const content = `${operation.id}\n${canonicalJson(input)}`;
  return {
    id: `${actor.organizationId}:${idOf(actor)}:${request.idempotencyKey}`,
    fingerprints: runtime.keys.all.map(({ key }) => createHmac("sha256", key).update(content).digest("hex")),
  };
}

/** JSON with sorted object keys, so that the order in which a client writes them does not matter. */
const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );

/** Runs `work` unless the key's first request is still running in this process. */
export async function whileRunning<T>(runtime: Runtime, key: IdempotencyKey, work: () => Promise<T>): Promise<T> {
  if (runtime.runningKeys.has(key.id)) throw inUse();
  runtime.runningKeys.add(key.id);
  try {
    return await work();
  } finally {
    runtime.runningKeys.delete(key.id);
  }
}

const inUse = () => protocolFailure("idempotency_key_in_use", undefined, { "Retry-After": "1" });

/** A running saga: its intent, and this process's lease on it. */
interface RunningSaga {
  intent: Intent;
  lease: Lease;
}

/** What is stored for the key: its answer, the intent of a saga to resume, or nothing. */
export async function recall(
  tx: Tx,
  runtime: Runtime,
  key: IdempotencyKey,
  request: CallRequest,
): Promise<{ done: Done } | RunningSaga | null> {
  if (!(await runtime.db.tryLockName(tx, key.id))) throw inUse();
  const row = await findKey(tx, key.id, runtime.clock.now());
  if (!row) return null;
  if (!key.fingerprints.includes(row.fingerprint)) throw new Failure("idempotency_key_reused", 400);
  if (row.status !== null && row.body !== null) {
    request.answerHeaders["Idempotent-Replayed"] = "true";
    return { done: readAnswer(row.status, row.body) };
  }
  const lease = await renewKey(tx, key.id, leaseMs);
  if (lease === null) throw inUse();
  return { intent: row.intent ?? {}, lease };
}

function readAnswer(status: number, body: string): Done {
  const content: unknown = JSON.parse(body);
  if (status === 200) return { output: content };
  const { error_code, error_description } = content as { error_code: ErrorCode; error_description: string };
  return { failure: new Failure(error_code, status, error_description) };
}

function writtenAnswer(done: Done): { status: number; body: string } {
  if ("output" in done) return { status: 200, body: JSON.stringify(done.output) };
  const { code, status, message } = done.failure;
  return { status, body: JSON.stringify({ error_code: code, error_description: message }) };
}

/** Whether a refusal is stored. After one that is not, the key works again, also with a corrected request. */
export const isKept = ({ code, status }: Failure): boolean =>
  !code.startsWith("invalid_") &&
  code !== "reauthentication_required" &&
  status !== 401 &&
  status !== 429 &&
  status < 500;

/** Stores the answer in the transaction of its effect. */
export async function keepAnswer(tx: Tx, runtime: Runtime, key: IdempotencyKey, done: Done): Promise<void> {
  if ("failure" in done && !isKept(done.failure)) return;
  await insertKey(tx, { ...rowOf(runtime, key), intent: null, ...writtenAnswer(done) });
}

/** Stores a saga's intent, so that a repeated request resumes it. Returns this process's lease on it. */
export async function keepIntent(tx: Tx, runtime: Runtime, key: IdempotencyKey, intent: Intent): Promise<Lease> {
  return insertKey(tx, { ...rowOf(runtime, key), intent, status: null, body: null });
}

/** Lets the next request with the key resume the intent before the lease ends. */
export const releaseIntent = (tx: Tx, key: IdempotencyKey, lease: Lease): Promise<void> =>
  releaseKey(tx, key.id, lease);

/** Stores the answer of a saga whose intent was stored before. */
export async function keepFinalAnswer(tx: Tx, key: IdempotencyKey, done: Done): Promise<void> {
  const { status, body } = writtenAnswer(done);
  await finishKey(tx, key.id, status, body);
}

/** Removes up to `limit` expired keys and returns their number. */
export const removeExpiredKeys = (runtime: Runtime, limit: number): Promise<number> =>
  runtime.db.write((tx) => removeExpired(tx, runtime.clock.now(), limit));

const rowOf = ({ clock }: Runtime, { id, fingerprints }: IdempotencyKey) => ({
  id,
  fingerprint: fingerprints[0] ?? "",
  expiresAt: clock.now() + limits.kept.idempotencyKeyMs,
});
