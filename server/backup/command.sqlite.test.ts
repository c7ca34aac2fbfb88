// The backup commands as a process: what they print, their exit codes, and a disk that takes no more data.
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { damageOf } from "@/db/copy-sqlite";
import { lockFile } from "@/db/file-lock";
import { sqlitePath } from "@/db/sqlite";
import { createTestDatabase, type TestDatabase } from "@/test/database";
import { buildCommandLine, type CommandLine } from "@/test/killed-commands";
import { rowsIn } from "@/test/sqlite-rows";

const timeout = 120_000;

let cli: CommandLine;
let folder: string;
let database: TestDatabase;
beforeAll(async () => {
  cli = await buildCommandLine();
  database = await createTestDatabase({ migrated: true });
}, timeout);
afterAll(async () => {
  cli.close();
  await database.drop();
});
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "quittance-command-"));
  return () => rmSync(folder, { recursive: true, force: true });
});

const env = () => ({
  DATA_DIR: folder,
  DATABASE_URL: database.url,
  SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
  BACKUP_DIR: "",
  QUITTANCE_PASSWORD: "a long enough password 1",
});
const run = (...args: string[]) => cli.run(args, env());

it(
  "makes a backup and restores it, but not while a server runs",
  async () => {
    const made = await run("backup", path.join(folder, "new"));
    expect(made).toMatchObject({ code: 0, text: expect.stringMatching(/^Backup: .*\.db \([\d,]+ bytes, copied in/) });
    expect(made.text).toContain("Its ledger is sound: 0 postings");
    const [name = ""] = readdirSync(path.join(folder, "new"));
    const file = path.join(folder, "new", name);
    const unlock = lockFile(`${sqlitePath(database.url)}.lock`, 0);
    const refused = await run("restore", file);
    expect(refused).toMatchObject({ code: 1, text: expect.stringContaining("Stop the server") });
    unlock?.();
    const restored = await run("restore", file);
    expect(restored).toMatchObject({ code: 0, text: expect.stringContaining(`is now ${file}.`) });
    expect(restored.text).toMatch(/The database that it replaced: .*-replaced-\d{8}T\d{6}Z\n/);
    expect(restored.text).toContain("0 sessions were ended");
    expect(damageOf(sqlitePath(database.url))).toBeNull();
  },
  timeout,
);

it(
  "ends the sessions of a database that other tools restored only if that is confirmed",
  async () => {
    const audited = "select id from audit_entries where operation = 'database.restore'";
    const organization = ["organization", "create", "--name", "One", "--email", "one@example.com"];
    expect(await run(...organization)).toMatchObject({ code: 0 });
    expect(await run("restored", "a.dump")).toMatchObject({ code: 1, text: expect.stringContaining("--yes") });
    expect(rowsIn(sqlitePath(database.url), audited)).toEqual([]);
    expect(await run("restored", "a.dump", "--yes")).toMatchObject({ code: 0 });
    expect(rowsIn(sqlitePath(database.url), audited)).toHaveLength(1);
  },
  timeout,
);

it(
  "says what is wrong with the command",
  async () => {
    for (const args of [["backup", folder, "--daily"], ["restore"]]) {
      expect(await run(...args)).toMatchObject({ code: 2, text: expect.stringContaining("Usage: npm run cli") });
    }
    expect(await run("backup", "--daily")).toMatchObject({
      code: 1,
      text: expect.stringMatching(/BACKUP_DIR is not set/),
    });
  },
  timeout,
);

it(
  "leaves nothing on a disk that takes no more data",
  async () => {
    mkdirSync(path.join(folder, "backups"));
    // The largest file that the process may write, in KiB: less than the database.
    const program = `ulimit -f 64; exec "$0" "$@"`;
    const args = ["-c", program, process.execPath, cli.program, "backup", path.join(folder, "backups")];
    const ended = await new Promise<{ code: number | null; text: string }>((resolve) => {
      const child = execFile("bash", args, { env: { ...process.env, ...env() } }, (_error, out, err) =>
        resolve({ code: child.exitCode, text: out + err }),
      );
    });
    expect(ended).toMatchObject({ code: 1, text: expect.stringMatching(/No backup could be written to .*the disk/) });
    expect(readdirSync(path.join(folder, "backups"))).toEqual([]);
  },
  timeout,
);
