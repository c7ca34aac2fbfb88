// How the server stops: every request that has reached it is answered, and connections without one end.
import type { Server } from "node:http";
import { Server as NetServer } from "node:net";
import { setImmediate as nextImmediate, setTimeout as sleep } from "node:timers/promises";
import { beginDraining } from "@/server/process/lifecycle";

const ACCEPT_GRACE_MS = 100;
const ACCEPT_MOST_MS = 1_000;
/** How long an open connection waits for another request. One that is already on its way is still answered. */
const IDLE_MS = 1_000;

/** Emitted on the server that drains, with the milliseconds after which a connection that is idle by then ends. */
export const DRAINING = "draining";

/**
 * Stops taking connections, wakes long polls, and resolves when the running requests are answered, or after
 * `timeoutMs`, when the rest is cut off. Answers from now on say that they close their connection. A connection whose
 * client was never told so gets a moment in which its next request is still answered. The client of a connection that
 * ends idle has to make its request again on another one (RFC 9112, 9.3.1).
 */
export async function drain(server: Server, timeoutMs: number): Promise<"finished" | "cut off"> {
  const deadline = sleep(timeoutMs, "cut off" as const, { ref: false });
  await Promise.race([acceptWaiting(server), deadline]);
  // http.Server.close() would drop idle connections at once, under requests that are on their way.
  const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
  // The port is closed first. A client that is told to close its connection opens a new one at once, and closing the port
  // would reset it before it is accepted.
  beginDraining();
  // For connections that become idle from now on, by an answer whose head was out before.
  server.keepAliveTimeout = IDLE_MS;
  server.emit(DRAINING, IDLE_MS);
  const result = await Promise.race([closed.then(() => "finished" as const), deadline]);
  server.closeAllConnections();
  return result;
}

/**
 * Takes the connections that the system has established and Node has not accepted yet: closing the port would reset
 * them. Node accepts one in each turn of its event loop, so a turn without one means that none is left.
 */
async function acceptWaiting(server: Server): Promise<void> {
  let accepted = 0;
  const count = () => void accepted++;
  server.on("connection", count);
  await sleep(ACCEPT_GRACE_MS);
  const latest = Date.now() + ACCEPT_MOST_MS;
  for (let before = -1; before !== accepted && Date.now() < latest; ) {
    before = accepted;
    await nextImmediate();
  }
  server.off("connection", count);
}
