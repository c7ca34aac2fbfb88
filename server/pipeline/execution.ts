// Runs an operation's code in its transactions, and commits the idempotency key's answer and the records with it.
import type { Tx } from "@/db/client";
import { inTimeOf, withOffset } from "@/server/domains/organizations/time";
import { Records } from "@/server/domains/records/records";
import type { Actor, CallRequest, ReadContext, WriteContext } from "@/server/kit/context";
import { Download } from "@/server/kit/download";
import { Failure } from "@/server/kit/errors";
import { newId } from "@/server/kit/ids";
import type { AccessRule, Intent, Operation, refusals, Steps } from "@/server/kit/operation";
import type { Runtime } from "@/server/process/runtime";
import { confirmCaller } from "./confirm-caller";
import {
  type Done,
  type IdempotencyKey,
  isKept,
  keepAnswer,
  keepFinalAnswer,
  keepIntent,
  recall,
  releaseIntent,
  whileRunning,
} from "./idempotency";

type Write = Extract<Steps, { effect: "write" }>;
type Saga = Extract<Steps, { effect: "saga" }>;

/** A call whose caller is known and allowed, and whose input is valid. */
export interface Prepared extends ReturnType<typeof refusals> {
  readonly operation: Operation;
  /** The row of the access table that the input requires. */
  readonly rule: AccessRule;
  readonly input: unknown;
  readonly request: CallRequest;
  readonly runtime: Runtime;
  readonly key: IdempotencyKey | null;
  readonly base: Omit<ReadContext, "db">;
  /** The caller as the transaction sees it; null once its credential has ended. */
  actorIn(tx: Tx, now: number): Promise<Actor | null>;
  /** How far the clock of the caller's organization is ahead, in milliseconds, where that was found with the caller. */
  readonly clockOffsetMs: number | undefined;
}

/** Runs the prepared call. Resolves to its output after COMMIT, or throws its refusal. */
export async function execute(call: Prepared): Promise<unknown> {
  const { steps } = call.operation;
  if (steps.effect === "read") {
    const ctx = await reading(call);
    const output = call.operation.checkAnswer(await steps.run({ ...call, ctx }));
    if (call.operation.isAudited && !call.request.isHead) await recordRead(call, output);
    return output;
  }
  const run = () => (steps.effect === "write" ? runWrite(call, steps) : runSaga(call, steps));
  const done = await (call.key ? whileRunning(call.runtime, call.key, run) : run());
  if ("failure" in done) throw done.failure;
  return done.output;
}

/** The context outside any transaction, in the time that the operation asks for. */
function reading(call: Prepared): ReadContext | Promise<ReadContext> {
  const { organizationId } = call.base.scope;
  const ctx: ReadContext = { ...call.base, db: call.runtime.db.read };
  if (call.operation.time !== "organization") return ctx;
  const offset = call.clockOffsetMs;
  return offset === undefined ? inTimeOf(ctx, organizationId) : withOffset(ctx, organizationId, offset);
}

/** Records who read what before it is returned. Only parameter names, because values may be personal data. */
async function recordRead(call: Prepared, output: unknown): Promise<void> {
  try {
    await transact(call, async (tx, records) => {
      const parameters = Object.entries(Object(call.input)).filter(([, value]) => value !== undefined);
      records.audit({
        target: call.base.scope.organizationId,
        detail: { parameters: parameters.map(([name]) => name) },
      });
      await records.write(tx);
    });
  } catch (error) {
    if (output instanceof Download) output.close();
    throw error;
  }
}

async function runWrite(call: Prepared, steps: Write): Promise<Done> {
  return transact(call, async (tx, records) => {
    const { key } = call;
    const known = key ? await recall(tx, call.runtime, key, call.request) : null;
    if (known && "intent" in known) throw new Error("A plain write has no intent.");
    if (known) return restored(call, tx, known.done);
    const done = await attempt(call, tx, records, key, async (ctx) =>
      call.operation.checkAnswer(await steps.run({ ...call, ctx })),
    );
    await writeRecords(records, tx, done);
    if (key) await keepAnswer(tx, call.runtime, key, storable(call, done));
    return done;
  });
}

interface Begun {
  intent: Intent;
  lease: number | null;
}

async function runSaga(call: Prepared, steps: Saga): Promise<Done> {
  const started = await beginSaga(call, steps);
  if ("done" in started) return started.done;
  try {
    return await finishSaga(call, steps, started.intent);
  } catch (error) {
    await release(call, started.lease);
    throw error;
  }
}

/** The part outside any transaction, and the transaction that records its outcome. */
async function finishSaga(call: Prepared, steps: Saga, intent: Intent): Promise<Done> {
  const { key } = call;
  const outcome = await steps.perform({ ...call, ctx: await reading(call), intent });
  const last = withCurrentTime(call);
  return transact(last, async (tx, records) => {
    const done = await attempt(last, tx, records, key, async (ctx) =>
      call.operation.checkAnswer(await steps.finish({ ...call, ctx, intent, outcome })),
    );
    await writeRecords(records, tx, done);
    if (key) await keepFinalAnswer(tx, key, storable(call, done));
    return done;
  });
}

/** The call with the current time for its saga's last step, which may be long after the first. */
function withCurrentTime(call: Prepared): Prepared {
  const now = call.runtime.clock.now();
  return { ...call, base: { ...call.base, now, realNow: now, id: (prefix) => newId(prefix, now) } };
}

/** Lets the next request with the key resume at once. If that fails, it can resume once the lease has ended. */
async function release({ key, runtime }: Prepared, lease: number | null): Promise<void> {
  if (!key || lease === null) return;
  await runtime.db
    .write((tx) => releaseIntent(tx, key, lease))
    .catch((error: unknown) =>
      runtime.log.warn({ err: error }, "an idempotency key stays in use until its lease ends"),
    );
}

/** The saga's intent, with this process's lease on the key if there is one; or the saga's result if it has finished. */
async function beginSaga(call: Prepared, steps: Saga): Promise<{ done: Done } | Begun> {
  return transact(call, async (tx, records) => {
    const { key } = call;
    const known = key ? await recall(tx, call.runtime, key, call.request) : null;
    if (known) return "done" in known ? { done: await restored(call, tx, known.done) } : known;
    let intent: Intent | null = null;
    let isUnchanged = false;
    const done = await attempt(call, tx, records, key, async (ctx) => {
      const begun = await steps.begin({ ...call, ctx });
      if ("answer" in begun) {
        isUnchanged = begun.unchanged === true;
        return call.operation.checkAnswer(begun.answer);
      }
      intent = begun.intent;
      return null;
    });
    const hasRecords = records.hasAudit || records.changedObjects.length > 0;
    if (intent === null || "failure" in done) {
      if (hasRecords || !isUnchanged) await writeRecords(records, tx, done);
      if (key) await keepAnswer(tx, call.runtime, key, storable(call, done));
      return { done };
    }
    if (hasRecords) await records.write(tx);
    return { intent, lease: key ? await keepIntent(tx, call.runtime, key, intent) : null };
  });
}

/** Runs one transaction, and announces its changes after the commit. */
async function transact<T>(call: Prepared, work: (tx: Tx, records: Records) => Promise<T>): Promise<T> {
  const { runtime, request, now } = call.base;
  const author = {
    operation: call.operation.id,
    ...call.base,
    isAdmitted: runtime.refusals.admission(request.ip, now),
    isAudited: call.operation.isAudited !== false,
  };
  const { value, records } = await runtime.db.write(async (tx) => {
    // The transaction may run again after a conflict, so its records start empty each time.
    const own = new Records(author);
    return { value: await work(tx, own), records: own };
  });
  for (const object of records.changedObjects) runtime.changes.announce(object);
  records.logSecurity();
  return value;
}

/**
 * Runs the operation's code. A refusal rolls back what was written: without a key the whole transaction, with a key to
 * a savepoint, so that the refusal can be stored as the key's answer.
 */
async function attempt(
  call: Prepared,
  tx: Tx,
  records: Records,
  key: IdempotencyKey | null,
  work: (ctx: WriteContext) => Promise<unknown>,
): Promise<Done> {
  const ctx: WriteContext = { ...call.base, db: tx, audit: records.audit, emit: records.emit };
  const guarded = async (): Promise<Done> => {
    try {
      await confirmCaller(call, tx);
      const inTime = call.operation.time === "organization" ? await inTimeOf(ctx, call.base.scope.organizationId) : ctx;
      return { output: await work(inTime) };
    } catch (error) {
      if (error instanceof Failure && error.commits) return { failure: error };
      throw error;
    }
  };
  if (!key) return guarded();
  try {
    return await call.runtime.db.savepoint(tx, guarded);
  } catch (error) {
    if (error instanceof Failure && isKept(error)) return { failure: error };
    throw error;
  }
}

/** The part of an answer that may be stored. */
const storable = ({ operation: { secret } }: Prepared, done: Done): Done =>
  secret && "output" in done ? { output: secret.without(done.output) } : done;

/** The stored answer, with its secrets derived again. */
async function restored({ operation: { secret }, runtime }: Prepared, tx: Tx, done: Done): Promise<Done> {
  return secret && "output" in done ? { output: await secret.restored(done.output, tx, runtime) } : done;
}

async function writeRecords(records: Records, tx: Tx, done: Done): Promise<void> {
  if ("output" in done || done.failure.commits) await records.write(tx);
}
