// A TCP proxy for PostgreSQL that cuts connections at a chosen moment of a COMMIT, or refuses them for a while.
import { connect, createServer, type Socket } from "node:net";

/**
 * `before`: the COMMIT never arrives. `after`: it arrives, but its answer does not. `unnoticed`: it never arrives, and
 * the server does not notice that the client has disconnected.
 */
export type CommitCut = "before" | "after" | "unnoticed";

const isCommit = (message: Buffer): boolean => message[0] === 0x51 && message.subarray(5, 11).toString() === "COMMIT";

export interface PostgresProxy {
  /** The database behind the proxy. */
  readonly url: string;
  /** Cuts the connection of the next COMMIT. With `downMs`, also cuts all others and refuses new ones for that long. */
  cutNextCommit(cut: CommitCut, downMs?: number): void;
  /** How many COMMITs have reached the server. */
  commits(): number;
  close(): Promise<void>;
}

/** Opens a proxy to the database at `url`. */
export async function openPostgresProxy(url: string): Promise<PostgresProxy> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let planned: { cut: CommitCut; downMs: number } | null = null;
  let downUntil = 0;
  let commits = 0;

  const server = createServer((client) => {
    if (Date.now() < downUntil) return client.destroy();
    const upstream = connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    }
    let isMute = false;
    client.on("data", (message) => {
      const cut = isCommit(message) ? planned : null;
      if (cut === null) {
        if (isCommit(message)) commits++;
        upstream.write(message);
        return;
      }
      planned = null;
      downUntil = Date.now() + cut.downMs;
      if (cut.downMs > 0) for (const socket of sockets) if (socket !== upstream) socket.destroy();
      isMute = true;
      if (cut.cut === "after") {
        commits++;
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
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The proxy has no port.");
  const proxied = new URL(url);
  proxied.hostname = "127.0.0.1";
  proxied.port = String(address.port);

  return {
    url: proxied.href,
    cutNextCommit(cut, downMs = 0) {
      planned = { cut, downMs };
    },
    commits: () => commits,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
