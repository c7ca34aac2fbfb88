// The only way into every operation, for both transports: credential, rate, access, input, then its transactions.
import { isDeepStrictEqual } from "node:util";
import type { Tx } from "@/db/client";
import { forgetValues, isUnavailable } from "@/db/errors";
import "@/server/domains/steps";
import "./stored-answers";
import { checkFactor } from "@/server/access/factor";
import { checkFreshSignIn } from "@/server/access/fresh";
import { mayCall, refusalText } from "@/server/access/may";
import { scopeOf } from "@/server/access/scope";
import { recordRefusal } from "@/server/domains/records/refused-calls";
import { actorIn } from "@/server/domains/sessions/actor-in";
import { authenticate } from "@/server/domains/sessions/authenticate";
import { checkVerifiedEmail } from "@/server/domains/users/verified";
import { callerKey } from "@/server/fairness/places";
import { limitRate } from "@/server/fairness/rate";
import type { Actor, CallRequest } from "@/server/kit/context";
import { errorMeanings, Failure, protocolFailure } from "@/server/kit/errors";
import { idOf, isAnonymous, organizationOf } from "@/server/kit/identity";
import { type IdPrefix, newId } from "@/server/kit/ids";
import { describeIssues, parsePlainly } from "@/server/kit/issues";
import { type AccessRule, type Operation, refusals } from "@/server/kit/operation";
import type { Outcome } from "@/server/process/metrics";
import type { Runtime } from "@/server/process/runtime";
import { execute, type Prepared } from "./execution";
import { keyOf } from "./idempotency";

/**
 * Performs an operation for the caller whom the request's credential identifies. Resolves to the output after COMMIT.
 * Throws refusals as {@link Failure}.
 */
export const perform = (operation: Operation, raw: unknown, request: CallRequest, runtime: Runtime): Promise<unknown> =>
  performFor(() => callerOf(operation, request, runtime), operation, raw, request, runtime);

/**
 * The caller, and ways to ask for it again later: `actorNow` authenticates the same credential again, `actorIn` reads
 * the caller's rows in a transaction. Both resolve to null once the credential is invalid.
 */
interface Caller {
  actor: Actor;
  /** How far the clock of the caller's organization is ahead, in milliseconds, where that was found with the caller. */
  clockOffsetMs?: number;
  actorNow(): Promise<Actor | null>;
  actorIn(tx: Tx, now: number): Promise<Actor | null>;
}

/**
 * Performs an operation for the caller that `identify` finds. Notes how long that took and how it ended. Answers
 * `unavailable` if the database fails, whether it identifies the caller or runs the operation.
 */
export async function performFor(
  identify: () => Promise<Caller>,
  operation: Operation,
  raw: unknown,
  request: CallRequest,
  runtime: Runtime,
): Promise<unknown> {
  const startedAt = performance.now();
  let outcome: Outcome = "ok";
  try {
    return await run(await identify(), operation, raw, request, runtime);
  } catch (error) {
    const failure = failureOf(error, request, runtime);
    outcome = outcomeOf(failure, request.notes?.turns.hasLeft() ?? false);
    throw failure;
  } finally {
    runtime.metrics.noteOperation(operation.id, outcome, performance.now() - startedAt);
  }
}

async function run(
  caller: Caller,
  operation: Operation,
  raw: unknown,
  request: CallRequest,
  runtime: Runtime,
): Promise<unknown> {
  const { actor } = caller;
  note(operation, actor, request);
  try {
    await limitRate(runtime, actor, request);
    checkCall(operation.access, operation, actor);
    const input = parseInput(operation, raw);
    const rule = operation.accessFor?.(input) ?? operation.access;
    checkCall(rule, operation, actor);
    const now = runtime.clock.now();
    checkFreshSignIn(rule, actor, now);
    for (const each of new Set([operation.access, rule])) await checkVerifiedEmail(runtime.db.read, each, actor);
    return await execute(prepare(operation, rule, input, caller, request, runtime, now));
  } catch (error) {
    if (error instanceof Failure && isAudited(operation, error)) {
      await recordOutcome(operation, actor, request, runtime, error.code);
    }
    throw error;
  }
}

/** Records that the caller was refused, with the reason as the outcome. */
const recordOutcome = (
  operation: Operation,
  actor: Actor,
  request: CallRequest,
  runtime: Runtime,
  outcome: string,
): Promise<void> =>
  recordRefusal(runtime, request, {
    organizationId: organizationOf(actor),
    operation: operation.id,
    actorType: actor.type,
    actorId: idOf(actor),
    detail: { outcome },
  });

/** Refuses a caller whom the access rule excludes. The operation itself checks what depends on the object. */
function checkCall(rule: AccessRule, { errors }: Operation, actor: Actor): void {
  checkFactor(rule, actor);
  if (mayCall(rule, actor)) return;
  refusals(errors).fail("insufficient_permissions", refusalText(rule, actor));
}

/** Notes the operation and its caller for the request's log line. */
function note(operation: Operation, actor: Actor, request: CallRequest): void {
  const { notes } = request;
  if (!notes) return;
  notes.operations.push(operation.id);
  notes.actor = actor;
  notes.callerKey = callerKey(actor, request);
}

/**
 * Whether to audit the refusal: missing permissions and throttled sign-ins. Refusals that commit write their own entry.
 */
const isAudited = ({ access }: Operation, { code, commits }: Failure): boolean =>
  !commits && (code === "insufficient_permissions" || (code === "rate_limited" && access.isSignIn === true));

function outcomeOf(error: unknown, hasLeft: boolean): Outcome {
  if (!(error instanceof Failure) || error.code === "internal_error") return "failed";
  if (error.code !== "unavailable") return "refused";
  return hasLeft ? "aborted" : "unavailable";
}

/** What the call is refused with, and its code in the request's log line: `unavailable` if the database failed. */
function failureOf(error: unknown, request: CallRequest, runtime: Runtime): unknown {
  const isDown = isUnavailable(error);
  const code = error instanceof Failure ? error.code : isDown ? "unavailable" : "internal_error";
  if (request.notes) request.notes.errorCode = code;
  // Remove the failed query's values before anyone can log the error: Next logs the errors of pages itself.
  if (!isDown) return forgetValues(error);
  runtime.log.error({ err: error, requestId: request.requestId }, "the database is unavailable");
  return protocolFailure("unavailable", undefined, { "Retry-After": "1" });
}

function prepare(
  operation: Operation,
  rule: AccessRule,
  input: unknown,
  { actor, clockOffsetMs, actorNow, actorIn }: Caller,
  request: CallRequest,
  runtime: Runtime,
  now: number,
): Prepared {
  const scope = scopeOf(actor) ?? nobody;
  const stillAllowed = async () => {
    const again = await actorNow();
    return again !== null && mayCall(operation.access, again) && isDeepStrictEqual(scopeOf(again) ?? nobody, scope);
  };
  return {
    operation,
    rule,
    input,
    request,
    runtime,
    actorIn,
    clockOffsetMs,
    key: operation.steps.effect === "read" ? null : keyOf(operation, input, actor, request, runtime),
    base: {
      runtime,
      request,
      actor,
      now,
      realNow: now,
      id: (prefix: IdPrefix) => newId(prefix, now),
      scope,
      stillAllowed,
    },
    ...refusals(operation.errors),
  };
}

/** An anonymous caller sees nothing: no organization has an empty id. */
const nobody = { organizationId: "", ownerUserId: null, accountId: null };

async function callerOf(operation: Operation, request: CallRequest, runtime: Runtime): Promise<Caller> {
  const { actor, clockOffsetMs } = await identified(operation, request, runtime);
  const actorNow = async () => {
    if (isAnonymous(actor)) return actor;
    const authentication = await authenticate(runtime, request, runtime.clock.now());
    return "problem" in authentication ? null : authentication.actor;
  };
  return { actor, clockOffsetMs, actorNow, actorIn: (tx, now) => actorIn(tx, actor, now) };
}

type Identified = Pick<Caller, "actor" | "clockOffsetMs">;

async function identified(operation: Operation, request: CallRequest, runtime: Runtime): Promise<Identified> {
  const { credential } = operation.access;
  const anonymous: Actor = { type: "anonymous" };
  if (credential === "ignored") return { actor: anonymous };
  const authentication = await authenticate(runtime, request, runtime.clock.now());
  if (!("problem" in authentication)) return authentication;
  if (authentication.problem === "missing" && credential === "optional") return { actor: anonymous };
  // Guessed tokens are counted by address. `run` counts the calls of known callers.
  note(operation, anonymous, request);
  await limitRate(runtime, anonymous, request);
  const challenge = { "WWW-Authenticate": "Bearer" };
  const ended = operation.errors.session_already_invalidated;
  if (authentication.problem === "ended" && ended !== undefined) {
    throw new Failure("session_already_invalidated", ended, errorMeanings.session_already_invalidated, challenge);
  }
  if (authentication.problem === "elsewhere") {
    await recordOutcome(operation, authentication.actor, request, runtime, "address_not_allowed");
    throw protocolFailure("unauthorized", "The API key may not be used from this address.", challenge);
  }
  throw protocolFailure("unauthorized", undefined, challenge);
}

function parseInput(operation: Operation, raw: unknown): unknown {
  const parsed = parsePlainly(operation.input, raw ?? {});
  if (parsed.success) return parsed.data;
  throw protocolFailure("invalid_request", describeIssues(parsed.error.issues));
}
