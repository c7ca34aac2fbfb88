// Runs before each test file that opens a database: what Argon2 has once answered for a password is remembered for the
// rest of the process. Tests create hundreds of users with the same few passwords, and each check takes 20 ms.
// server/secrets/password.test.ts runs without this file.
import "@/server/secrets/password";
import type { Piscina } from "piscina";

interface Pool {
  run: Piscina["run"];
  answers?: Map<string, unknown>;
}

const pool = Reflect.get(globalThis, Symbol.for("quittance.passwords")) as Pool;
if (!pool.answers) {
  const answers = new Map<string, unknown>();
  const run = pool.run.bind(pool);
  pool.answers = answers;
  pool.run = async (task, options) => {
    const key = JSON.stringify([task, options]);
    if (!answers.has(key)) answers.set(key, await run(task, options));
    return answers.get(key);
  };
}
