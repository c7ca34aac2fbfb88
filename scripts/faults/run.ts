// npm run faults [-- --only kill,wal] [--engine sqlite] [--rounds 20] [--seed 7]: breaks what the product depends on,
// and counts what is lost, doubled or wrong. Exit code 1 if anything is, if a fault could not be run on this machine
// (unless --allow-missing), or if it is stopped before its end.
import { fork } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { parseArgs } from "node:util";
import type { Engine } from "@/e2e/server";
import { backup } from "./backup";
import { clock } from "./clock";
import { disk } from "./disk";
import type { Fault } from "./fault";
import { kill } from "./kill";
import { leaks } from "./leaks";
import { proxy } from "./proxy";
import { rowOf } from "./rounds";
import { brokenOff, isBad, minutesOf, type Row, tableOf } from "./table";
import { wal } from "./wal";

const faults: readonly Fault[] = [kill, wal, disk, proxy, clock, leaks, backup];

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    engine: { type: "string" },
    rounds: { type: "string" },
    seed: { type: "string" },
    "allow-missing": { type: "boolean" },
  },
});
const seed = Number(values.seed ?? randomInt(2 ** 31));
const only = values.only?.split(",");
const unknown = only?.filter((name) => !faults.some((fault) => fault.name === name)) ?? [];
const rounds = values.rounds === undefined ? undefined : Number(values.rounds);
if (
  unknown.length > 0 ||
  !["sqlite", "postgres", undefined].includes(values.engine) ||
  !Number.isInteger(seed) ||
  (rounds !== undefined && !(Number.isInteger(rounds) && rounds > 0))
) {
  console.error(
    `Usage: npm run faults -- [--only ${faults.map(({ name }) => name).join(",")}] [--engine sqlite|postgres]`,
  );
  console.error("                         [--rounds <number>] [--seed <number>] [--allow-missing]");
  process.exit(2);
}

const stopped = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    if (!stopped.signal.aborted && !process.send) say(`${signal}: stopping`);
    stopped.abort();
  });
}

// The process that prints the table is gone.
process.on("disconnect", () => stopped.abort());

const startedAt = performance.now();
const say = (text: string) => console.error(`[faults ${minutesOf(performance.now() - startedAt)}] ${text}`);

const { engine } = values;
if (!process.send) say(`seed ${seed}`);
if (engine === "sqlite" || engine === "postgres") finish(await rowsOf(engine));
else finish((await Promise.all([rowsOfProcess("sqlite"), rowsOfProcess("postgres")])).flat());

/** Runs the chosen faults on one engine, one after the other. */
async function rowsOf(engine: Engine): Promise<Row[]> {
  const rows: Row[] = [];
  for (const fault of faults) {
    if (!fault.engines.includes(engine) || (only && !only.includes(fault.name))) continue;
    rows.push(await rowOf(fault, engine, { rounds, seed, signal: stopped.signal, say }));
  }
  return rows;
}

/** Does the same in a process of its own, where the checks of the other engine cannot delay it. */
async function rowsOfProcess(engine: Engine): Promise<Row[]> {
  const args = [...process.argv.slice(2), "--engine", engine, "--seed", String(seed)];
  const child = fork(import.meta.filename, args);
  stopped.signal.addEventListener("abort", () => child.kill("SIGTERM"));
  let rows: Row[] | null = null;
  child.on("message", (message) => {
    rows = message as Row[];
  });
  await once(child, "exit");
  if (rows !== null) return rows;
  const lack = "its process ended before it could say what it found";
  return [{ name: "all", title: "all faults", engine, result: { ...brokenOff, note: lack } }];
}

/** Prints the table, or sends the rows to the process that prints it. Ends what a stopped fault has left running. */
function finish(rows: Row[]): void {
  if (process.send) return void process.send(rows, () => process.exit());
  console.log(`\nWith --seed ${seed}:\n\n${tableOf(rows)}\n`);
  process.exit(rows.some((row) => isBad(row, values["allow-missing"])) || stopped.signal.aborted ? 1 : 0);
}
