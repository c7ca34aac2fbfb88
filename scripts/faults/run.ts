// npm run faults [-- --only kill,wal] [--engine sqlite] [--rounds 20] [--seed 7]: breaks what the product depends on,
// and counts what is lost, doubled or wrong. Exit code 1 if anything is, or if it is stopped before its end.
import { randomInt } from "node:crypto";
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
import { isBad, minutesOf, type Row, tableOf } from "./table";
import { wal } from "./wal";

const faults: readonly Fault[] = [kill, wal, disk, proxy, clock, leaks, backup];

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    engine: { type: "string" },
    rounds: { type: "string" },
    seed: { type: "string" },
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
  console.error("                         [--rounds <number>] [--seed <number>]");
  process.exit(2);
}

const stopped = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    if (!stopped.signal.aborted) say(`${signal}: stopping`);
    stopped.abort();
  });
}

const startedAt = performance.now();
const say = (text: string) => console.error(`[faults ${minutesOf(performance.now() - startedAt)}] ${text}`);

console.log(`Seed ${seed}: repeat with --seed ${seed}`);
/** Both engines at once: a fault mostly waits for its server to start, which keeps one core busy. */
const engines = (["sqlite", "postgres"] as const).filter((engine) => (values.engine ?? engine) === engine);
const rows = (await Promise.all(engines.map(rowsOf))).flat();
console.log(`\n${tableOf(rows)}\n`);
// What a stopped fault has left running ends with this process.
process.exit(rows.some(isBad) || stopped.signal.aborted ? 1 : 0);

/** Runs the chosen faults on one engine, one after the other. */
async function rowsOf(engine: Engine): Promise<Row[]> {
  const rows: Row[] = [];
  for (const fault of faults) {
    if (!fault.engines.includes(engine) || (only && !only.includes(fault.name))) continue;
    rows.push(await rowOf(fault, engine, { rounds, seed, signal: stopped.signal, say }));
  }
  return rows;
}
