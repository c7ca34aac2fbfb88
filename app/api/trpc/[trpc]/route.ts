// The operations for our own pages in the browser. The session cookie is the credential, so other sites are refused.
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { callRequestOf } from "@/app/_trpc/call-request";
import { bodyBytesOf, checkUpload } from "@/server/http/body-bytes";
import { parseJsonObject, readBody } from "@/server/http/json-body";
import { isFromOtherSite, isSameOrigin } from "@/server/http/same-origin";
import { Failure } from "@/server/kit/errors";
import { appRouter, failureOf } from "@/server/pipeline/trpc-router";
import { type Runtime, runtime } from "@/server/process/runtime";

const endpoint = "/api/trpc";

/**
 * A query is a GET and changes nothing; a mutation is a POST from one of our own pages. A refused query is recorded, so
 * a page of another site must not be able to send the user's browser there.
 */
async function answer(request: Request): Promise<Response> {
  const running = await runtime();
  try {
    const { method, headers } = request;
    const isAllowed = method === "GET" ? !isFromOtherSite(headers) : isSameOrigin(headers, running.env.appUrl);
    if (!isAllowed) {
      throw new Failure("insufficient_permissions", 403, "This call must come from a page of this site.");
    }
    return await perform(await checked(request), request, running);
  } catch (error) {
    const failure = failureOf(error);
    if (failure.code === "internal_error") running.log.error({ err: error }, "a call from a page failed");
    return refusal(failure);
  }
}

async function perform(checkedRequest: Request, request: Request, running: Runtime): Promise<Response> {
  const cookies: string[] = [];
  const call = callRequestOf(request.headers, running, request.signal, cookies);
  const response = await fetchRequestHandler({
    endpoint,
    req: checkedRequest,
    router: appRouter,
    allowBatching: false,
    createContext: () => ({ runtime: running, request: call, answersInJson: true }),
    responseMeta: ({ errors }) => (errors[0] ? { status: failureOf(errors[0]).status } : {}),
    onError({ error, path }) {
      const failure = failureOf(error);
      Object.assign(call.answerHeaders, failure.headers);
      if (failure.code === "internal_error") {
        running.log.error({ err: error, requestId: call.requestId, operation: path }, "a call from a page failed");
      }
    },
  });
  for (const [name, value] of Object.entries(call.answerHeaders)) response.headers.append(name, value);
  for (const cookie of cookies) response.headers.append("Set-Cookie", cookie);
  response.headers.set("Request-Id", call.requestId);
  response.headers.set("Cache-Control", "no-store");
  return response;
}

/** The same HTTP request, after checking its input against the bounds that the REST interface sets too, except for uploads. */
async function checked(request: Request): Promise<Request> {
  if (request.method !== "POST") {
    const input = new URL(request.url).searchParams.get("input");
    if (input !== null) parseJsonObject(Buffer.from(input), "application/json");
    return request;
  }
  const most = bodyBytesOf(new URL(request.url).pathname);
  const body = await readBody(request.body as AsyncIterable<Uint8Array> | null, most);
  checkUpload(body);
  parseJsonObject(body, request.headers.get("content-type"));
  return new Request(request.url, { method: "POST", headers: request.headers, body: new Uint8Array(body) });
}

/** In the format of errors that tRPC's client expects. */
function refusal(failure: Failure): Response {
  const { code, status, message } = failure;
  const data = { httpStatus: status, error_code: code, error_description: message };
  const headers = { ...failure.headers, "Cache-Control": "no-store" };
  return Response.json({ error: { code: -32600, message, data } }, { status, headers });
}

export { answer as GET, answer as POST };
