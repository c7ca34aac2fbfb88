// npm run soak [-- --minutes 10] [--engine postgres] [--seed n]: random lives for some minutes, then the matrix. With
// --flaw, a check of the soak itself.
import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { availableParallelism } from "node:os";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { startPostgres } from "./setup/postgres.mjs";
import { prepare, reportFailure } from "./setup/prepare.mjs";
import { root, SetupError } from "./setup/project.mjs";

const { values: options } = parseArgs({
  options: {
    /** How long new lives begin. The matrix comes after them. */
    minutes: { type: "string", default: "10" },
    engine: { type: "string", default: "sqlite" },
    /** The seed of the first life; each further life has the next seed. Random by default. */
    from: { type: "string", default: String(randomInt(2 ** 30)) },
    /** How many workers share the work. One per core by default. */
    workers: { type: "string", default: String(availableParallelism()) },
    /** Replays the life with this seed, step by step. */
    seed: { type: "string" },
    /** Replays this combination of the matrix, step by step. */
    combination: { type: "string" },
    /** Puts a known flaw into the product, see soak-flaws.mjs. The soak must then find a violation. */
    flaw: { type: "string", default: "" },
  },
});

/** A number that an option gives. Throws for anything else. */
function numberOf(name) {
  const value = Number(options[name]);
  if (options[name] === undefined) return "";
  if (!(value >= 0 && value <= 0x7fffffff)) throw new SetupError(`--${name} must be a number, not ${options[name]}.`);
  return String(value);
}

/** Runs the soak. Resolves to its exit code and whether it has found a violation. */
function run(env) {
  const args = ["node_modules/vitest/vitest.mjs", "run", "--config", "test/soak/vitest.config.ts"];
  const stdio = ["inherit", "pipe", "inherit"];
  const child = spawn(process.execPath, args, { cwd: root, stdio, env: { ...process.env, ...env } });
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => child.kill(signal));
  let hasViolation = false;
  createInterface({ input: child.stdout }).on("line", (line) => {
    console.log(line);
    hasViolation ||= line.startsWith("VIOLATION");
  });
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, hasViolation })));
}

async function main() {
  const { engine } = options;
  if (engine !== "sqlite" && engine !== "postgres") throw new SetupError("--engine must be sqlite or postgres.");
  const settings = {
    SOAK_MINUTES: numberOf("minutes"),
    SOAK_FROM: numberOf("from"),
    // A replay is one life.
    SOAK_WORKERS: options.seed === undefined && options.combination === undefined ? numberOf("workers") : "1",
    SOAK_SEED: numberOf("seed"),
    SOAK_COMBINATION: numberOf("combination"),
    SOAK_FLAW: options.flaw,
  };
  await prepare({ needsBuild: false });
  if (options.seed === undefined && options.combination === undefined) {
    console.log(`seed ${options.from}, ${options.minutes} minutes on ${engine}, ${options.workers} workers`);
  }
  const given = process.env.TEST_DATABASE_URL_PG;
  const server = engine === "postgres" && !given ? await startPostgres() : { url: given ?? "", stop: async () => {} };
  try {
    const database = engine === "sqlite" ? "file::memory:" : server.url;
    const { code, hasViolation } = await run({ ...settings, DATABASE_URL: database, TEST_DATABASE_URL_PG: server.url });
    const isExpected = options.flaw === "" ? code === 0 : hasViolation;
    if (options.flaw !== "") console.log(`the flaw ${options.flaw} was ${hasViolation ? "found" : "NOT found"}`);
    process.exitCode = isExpected ? 0 : 1;
  } finally {
    await server.stop();
  }
}

await main().catch(reportFailure);
