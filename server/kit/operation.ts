// One value per operation: schemas, errors, access rule, effect, REST path and code. Everything else derives from it.
import type * as z from "zod";
import type { Tx } from "@/db/client";
import type { Runtime } from "@/server/process/runtime";
import { answerCheck } from "./answers";
import type { Actor, ReadContext, WriteContext } from "./context";
import { type DomainStatus, type ErrorCode, errorMeanings, Failure } from "./errors";

type Reach = "none" | "own" | "organization";

/** Who may do one thing: a row of the access table. */
export interface AccessRule {
  readonly name: string;
  /** `required`: the caller must be authenticated. `optional`: the caller may be. `ignored`: the header is not read. */
  readonly credential: "required" | "optional" | "ignored";
  /** `own`: with what belongs to the user. */
  readonly member: "none" | "own";
  /** `organization`: with everything in the organization. */
  readonly viewer: Reach;
  readonly operator: Reach;
  readonly admin: Reach;
  /** The scope that an API key needs, `any` if every key may do it, or null if none may. */
  readonly apiKey: string | null;
  /** `none`: keys that are bound to one account may not do it, whatever their scopes. */
  readonly boundApiKey?: "none";
  /** The setting of the organization that a member needs in live mode. */
  readonly liveMemberNeeds?: "membersRecordPayments";
  /** When it requires a fresh sign-in: if it comes from the dashboard, or with an access token too. */
  readonly needsFreshSignIn?: "inDashboard" | "always";
  /** When a user must have verified the e-mail address: always, or where the organization moves real money. */
  readonly needsVerifiedEmail?: "always" | "inLiveMode";
  /** Whether users who lack a required second factor may do it to what is their own. */
  readonly worksWithoutFactor?: true;
  /** Whether it checks a password, so that throttled calls count as refused sign-ins. */
  readonly isSignIn?: boolean;
  /** What a refusal says, where `insufficient_permissions` does not say enough. */
  readonly refusal?: string;
}

interface RestBinding<Output = unknown> {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: `/v1/${string}`;
  /** Set on operations that extend the core interface: `x-extension` in the OpenAPI document. */
  readonly extension?: boolean;
  /** For a download: its media types, instead of JSON. */
  readonly mediaTypes?: readonly string[];
  /** Fields that a DELETE also accepts in the query, because some proxies drop its body. */
  readonly queryFields?: readonly string[];
  /** The version of the response, for `ETag` and 304. */
  readonly etag?: (output: Output) => string;
  /** Headers that a success may carry besides those that the HTTP server adds, with their meanings. */
  readonly answerHeaders?: Readonly<Record<string, string>>;
  /** The token that the operation itself reads from the Authorization header, where `access` ignores credentials. */
  readonly token?: "refresh";
}

/** A secret in a response: it is not stored with the Idempotency-Key but derived again for a replay. */
export interface AnswerSecret<Output = unknown> {
  without(output: Output): Output;
  restored(stored: Output, tx: Tx, runtime: Runtime): Promise<Output>;
}

type Errors = Partial<Record<ErrorCode, DomainStatus>>;

/** Refuses with a declared code and rolls back everything written. */
export type Fail<Code extends ErrorCode = never> = (code: Code, description?: string) => never;

interface Description<I extends z.ZodType, O extends z.ZodType, E extends Errors> {
  /** `domain.verb`: the tRPC path and the OpenAPI operationId. */
  id: `${string}.${string}`;
  summary: string;
  description?: string;
  access: AccessRule;
  /** The row that this input requires in addition to `access`, if the permission depends on the input. */
  accessFor?: (input: z.output<I>) => AccessRule;
  /**
   * Whether the call may concern what belongs to other users, where the rule does not say so because every user may
   * call it for themselves. Then the caller is confirmed in the transaction, as for a privileged rule.
   */
  concernsOthers?: (input: z.output<I>, actor: Actor) => boolean;
  rest?: RestBinding<z.output<O>>;
  input: I;
  output: O;
  errors: E;
  /** `organization` if `ctx.now` is the time of the caller's organization, which a sandbox can move; else it is real. */
  time?: "organization";
  /** False if the operation ignores the Idempotency-Key. */
  idempotent?: boolean;
  secret?: AnswerSecret<z.output<O>>;
  /** Whether unknown fields are ignored rather than refused. */
  ignoresUnknownFields?: boolean;
  /**
   * True for a read that leaves an audit entry, because it returns personal data in bulk. False for a write that leaves
   * none, because strangers may call it and it changes only rows that soon expire (their calls must not fill the disk), or
   * because it changes only how its user sees the dashboard.
   */
  isAudited?: boolean;
}

interface Call<Context, I extends z.ZodType, E extends Errors> {
  ctx: Context;
  input: z.output<I>;
  fail: Fail<keyof E & ErrorCode>;
  /** Refuses like `fail`, but commits what was written. */
  failAfterCommit: Fail<keyof E & ErrorCode>;
}

/** A JSON object of ids and flags that a saga keeps between its transactions. Never contains secrets. */
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
  /**
   * First transaction: decides and records the intent, or answers at once. `unchanged` means that nothing was written.
   */
  begin(
    call: Call<WriteContext, I, E>,
  ): Promise<{ intent: N; answer?: undefined } | { answer: z.input<O>; unchanged?: boolean; intent?: undefined }>;
  /** Outside any transaction: the slow or remote part. It may run again with the same intent. */
  perform(call: Omit<Call<ReadContext, I, E>, "failAfterCommit"> & { intent: N }): Promise<Outcome>;
  /** Second transaction: records the outcome. */
  finish(call: Call<WriteContext, I, E> & { intent: N; outcome: Outcome }): Promise<z.input<O>>;
};

/** An operation's code as the pipeline sees it, without its types. */
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
> extends Omit<Description<I, O, E>, "rest" | "secret" | "accessFor" | "concernsOthers"> {
  readonly rest?: RestBinding;
  readonly secret?: AnswerSecret;
  readonly accessFor?: (input: unknown) => AccessRule;
  readonly concernsOthers?: (input: unknown, actor: Actor) => boolean;
  readonly effect: Effect;
  readonly steps: Steps;
  /** Returns what is sent as it is. Throws if the schema refuses it; see {@link answerCheck}. */
  readonly checkAnswer: (answer: unknown) => unknown;
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
  const checkAnswer = answerCheck(definition.output);
  return { ...description, ...erased(description), checkAnswer, steps: { effect, run } as Steps };
}

/** Defines an operation with a slow or remote part between two transactions. */
export function saga<I extends z.ZodType, O extends z.ZodType, const E extends Errors, N extends Intent, Outcome>(
  definition: SagaDefinition<I, O, E, N, Outcome>,
): Operation<I, O, E, "saga"> {
  const { begin, perform, finish, ...description } = definition;
  const steps = { effect: "saga", begin, perform, finish } as unknown as Steps;
  return { ...description, ...erased(description), checkAnswer: answerCheck(definition.output), effect: "saga", steps };
}

/** The parts that the pipeline calls with the operation's input or output. */
const erased = (description: { rest?: unknown; secret?: unknown; accessFor?: unknown; concernsOthers?: unknown }) => ({
  rest: description.rest as RestBinding | undefined,
  secret: description.secret as AnswerSecret | undefined,
  accessFor: description.accessFor as ((input: unknown) => AccessRule) | undefined,
  concernsOthers: description.concernsOthers as ((input: unknown, actor: Actor) => boolean) | undefined,
});

/** The two ways for an operation to refuse. Both throw {@link Failure} with the status that the operation declares. */
export function refusals(errors: Errors): { fail: Fail<ErrorCode>; failAfterCommit: Fail<ErrorCode> } {
  const refuse = (commits: boolean) => (code: ErrorCode, description?: string) => {
    const status = errors[code] ?? 400;
    const headers: Record<string, string> = status === 401 ? { "WWW-Authenticate": "Bearer" } : {};
    throw new Failure(code, status, description ?? errorMeanings[code], headers, commits);
  };
  return { fail: refuse(false), failAfterCommit: refuse(true) };
}
