// The REST face for hosts that speak the platform's Request and Response, such as Next's route handlers.
import { byteStream } from "./kit/download";
import type { Operation } from "./kit/operation";
import { namedCaller } from "./kit/peer";
import { answer } from "./rest";

/** Answers a platform request. */
export async function serve(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const reply = await answer({
    method: request.method,
    url: pathname + search,
    headers: request.headers,
    body: request.body as AsyncIterable<Uint8Array> | null,
    peerAddress: namedCaller(request.headers),
    signal: request.signal,
  });
  const body = reply.chunks && request.method !== "HEAD" ? byteStream(reply.chunks) : reply.body;
  return new Response(body, { status: reply.status, headers: reply.headers });
}

/**
 * The handlers of the path that these operations share: for every method, so that those it does not have are refused in
 * our own words. Throws if the operations do not share one path.
 */
export function route(...operations: readonly Operation[]) {
  const paths = new Set(operations.map(({ rest }) => rest?.path));
  if (paths.size > 1 || paths.has(undefined)) throw new Error("The operations of a route file share one path.");
  return { GET: serve, HEAD: serve, POST: serve, PUT: serve, PATCH: serve, DELETE: serve, OPTIONS: serve };
}
