// Answers a page's request for an export: the file, or the refusal as JSON.
import { isFromOtherSite } from "@/server/http/same-origin";
import { byteStream, type Download } from "@/server/kit/download";
import { Failure } from "@/server/kit/errors";
import { createCaller, failureOf } from "@/server/pipeline/trpc-router";
import { runtime } from "@/server/process/runtime";
import { callRequestOf } from "./call-request";

type Caller = ReturnType<typeof createCaller>;

/** `open` begins the download with the address's query, without its question mark. */
export async function exportAnswer(
  request: Request,
  open: (caller: Caller, query: string) => Promise<Download>,
): Promise<Response> {
  const running = await runtime();
  const isHead = request.method === "HEAD";
  const call = Object.assign(callRequestOf(request.headers, running, request.signal), { isHead });
  try {
    if (isFromOtherSite(request.headers)) {
      throw new Failure("insufficient_permissions", 403, "An export must be requested from a page of this site.");
    }
    const file = await open(createCaller({ runtime: running, request: call }), new URL(request.url).search.slice(1));
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
