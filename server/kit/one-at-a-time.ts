// Requests that come on one connection before the first is answered (pipelining): one is worked on, a few wait.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

const mostWaiting = 16;
/** Names and values of headers that wait. Many small ones take ten times the memory of their bytes. */
const mostHeaderStrings = 1_000;

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

interface Line {
  readonly waiting: [IncomingMessage, ServerResponse][];
  headerStrings: number;
}

/** Node hands over at once whatever has arrived. This hands on the next request when the answer to the one before is out. */
export function oneAtATime(handle: Handler): Handler {
  const lines = new WeakMap<Socket, Line>();
  const begin = (request: IncomingMessage, response: ServerResponse, line: Line) => {
    const { socket } = request;
    response.once("close", () => {
      const next = line.waiting.shift();
      // An answer that closes the connection leaves no way to answer what came after it.
      if (!next || !socket.writable) {
        lines.delete(socket);
        return;
      }
      line.headerStrings -= next[0].rawHeaders.length;
      begin(...next, line);
    });
    handle(request, response);
  };
  return (request, response) => {
    const { socket } = request;
    // What had arrived before the connection was cut, or closed by an answer, still comes.
    if (!socket.writable) return;
    const line = lines.get(socket);
    if (!line) {
      const own = { waiting: [], headerStrings: 0 };
      lines.set(socket, own);
      begin(request, response, own);
      return;
    }
    line.headerStrings += request.rawHeaders.length;
    if (line.waiting.push([request, response]) > mostWaiting || line.headerStrings > mostHeaderStrings)
      socket.destroy();
  };
}
