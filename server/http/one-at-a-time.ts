// HTTP pipelining: of the requests that arrive on one connection before a response, one is handled and a few wait.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { limits } from "@/server/kit/limits";

export type ParserError = Error & { code?: string };
type Handler = (request: IncomingMessage, response: ServerResponse) => void;

interface Waiting {
  request: IncomingMessage;
  response: ServerResponse;
  /** Releases the room that its body takes. */
  release: () => void;
}

interface Line {
  /** The request being handled. */
  current: { request: IncomingMessage; response: ServerResponse } | null;
  readonly waiting: Waiting[];
  headerStrings: number;
  /** The parser error for bytes that followed a complete request. */
  fault: ParserError | null;
}

interface LineOptions {
  handle: Handler;
  /** Reserves room for the body of a waiting request; null if there is none. */
  reserveBody(request: IncomingMessage): (() => void) | null;
  /** Answers invalid HTTP. `isAnswering`: a response on the connection has started and not ended. */
  answerBroken(error: ParserError, socket: Socket, isAnswering: boolean): void;
}

const isTooLong = ({ waiting, headerStrings }: Line): boolean =>
  waiting.length > limits.pipelined.requests || headerStrings > limits.pipelined.headerStrings;

/**
 * Node emits requests as they arrive. `receive` passes on the next request once the previous response is sent. `fail`
 * takes parser errors. An error that follows another request waits until that one is answered, so that its response is
 * neither cut off nor mistaken for the error's.
 */
export function oneAtATime({ handle, reserveBody, answerBroken }: LineOptions) {
  const lines = new WeakMap<Socket, Line>();

  function lineOf(socket: Socket): Line {
    const known = lines.get(socket);
    if (known) return known;
    const line: Line = { current: null, waiting: [], headerStrings: 0, fault: null };
    lines.set(socket, line);
    socket.once("close", () => {
      for (const { release } of line.waiting.splice(0)) release();
    });
    return line;
  }

  function begin(request: IncomingMessage, response: ServerResponse, line: Line): void {
    line.current = { request, response };
    response.once("close", () => advance(request.socket, line));
    handle(request, response);
  }

  function advance(socket: Socket, line: Line): void {
    line.current = null;
    // A response that closes the connection leaves no way to answer what follows it.
    if (!socket.writable) return;
    const next = line.waiting.shift();
    // The rest of the broken request will never arrive.
    if (next && (next.request.complete || !line.fault)) {
      line.headerStrings -= next.request.rawHeaders.length;
      next.release();
      begin(next.request, next.response, line);
      return;
    }
    next?.release();
    if (!line.fault) return;
    // With unread data in its buffer, the system would cut off the response.
    socket.resume();
    answerBroken(line.fault, socket, false);
  }

  return {
    receive(request: IncomingMessage, response: ServerResponse): void {
      const { socket } = request;
      // Data that arrived before the connection was cut, or closed by a response, is still emitted.
      if (!socket.writable) return;
      const line = lineOf(socket);
      if (line.fault) return;
      if (!line.current) {
        begin(request, response, line);
        return;
      }
      line.headerStrings += request.rawHeaders.length;
      const release = reserveBody(request);
      if (release) line.waiting.push({ request, response, release });
      if (!release || isTooLong(line)) socket.destroy();
    },
    /** Whether the connection has no request in progress. */
    isIdle: (socket: Socket): boolean => !lines.get(socket)?.current,
    fail(error: ParserError, socket: Socket): void {
      const line = lineOf(socket);
      if (line.fault) return;
      line.fault = error;
      const { current } = line;
      if (!current?.request.complete) answerBroken(error, socket, current?.response.headersSent ?? false);
      // Nothing that follows can be parsed.
      else socket.pause();
    },
  };
}
