// Adapts our handlers to hosts that use the web Request and Response, such as Next's route handlers.
import { byteStream } from "@/server/kit/download";
import type { Operation } from "@/server/kit/operation";
import { namedCaller } from "@/server/kit/peer";
import { newNotes } from "@/server/kit/request-notes";
import type { HttpReply, HttpRequest } from "./exchange";
import { answer } from "./rest";

/** Turns one of our handlers into a handler of web requests. */
export const handlerOf = (answer: (request: HttpRequest) => Promise<HttpReply>) => async (request: Request) => {
  const { pathname, search } = new URL(request.url);
  const reply = await answer({
    method: request.method,
    url: pathname + search,
    headers: request.headers,
    body: request.body as AsyncIterable<Uint8Array> | null,
    peerAddress: namedCaller(request.headers),
    signal: request.signal,
    notes: newNotes(),
  });
  const { download } = reply;
  if (request.method === "HEAD") download?.close();
  const body = download && request.method !== "HEAD" ? byteStream(download) : (reply.bytes ?? reply.body);
  return new Response(request.method === "HEAD" ? null : body, { status: reply.status, headers: reply.headers });
};

const serve = handlerOf(answer);

/**
 * The handlers of the path that these operations share. It has every method, so that unsupported ones get our own
 * refusal. Throws if the operations do not share one path.
 */
export function route(...operations: readonly Operation[]) {
  const paths = new Set(operations.map(({ rest }) => rest?.path));
  if (paths.size > 1 || paths.has(undefined)) throw new Error("The operations of a route file must share one path.");
  return { GET: serve, HEAD: serve, POST: serve, PUT: serve, PATCH: serve, DELETE: serve, OPTIONS: serve };
}
