// A TCP proxy for PostgreSQL that cuts connections at a chosen moment of a COMMIT, refuses them for a while, or
// disturbs any message.
import { connect, createServer, type Socket } from "node:net";

/**
 * `before`: the COMMIT never arrives. `after`: it arrives, but its answer does not. `unnoticed`: it never arrives, and
 * the server does not notice that the client has disconnected.
 */
type CommitCut = "before" | "after" | "unnoticed";

/** What happens to one message: a cut, a reset of the connection, or a pause before it goes on. */
export type Trouble = CommitCut | "reset" | { stallMs: number };

const isCommit = (message: Buffer): boolean => message[0] === 0x51 && message.subarray(5, 11).toString() === "COMMIT";

export interface PostgresProxy {
  /** The database behind the proxy. */
  readonly url: string;
  /** Cuts the connection of the next COMMIT. With `downMs`, also cuts all others and refuses new ones for that long. */
  cutNextCommit(cut: CommitCut, downMs?: number): void;
  /** Decides about every message from now on; null lets it pass. Without an argument, everything passes again. */
  disturb(decide?: (isCommit: boolean) => Trouble | null): void;
  /** How many COMMITs have reached the server. */
  commits(): number;
  close(): Promise<void>;
}

/** What happens to messages at present. */
interface Plan {
  /** For the next COMMIT. */
  cut: { cut: CommitCut; downMs: number } | null;
  decide: (isCommit: boolean) => Trouble | null;
  downUntil: number;
  commits: number;
  readonly sockets: Set<Socket>;
}

/** Opens a proxy to the database at `url`. */
export async function openPostgresProxy(url: string): Promise<PostgresProxy> {
  const target = new URL(url);
  const plan: Plan = { cut: null, decide: () => null, downUntil: 0, commits: 0, sockets: new Set() };
  const { sockets } = plan;
  const server = createServer((client) => {
    if (Date.now() < plan.downUntil) return client.destroy();
    const upstream = connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    }
    forward(client, upstream, plan);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The proxy has no port.");
  const proxied = new URL(url);
  proxied.hostname = "127.0.0.1";
  proxied.port = String(address.port);
  // The folder of the server's socket, which would lead around the proxy.
  proxied.searchParams.delete("host");

  return {
    url: proxied.href,
    cutNextCommit(cut, downMs = 0) {
      plan.cut = { cut, downMs };
    },
    disturb(decide = () => null) {
      plan.decide = decide;
    },
    commits: () => plan.commits,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Passes messages on in both directions, as planned. */
function forward(client: Socket, upstream: Socket, plan: Plan): void {
  let isMute = false;
  client.on("data", (message) => {
    const isOfCommit = isCommit(message);
    const trouble = plan.decide(isOfCommit);
    if (trouble === "reset") {
      client.resetAndDestroy();
      upstream.resetAndDestroy();
      return;
    }
    const planned = isOfCommit ? plan.cut : null;
    const cut = typeof trouble === "string" ? { cut: trouble, downMs: 0 } : planned;
    if (cut === null) {
      if (isOfCommit) plan.commits++;
      if (trouble === null || typeof trouble === "string") upstream.write(message);
      else passLater(client, upstream, message, trouble.stallMs);
      return;
    }
    plan.cut = null;
    plan.downUntil = Date.now() + cut.downMs;
    if (cut.downMs > 0) for (const socket of plan.sockets) if (socket !== upstream) socket.destroy();
    isMute = true;
    if (cut.cut === "after") {
      plan.commits++;
      upstream.write(message);
      upstream.once("data", () => client.destroy());
      return;
    }
    client.destroy();
    if (cut.cut === "before") upstream.destroy();
  });
  upstream.on("data", (message) => {
    if (!isMute) client.write(message);
  });
  client.on("close", () => {
    if (!isMute) upstream.destroy();
  });
  upstream.on("close", () => client.destroy());
}

/** Passes the message on after a pause, and those after it later still. */
function passLater(client: Socket, upstream: Socket, message: Buffer, pauseMs: number): void {
  client.pause();
  setTimeout(() => {
    if (!upstream.destroyed) upstream.write(message);
    client.resume();
  }, pauseMs);
}
