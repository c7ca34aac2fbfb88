// The PostgreSQL server for tests starts wherever the tests run.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const program = `
  process.umask(0o077);
  const { startPostgres } = await import("./scripts/setup/postgres.mjs");
  const { stop } = await startPostgres();
  await stop();
  console.log("started and stopped");
`;

it("starts under a strict umask, even as root, which runs it as another user", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program]);
  expect(stdout).toBe("started and stopped\n");
});
