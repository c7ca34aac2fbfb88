// npm run bench [-- postgres] [--quick]: loads the product and a hand-written baseline in turn, and prints the ratios.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { prepare as build } from "../scripts/setup/prepare.mjs";
import { root } from "../scripts/setup/project.mjs";
import { compareWith } from "./against.mjs";
import { measureBystanders } from "./bystanders.mjs";
import { cases } from "./cases.mjs";
import { compareStatements } from "./compare.mjs";
import { engines } from "./engines.mjs";
import { measure } from "./measure.mjs";
import { measurePools } from "./pools.mjs";
import { prepare } from "./prepare.mjs";
import { stopAll } from "./servers.mjs";
import { printBystanders, printCases, printComparison, printMachine, printPools, printTargets } from "./table.mjs";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: "boolean", default: false },
    /** Prints the statements of each case instead of measuring it. */
    statements: { type: "boolean", default: false },
    /** Only cases whose name contains this. */
    only: { type: "string", default: "" },
    /** Another built checkout to measure, such as an older commit. */
    product: { type: "string", default: root },
    rows: { type: "string", default: "100000" },
    /** An older commit to build and to measure beside today's product. */
    against: { type: "string", default: "" },
    /** Sizes of DATABASE_POOL to compare, separated by commas, instead of product and baseline. PostgreSQL only. */
    pools: { type: "string", default: "" },
  },
});
const engineName = positionals[0] ?? "sqlite";
// Short rounds, many times: a disturbance of the machine then affects all servers alike.
const rounds = options.quick ? 1 : 5;
const seconds = 2;
const connections = 50;
const warmUpSeconds = 1;
const pools = options.pools.split(",").filter(Boolean).map(Number);
const say = (text) => console.error(`[bench] ${text}`);

/** Runs every target in turn, for several rounds. */
async function runCase(one, { baseline, single, products }) {
  const targets = [baseline, ...(one.withSingleCommits && single ? [single] : []), ...products];
  for (const target of targets) await measure(one, target, { connections, seconds: warmUpSeconds });
  const figures = Object.fromEntries(targets.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const target of targets) figures[target.name].push(await measure(one, target, { connections, seconds }));
  }
  return figures;
}

async function main() {
  if (pools.length > 0 && engineName !== "postgres") throw new Error("SQLite has no pool of connections.");
  await build({ needsBuild: options.product === root });
  const folder = mkdtempSync(path.join(tmpdir(), "quittance-bench-"));
  if (options.against) return compare(folder).finally(() => cleanUp(folder));
  const engine = await engines[engineName](folder);
  try {
    const { targets, firstStartMs, secondStartMs } = await prepare({
      engine,
      folder,
      say,
      product: path.resolve(options.product),
      rows: Number(options.rows),
      isWorkerApart: options.statements,
      pools,
    });
    printMachine({ engine: engineName, rounds, seconds, connections });
    if (pools.length > 0) {
      const settings = { only: options.only, rounds, seconds, warmUpSeconds, connections, say };
      return printPools(await measurePools(targets.products, settings));
    }
    if (options.statements) return await compareStatements(targets);
    const results = {};
    for (const [name, one] of Object.entries(cases)) {
      if (!name.includes(options.only)) continue;
      say(name);
      results[name] = await runCase(one, targets);
    }
    printCases(results);
    console.log(`First start ${Math.round(firstStartMs)} ms, second start ${Math.round(secondStartMs)} ms.\n`);
    if (options.only) return;
    say("retrieves beside logins");
    const bystanders = await measureBystanders(targets, { rounds, seconds: 2 * seconds });
    printBystanders(bystanders);
    printTargets(results, bystanders, { secondStartMs });
  } finally {
    await engine.stop();
    cleanUp(folder);
  }
}

function cleanUp(folder) {
  stopAll();
  rmSync(folder, { recursive: true, force: true });
}

/** Measures today's product beside that of an older commit. */
async function compare(folder) {
  const settings = { commit: options.against, engineName, folder, rows: Number(options.rows), only: options.only, say };
  const { results, sha } = await compareWith({ ...settings, connections, seconds, warmUpSeconds });
  printMachine({ engine: engineName, rounds: "5 to 40", seconds, connections });
  printComparison(results, sha);
}

await main();
