// The tRPC router, made from the table of operations: reads are queries, everything else is a mutation.
import { initTRPC, TRPCError, type TRPCMutationProcedure, type TRPCQueryProcedure } from "@trpc/server";
import type * as z from "zod";
import type { CallRequest } from "@/server/kit/context";
import { Failure, type ProtocolCode, protocolFailure } from "@/server/kit/errors";
import type { Operation } from "@/server/kit/operation";
import type { Runtime } from "@/server/process/runtime";
import { operations } from "./operations";
import { perform } from "./perform";

interface RouterContext {
  runtime: Runtime;
  request: CallRequest;
  /** Whether the answer is sent as JSON, which excludes downloads. */
  answersInJson?: boolean;
}

const t = initTRPC.context<RouterContext>().create({
  errorFormatter({ shape, error }) {
    const failure = failureOf(error);
    return {
      code: shape.code,
      message: failure.message,
      data: { httpStatus: failure.status, error_code: failure.code, error_description: failure.message },
    };
  },
});

/** The refusal behind an error of a procedure. Anything else becomes `internal_error`. */
export function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (!(error instanceof TRPCError)) return protocolFailure("internal_error");
  if (error.cause instanceof Failure) return error.cause;
  return protocolFailure(refusedByTrpc[error.code] ?? "internal_error");
}

/** Errors that tRPC raises before any procedure runs are the caller's fault. */
const refusedByTrpc: Partial<Record<TRPCError["code"], ProtocolCode>> = {
  PARSE_ERROR: "invalid_json",
  BAD_REQUEST: "invalid_request",
  UNPROCESSABLE_CONTENT: "invalid_request",
  NOT_FOUND: "unknown_path",
  METHOD_NOT_SUPPORTED: "method_not_allowed",
  PAYLOAD_TOO_LARGE: "payload_too_large",
  UNSUPPORTED_MEDIA_TYPE: "unsupported_media_type",
};

function procedureOf(operation: Operation) {
  const procedure = t.procedure.input((raw: unknown) => raw);
  const run = ({ ctx, input }: { ctx: RouterContext; input: unknown }) => {
    if (ctx.answersInJson && operation.rest?.mediaTypes) throw protocolFailure("unknown_path");
    return perform(operation, input, ctx.request, ctx.runtime);
  };
  return operation.steps.effect === "read" ? procedure.query(run) : procedure.mutation(run);
}

type Table = Record<string, Record<string, Operation>>;

interface Built<I extends z.ZodType, O extends z.ZodType> {
  input: z.input<I>;
  output: z.output<O>;
  meta: unknown;
}

type ProcedureOf<Op> =
  Op extends Operation<infer I, infer O, infer _E, infer Effect>
    ? Effect extends "read"
      ? TRPCQueryProcedure<Built<I, O>>
      : TRPCMutationProcedure<Built<I, O>>
    : never;
type RecordOf<T extends Table> = { [Domain in keyof T]: { [Verb in keyof T[Domain]]: ProcedureOf<T[Domain][Verb]> } };

const record = Object.fromEntries(
  Object.entries(operations as Table).map(([domain, verbs]) => [
    domain,
    Object.fromEntries(Object.entries(verbs).map(([verb, operation]) => [verb, procedureOf(operation)])),
  ]),
) as unknown as RecordOf<typeof operations>;

export const appRouter = t.router(record);
export type AppRouter = typeof appRouter;

/** Calls procedures within this process. */
export const createCaller = t.createCallerFactory(appRouter);
