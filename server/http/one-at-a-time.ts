// Requests that come on one connection before the first is answered (pipelining): one is worked on, a few wait.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { limits } from "@/server/kit/limits";

export type ParserError = Error & { code?: string };
type Handler = (request: IncomingMessage, response: ServerResponse) => void;

interface Waiting {
  request: IncomingMessage;
  response: ServerResponse;
  /** Gives back the room that its body takes. */
  release: () => void;
}

interface Line {
  /** What is worked on now. */
  current: { request: IncomingMessage; response: ServerResponse } | null;
  readonly waiting: Waiting[];
  headerStrings: number;
  /** What the parser made of bytes that came after a whole request. */
  fault: ParserError | null;
}

export interface LineOptions {
  handle: Handler;
  /** Takes room for the body of a request that waits; null if there is none. */
  holdBody(request: IncomingMessage): (() => void) | null;
  /** Answers what is no request. `isAnswering` while an answer on the connection has begun and not ended. */
  answerBroken(error: ParserError, socket: Socket, isAnswering: boolean): void;
}

const isTooLong = ({ waiting, headerStrings }: Line): boolean =>
  waiting.length > limits.pipelined.requests || headerStrings > limits.pipelined.headerStrings;

/**
 * Node hands over at once whatever has arrived. `receive` hands on the next request when the answer to the one before is
 * out. `fail` takes the parser's errors: those of a request that comes after another wait until that one is answered, so
 * that its answer is neither cut off nor taken for the error's.
 */
export function oneAtATime({ handle, holdBody, answerBroken }: LineOptions) {
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
    response.once("close", () => goOn(request.socket, line));
    handle(request, response);
  }

  function goOn(socket: Socket, line: Line): void {
    line.current = null;
    // An answer that closes the connection leaves no way to answer what came after it.
    if (!socket.writable) return;
    const next = line.waiting.shift();
    // Of the request that is broken the rest will never come.
    if (next && (next.request.complete || !line.fault)) {
      line.headerStrings -= next.request.rawHeaders.length;
      next.release();
      begin(next.request, next.response, line);
      return;
    }
    next?.release();
    if (!line.fault) return;
    // What was sent and is never read would have the system cut off the answer.
    socket.resume();
    answerBroken(line.fault, socket, false);
  }

  return {
    receive(request: IncomingMessage, response: ServerResponse): void {
      const { socket } = request;
      // What had arrived before the connection was cut, or closed by an answer, still comes.
      if (!socket.writable) return;
      const line = lineOf(socket);
      if (line.fault) return;
      if (!line.current) {
        begin(request, response, line);
        return;
      }
      line.headerStrings += request.rawHeaders.length;
      const release = holdBody(request);
      if (release) line.waiting.push({ request, response, release });
      if (!release || isTooLong(line)) socket.destroy();
    },
    /** Whether no request of the connection is under way. */
    isIdle: (socket: Socket): boolean => !lines.get(socket)?.current,
    fail(error: ParserError, socket: Socket): void {
      const line = lineOf(socket);
      if (line.fault) return;
      line.fault = error;
      const { current } = line;
      if (!current?.request.complete) answerBroken(error, socket, current?.response.headersSent ?? false);
      // Nothing that follows can be understood.
      else socket.pause();
    },
  };
}
