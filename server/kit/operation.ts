// One value per operation: its schemas, errors, access rule, effect, REST path and code. Everything else is made from it.
import type * as z from "zod";
import type { Tx } from "@/db/client";
import type { Runtime } from "@/server/process/runtime";
import type { ReadContext, WriteContext } from "./context";
import { type DomainStatus, type ErrorCode, errorMeanings, Failure } from "./errors";

/** Who may call: one row of the access table, as data. */
export interface AccessRule {
  readonly name: string;
  /** `required`: a caller must be known. `optional`: nobody or a known caller. `ignored`: the header is not looked at. */
  readonly credential: "required" | "optional" | "ignored";
  readonly member: "none" | "own";
  readonly admin: "none" | "organization";
  /** The scope that an API key needs, or null where no key may. */
  readonly platform: string | null;
  /** Whether it checks a password, so that its throttled calls are refused sign-ins. */
  readonly isSignIn?: boolean;
}

export interface RestBinding<Output = unknown> {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: `/v1/${string}`;
  /** Set on what the documented interface does not list. */
  readonly extension?: boolean;
  /** Of an answer that is a download, in place of JSON. */
  readonly mediaTypes?: readonly string[];
  /** Fields that a DELETE also takes from the query, since some proxies drop its body. */
  readonly queryFields?: readonly string[];
  /** The version of the answer, for `ETag` and 304. */
  readonly etag?: (output: Output) => string;
}

/** What of an answer is a secret: it is not stored with an Idempotency-Key, and made anew when the answer is given again. */
export interface AnswerSecret<Output = unknown> {
  without(output: Output): Output;
  restored(stored: Output, tx: Tx, runtime: Runtime): Promise<Output>;
}

export type Errors = Partial<Record<ErrorCode, DomainStatus>>;

/** Refuses with a declared code: everything that was written is undone. */
export type Fail<Code extends ErrorCode = never> = (code: Code, description?: string) => never;

interface Description<I extends z.ZodType, O extends z.ZodType, E extends Errors> {
  /** `domain.verb`: the tRPC path and the OpenAPI operationId. */
  id: `${string}.${string}`;
  summary: string;
  description?: string;
  access: AccessRule;
  rest?: RestBinding<z.output<O>>;
  input: I;
  output: O;
  errors: E;
  /** Whether this input needs a sign-in of the last ten minutes when it comes from the dashboard. */
  needsFreshSignIn?: (input: z.output<I>) => boolean;
  /** False where an Idempotency-Key is not honoured. */
  idempotent?: boolean;
  secret?: AnswerSecret<z.output<O>>;
  /** Whether unknown fields are ignored instead of refused. */
  ignoresUnknownFields?: boolean;
  /** Whether a read leaves an audit entry, as writes do: where it hands out personal data in bulk. */
  isOnRecord?: boolean;
}

interface Call<Context, I extends z.ZodType, E extends Errors> {
  ctx: Context;
  input: z.output<I>;
  fail: Fail<keyof E & ErrorCode>;
  /** Refuses like `fail`, but what was written stays. */
  failAfterCommit: Fail<keyof E & ErrorCode>;
}

/** A JSON object of ids and flags that a saga keeps between its transactions. No secrets. */
export type Intent = Record<string, string | number | boolean | null>;

type ReadDefinition<I extends z.ZodType, O extends z.ZodType, E extends Errors> = Description<I, O, E> & {
  effect: "read";
  run(call: Call<ReadContext, I, E>): Promise<z.input<O>>;
};

type WriteDefinition<I extends z.ZodType, O extends z.ZodType, E extends Errors> = Description<I, O, E> & {
  effect: "write";
  run(call: Call<WriteContext, I, E>): Promise<z.input<O>>;
};

type SagaDefinition<
  I extends z.ZodType,
  O extends z.ZodType,
  E extends Errors,
  N extends Intent,
  Outcome,
> = Description<I, O, E> & {
  /** First transaction: decides and records the intent, or answers at once; `unchanged` says that nothing was written. */
  begin(
    call: Call<WriteContext, I, E>,
  ): Promise<{ intent: N; answer?: undefined } | { answer: z.input<O>; unchanged?: boolean; intent?: undefined }>;
  /** Outside any transaction: the slow or remote part. May run again with the same intent. */
  perform(call: Omit<Call<ReadContext, I, E>, "failAfterCommit"> & { intent: N }): Promise<Outcome>;
  /** Second transaction: makes the outcome true. */
  finish(call: Call<WriteContext, I, E> & { intent: N; outcome: Outcome }): Promise<z.input<O>>;
};

/** What the pipeline sees of an operation's code, whatever its types are. */
type Erased<Context> = {
  ctx: Context;
  input: unknown;
  fail: Fail<ErrorCode>;
  failAfterCommit: Fail<ErrorCode>;
};

export type Steps =
  | { effect: "read"; run(call: Erased<ReadContext>): Promise<unknown> }
  | { effect: "write"; run(call: Erased<WriteContext>): Promise<unknown> }
  | {
      effect: "saga";
      begin(call: Erased<WriteContext>): Promise<{ intent: Intent } | { answer: unknown; unchanged?: boolean }>;
      perform(call: Erased<ReadContext> & { intent: Intent }): Promise<unknown>;
      finish(call: Erased<WriteContext> & { intent: Intent; outcome: unknown }): Promise<unknown>;
    };

export interface Operation<
  I extends z.ZodType = z.ZodType,
  O extends z.ZodType = z.ZodType,
  E extends Errors = Errors,
  Effect extends Steps["effect"] = Steps["effect"],
> extends Omit<Description<I, O, E>, "rest" | "secret" | "needsFreshSignIn"> {
  readonly rest?: RestBinding;
  readonly secret?: AnswerSecret;
  readonly needsFreshSignIn?: (input: unknown) => boolean;
  readonly effect: Effect;
  readonly steps: Steps;
}

/** Defines an operation that reads, or that writes in one transaction. */
export function operation<I extends z.ZodType, O extends z.ZodType, const E extends Errors>(
  definition: ReadDefinition<I, O, E>,
): Operation<I, O, E, "read">;
export function operation<I extends z.ZodType, O extends z.ZodType, const E extends Errors>(
  definition: WriteDefinition<I, O, E>,
): Operation<I, O, E, "write">;
export function operation<I extends z.ZodType, O extends z.ZodType, const E extends Errors>(
  definition: ReadDefinition<I, O, E> | WriteDefinition<I, O, E>,
): Operation<I, O, E> {
  const { run, ...description } = definition;
  const { effect } = definition;
  return { ...description, ...erased(description), steps: { effect, run } as Steps };
}

/** Defines an operation with a slow or remote part between two transactions. */
export function saga<I extends z.ZodType, O extends z.ZodType, const E extends Errors, N extends Intent, Outcome>(
  definition: SagaDefinition<I, O, E, N, Outcome>,
): Operation<I, O, E, "saga"> {
  const { begin, perform, finish, ...description } = definition;
  const steps = { effect: "saga", begin, perform, finish } as unknown as Steps;
  return { ...description, ...erased(description), effect: "saga", steps };
}

/** The parts that the pipeline calls with whatever the operation has answered. */
const erased = (description: { rest?: unknown; secret?: unknown; needsFreshSignIn?: unknown }) => ({
  rest: description.rest as RestBinding | undefined,
  secret: description.secret as AnswerSecret | undefined,
  needsFreshSignIn: description.needsFreshSignIn as ((input: unknown) => boolean) | undefined,
});

/** The two ways of an operation to refuse; both throw {@link Failure} with the status that the operation declares. */
export function refusals(errors: Errors): { fail: Fail<ErrorCode>; failAfterCommit: Fail<ErrorCode> } {
  const refuse = (commits: boolean) => (code: ErrorCode, description?: string) => {
    const status = errors[code] ?? 400;
    const headers: Record<string, string> = status === 401 ? { "WWW-Authenticate": "Bearer" } : {};
    throw new Failure(code, status, description ?? errorMeanings[code], headers, commits);
  };
  return { fail: refuse(false), failAfterCommit: refuse(true) };
}
