// A set-up that was killed never blocks the next one.
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";

/** Acquires the lock that an earlier process with the id `owner` has left. */
const acquire = (owner: string) => `
  import { writeFileSync } from "node:fs";
  writeFileSync(".setup/lock/pid", String(${owner}));
  const { underLock } = await import("./scripts/setup/lock.mjs");
  await underLock(async () => console.log("acquired"));
`;

/** Larger than any id that a system assigns. */
const noProcess = "2 ** 30";

it.each([noProcess, "process.pid"])("a lock of the dead process %s is taken over", async (owner) => {
  const folder = mkdtempSync(path.join(tmpdir(), "quittance-lock-"));
  try {
    cpSync("scripts/setup", path.join(folder, "scripts/setup"), { recursive: true });
    mkdirSync(path.join(folder, ".setup/lock"), { recursive: true });
    const args = ["--input-type=module", "--eval", acquire(owner)];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder, timeout: 5_000 });
    expect(stdout).toBe("acquired\n");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
