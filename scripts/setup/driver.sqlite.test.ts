// The SQLite driver works on every supported version of Node.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const program = `
  import Database from "better-sqlite3";
  import { setImmediate } from "node:timers/promises";
  const database = new Database(":memory:");
  for (let turn = 0; turn < 100; turn++) {
    for (let i = 0; i < 10; i++) database.prepare("select 1");
    Array.from({ length: 12_000 }, (_, i) => [{ i }]);
    await setImmediate();
  }
  console.log("alive");
`;

it("survives garbage collection between two turns of the event loop", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program]);
  expect(stdout).toBe("alive\n");
});
