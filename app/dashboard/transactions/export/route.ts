// Exports the list of transactions as a file: the filters of its address, the columns that it shows.
import { callRequestOf } from "@/app/_trpc/call-request";
import { exportTransactions } from "@/server/domains/transactions/operations/export";
import { readQuery } from "@/server/http/query-input";
import { isFromOtherSite } from "@/server/http/same-origin";
import { byteStream } from "@/server/kit/download";
import { Failure } from "@/server/kit/errors";
import { queryFieldsOf } from "@/server/kit/query-fields";
import { createCaller, failureOf } from "@/server/pipeline/trpc-router";
import { runtime } from "@/server/process/runtime";
import { exportColumnsFor } from "../_parts/list-shape";

const fields = queryFieldsOf(exportTransactions.input);

type Query = Parameters<ReturnType<typeof createCaller>["transactions"]["export"]>[0];

async function answer(request: Request): Promise<Response> {
  const running = await runtime();
  const isHead = request.method === "HEAD";
  const call = Object.assign(callRequestOf(request.headers, running, request.signal), { isHead });
  try {
    if (isFromOtherSite(request.headers)) {
      throw new Failure("insufficient_permissions", 403, "An export must be requested from a page of this site.");
    }
    const given = readQuery(new URL(request.url).search.slice(1), fields);
    const columns = Array.isArray(given.columns) ? exportColumnsFor(given.columns) : undefined;
    const caller = createCaller({ runtime: running, request: call });
    const file = await caller.transactions.export({ ...given, format: "csv", columns } as Query);
    if (isHead) file.close();
    const body = isHead ? null : byteStream(file);
    return new Response(body, { headers: { ...file.headers, ...headersOf(call) } });
  } catch (error) {
    const { code, status, message, headers } = failureOf(error);
    if (code === "internal_error") running.log.error({ err: error, requestId: call.requestId }, "an export failed");
    return Response.json(
      { error_code: code, error_description: message },
      { status, headers: { ...headers, ...headersOf(call) } },
    );
  }
}

const headersOf = ({ requestId, answerHeaders }: ReturnType<typeof callRequestOf>) => ({
  ...answerHeaders,
  "Request-Id": requestId,
  "Cache-Control": "no-store",
});

export { answer as GET, answer as HEAD };
