// How the server stops: every request that has reached it is answered, and idle connections end.
import type { Server } from "node:http";
import { Server as NetServer } from "node:net";
import { setImmediate as nextImmediate, setTimeout as sleep } from "node:timers/promises";
import { beginDraining } from "@/server/process/lifecycle";

const acceptGraceMs = 100;
const acceptMostMs = 1_000;
/** How long an open connection waits for another request. One already sent is still answered. */
const idleMs = 1_000;

/** Event of a draining server, with the milliseconds after which a connection that is idle by then ends. */
export const drainingEvent = "draining";

/**
 * Stops accepting connections, wakes long polls, and resolves when the requests in progress are answered, or cuts them
 * off after `timeoutMs`. From now on responses announce that their connection closes. A connection whose client was not
 * told gets a moment in which its next request is still answered. The client of a connection that ends idle has to
 * repeat its request on another one (RFC 9112, 9.3.1).
 */
export async function drain(server: Server, timeoutMs: number): Promise<"finished" | "cut off"> {
  const deadline = sleep(timeoutMs, "cut off" as const, { ref: false });
  await Promise.race([acceptWaiting(server), deadline]);
  // http.Server.close() would drop idle connections at once, even if a request has been sent on them.
  const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
  // The port is closed first: a client that is told to close its connection reconnects at once, and closing the port
  // would reset that connection before it is accepted.
  beginDraining();
  // For connections that become idle from now on, after a response whose headers were already sent.
  server.keepAliveTimeout = idleMs;
  server.emit(drainingEvent, idleMs);
  const result = await Promise.race([closed.then(() => "finished" as const), deadline]);
  server.closeAllConnections();
  return result;
}

/**
 * Accepts the connections that the system has established but Node has not accepted: closing the port would reset them.
 * Node accepts one per turn of its event loop, so a turn without one means that none is left.
 */
async function acceptWaiting(server: Server): Promise<void> {
  let accepted = 0;
  const count = () => void accepted++;
  server.on("connection", count);
  await sleep(acceptGraceMs);
  const latest = Date.now() + acceptMostMs;
  for (let before = -1; before !== accepted && Date.now() < latest; ) {
    before = accepted;
    await nextImmediate();
  }
  server.off("connection", count);
}
