// npm run faults [-- --only kill,wal] [--engine sqlite] [--rounds 20] [--seed 7]: breaks what the product depends on,
// and counts what is lost, doubled or wrong. Exit code 1 if anything is.
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import type { Engine } from "@/e2e/server";
import { backup } from "./backup";
import { clock } from "./clock";
import { disk } from "./disk";
import { type Fault, nothingFound, seeded } from "./fault";
import { kill } from "./kill";
import { leaks } from "./leaks";
import { proxy } from "./proxy";
import { isBad, type Row, tableOf } from "./table";
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
  !Number.isInteger(seed) ||
  (rounds !== undefined && !(Number.isInteger(rounds) && rounds > 0))
) {
  console.error(
    `Usage: npm run faults -- [--only ${faults.map(({ name }) => name).join(",")}] [--engine sqlite|postgres]`,
  );
  console.error("                         [--rounds <number>] [--seed <number>]");
  process.exit(2);
}

const say = (text: string) => console.error(`[faults] ${text}`);

/** Runs one fault on one engine. If its run throws, that counts as wrong. */
async function rowOf(fault: Fault, engine: Engine): Promise<Row> {
  const row = { name: fault.title, engine };
  const lack = fault.lacks?.() ?? null;
  if (lack !== null) return { ...row, result: lack };
  say(`${fault.name} on ${engine}`);
  const conditions = { engine, rounds: rounds ?? fault.rounds, random: seeded(seed), say };
  try {
    const result = await fault.run(conditions);
    for (const kind of ["lost", "doubled", "wrong"] as const) {
      for (const text of new Set(result[kind].slice(0, 20))) say(`${kind}: ${text}`);
    }
    return { ...row, result };
  } catch (error) {
    console.error(error);
    return { ...row, result: { ...nothingFound(), wrong: ["it broke off"], note: "broke off; see above" } };
  }
}

console.log(`Seed ${seed}: repeat with --seed ${seed}`);
const rows: Row[] = [];
for (const fault of faults) {
  if (only && !only.includes(fault.name)) continue;
  for (const engine of fault.engines) {
    if (values.engine === undefined || values.engine === engine) rows.push(await rowOf(fault, engine));
  }
}
console.log(`\n${tableOf(rows)}\n`);
process.exitCode = rows.some(isBad) ? 1 : 0;
