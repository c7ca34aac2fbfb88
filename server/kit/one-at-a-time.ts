// Requests that come on one connection before the first is answered (pipelining): one is worked on, a few wait.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

const mostWaiting = 16;

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Node hands over at once whatever has arrived. This hands on the next request when the answer to the one before is out. */
export function oneAtATime(handle: Handler): Handler {
  const lines = new WeakMap<Socket, [IncomingMessage, ServerResponse][]>();
  const begin = (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    response.once("close", () => {
      const next = lines.get(socket)?.shift();
      if (next && !socket.destroyed) begin(...next);
      else lines.delete(socket);
    });
    handle(request, response);
  };
  return (request, response) => {
    const { socket } = request;
    // What had arrived before the connection was cut still comes.
    if (socket.destroyed) return;
    const line = lines.get(socket);
    if (!line) {
      lines.set(socket, []);
      begin(request, response);
    } else if (line.length < mostWaiting) line.push([request, response]);
    else socket.destroy();
  };
}
