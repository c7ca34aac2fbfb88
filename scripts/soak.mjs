// npm run soak [-- --minutes 10] [--engine postgres] [--seed n]: random lives for some minutes, then the matrix.
import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { availableParallelism } from "node:os";
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
  },
});

/** A number that an option gives. Throws for anything else. */
function numberOf(name) {
  const value = Number(options[name]);
  if (options[name] === undefined) return "";
  if (!(value >= 0 && value <= 0x7fffffff)) throw new SetupError(`--${name} must be a number, not ${options[name]}.`);
  return String(value);
}

function run(env) {
  const args = ["node_modules/vitest/vitest.mjs", "run", "--config", "test/soak/vitest.config.ts"];
  const child = spawn(process.execPath, args, { cwd: root, stdio: "inherit", env: { ...process.env, ...env } });
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => child.kill(signal));
  return new Promise((resolve) => child.once("close", resolve));
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
  };
  await prepare({ needsBuild: false });
  if (options.seed === undefined && options.combination === undefined) {
    console.log(`seed ${options.from}, ${options.minutes} minutes on ${engine}, ${options.workers} workers`);
  }
  const given = process.env.TEST_DATABASE_URL_PG;
  const server = engine === "postgres" && !given ? await startPostgres() : { url: given ?? "", stop: async () => {} };
  try {
    const database = engine === "sqlite" ? "file::memory:" : server.url;
    const code = await run({ ...settings, DATABASE_URL: database, TEST_DATABASE_URL_PG: server.url });
    process.exitCode = code === 0 ? 0 : 1;
  } finally {
    await server.stop();
  }
}

await main().catch(reportFailure);
