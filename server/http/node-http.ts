// Adapts Node's request and response to our own lightweight objects. Nothing is parsed until it is needed.
import type { IncomingMessage, ServerResponse } from "node:http";
import { limits } from "@/server/kit/limits";
import type { RequestNotes } from "@/server/kit/request-notes";
import { drainable, isDraining } from "@/server/process/lifecycle";
import type { Arrival } from "./entrance";
import type { HttpReply, HttpRequest } from "./exchange";

const leftoverMs = 5_000;

/** One request. Its abort signal is only created when an operation wants to wait. */
class NodeRequest implements HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly peerAddress: string | null;
  readonly notes: RequestNotes;
  #signal: AbortSignal | null = null;

  constructor(
    readonly message: IncomingMessage,
    private readonly response: ServerResponse,
    { address, notes }: Arrival,
  ) {
    this.method = message.method ?? "GET";
    this.url = message.url ?? "/";
    this.peerAddress = address;
    this.notes = notes;
  }

  /**
   * Repeated headers joined by ", ", including those of which Node keeps one: two Authorization headers must not pass
   * as one. Reads the raw list, because Node's own objects parse all headers and few are needed.
   */
  readonly headers = {
    get: (name: string): string | null => {
      const { rawHeaders } = this.message;
      let joined: string | null = null;
      for (let i = 0; i < rawHeaders.length; i += 2) {
        const [given = "", value = ""] = [rawHeaders[i], rawHeaders[i + 1]];
        if (given.length !== name.length || given.toLowerCase() !== name) continue;
        joined = joined === null ? value : `${joined}, ${value}`;
      }
      return joined;
    },
  };

  get body(): AsyncIterable<Uint8Array> | null {
    const { headers } = this.message;
    if (headers["transfer-encoding"] === undefined && (headers["content-length"] ?? "0") === "0") return null;
    return { [Symbol.asyncIterator]: () => this.message.iterator({ destroyOnReturn: false }) };
  }

  /** Aborted when the caller disconnects or the process drains. */
  get signal(): AbortSignal {
    if (this.#signal) return this.#signal;
    const { controller, release } = drainable();
    const end = () => {
      controller.abort(new Error("the request is over"));
      release();
    };
    if (this.response.closed) end();
    else this.response.once("close", end);
    this.#signal = controller.signal;
    return controller.signal;
  }
}

/** A listener that answers each request when it arrives. Never rejects. */
export const listenerOf =
  (answer: (request: HttpRequest) => Promise<HttpReply>) =>
  async (message: IncomingMessage, response: ServerResponse, arrival: Arrival): Promise<void> => {
    try {
      await write(message, response, await answer(new NodeRequest(message, response, arrival)));
    } catch {
      // The headers are sent or the connection is closed: all that is left is to cut it off.
      response.destroy();
    }
  };

async function write(message: IncomingMessage, response: ServerResponse, reply: HttpReply): Promise<void> {
  const hasLeftover = !message.complete;
  if (reply.close || hasLeftover || isDraining()) response.setHeader("Connection", "close");
  if (reply.download) {
    const { chunks, signal } = reply.download;
    try {
      response.writeHead(reply.status, reply.headers);
      await send(response, message.method === "HEAD" ? [] : chunks, signal);
    } finally {
      reply.download.close();
    }
    return;
  }
  const body = reply.bytes ?? reply.body ?? "";
  if (reply.status !== 304) reply.headers["Content-Length"] = String(Buffer.byteLength(body));
  response.writeHead(reply.status, reply.headers);
  if (!hasLeftover) {
    response.end(body);
    return;
  }
  // Sent before the rest of the body is read: closing at once would reset the connection and lose the response.
  response.write(body);
  await readLeftover(message);
  response.end();
}

/**
 * Sends the chunks no faster than the receiver takes them. Rejects if a chunk fails. Once the connection is closed, or
 * the signal cuts it, no further chunk is made. Listens for the end of the connection once, however many chunks there
 * are: a stream pipeline listens seven times, and Node warns of more than ten listeners in all.
 */
async function send(
  response: ServerResponse,
  chunks: AsyncIterable<string> | Iterable<string>,
  signal: AbortSignal,
): Promise<void> {
  let wake = () => {};
  const happened = (event: "drain" | "finish") =>
    new Promise<void>((resolve) => {
      wake = resolve;
      response.once(event, resolve);
    });
  const cut = () => response.destroy();
  response.once("close", () => wake());
  signal.addEventListener("abort", cut, { once: true });
  if (signal.aborted) cut();
  try {
    for await (const chunk of chunks) {
      if (response.destroyed) return;
      if (!response.write(chunk)) await happened("drain");
      if (response.destroyed) return;
    }
    if (response.destroyed) return;
    const sent = happened("finish");
    response.end();
    await sent;
  } finally {
    signal.removeEventListener("abort", cut);
  }
}

/** Reads and drops the rest of a request body, within limits of size and time. */
function readLeftover(message: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    let left = limits.bodyDrainBytes;
    const done = () => {
      clearTimeout(timer);
      message.pause();
      message.off("data", count).off("end", done).off("close", done).off("error", done);
      resolve();
    };
    const count = (chunk: Uint8Array) => {
      left -= chunk.byteLength;
      if (left < 0) done();
    };
    const timer = setTimeout(done, leftoverMs);
    message.on("data", count).once("end", done).once("close", done).once("error", done);
    message.resume();
  });
}
