// Backups: private, checked before they get their name, and nothing that looks like one after a failure.
import { createHash } from "node:crypto";
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { lockFile } from "@/db/file-lock";
import { migrateDatabase } from "@/db/migrate";
import { databaseFile, sqlitePath } from "@/db/sqlite";
import { lastBackup } from "@/server/domains/instance/backup-note";
import { lastProof } from "@/server/domains/ledger/proof-note";
import { parseEnv } from "@/server/process/env";
import { createTestDatabase } from "@/test/database";
import { rowsIn } from "@/test/sqlite-rows";
import { openTamperWorld, type TamperWorld } from "@/test/tamper";
import { backUp } from "./command";
import { databaseIdOf } from "./database-id";
import { unfinished } from "./files";
import { makeBackup } from "./make";

let world: TamperWorld;
let parent: string;
let folder: string;
beforeAll(async () => {
  world = await openTamperWorld();
});
afterAll(() => world.close());
beforeEach(() => {
  parent = mkdtempSync(path.join(tmpdir(), "quittance-backup-"));
  folder = path.join(parent, "backups");
});
afterEach(async () => {
  await world.raw.restore();
  rmSync(parent, { recursive: true, force: true });
});

const at = Date.UTC(2026, 10, 22, 16, 30);
const make = (now = at) => makeBackup({ ...world.world.runtime.env, dataDir: parent }, folder, "manual", now);
/** The name of a backup with this end of its instant. */
const named = (time: string, end = "") =>
  `quittance-20261122T1${time}-${databaseIdOf(databaseFile(world.world.database.url))}${end}.db`;
const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8);

describe("a backup", () => {
  it("is a whole database that only its owner can read, made while the database is in use", async () => {
    const backup = await make();
    expect(readdirSync(folder)).toEqual([named("63000Z"), `${named("63000Z")}.sha256`]);
    expect([modeOf(folder), modeOf(backup.file)]).toEqual(["700", "600"]);
    expect(backup).toMatchObject({
      bytes: statSync(backup.file).size,
      counts: { postings: 16 },
      newest: { checkpoint: { number: 3n } },
    });
    const everything = "select * from postings order by ledger_account_id, sequence";
    expect(rowsIn(backup.file, everything)).toEqual(rowsIn(sqlitePath(world.world.database.url), everything));
    const checksum = createHash("sha256").update(readFileSync(backup.file)).digest("hex");
    expect(readFileSync(`${backup.file}.sha256`, "utf8")).toBe(`${checksum}  ${named("63000Z")}\n`);
  });

  it("counts as a proof of the ledger, and as the last backup", async () => {
    const env = { ...world.world.runtime.env, dataDir: parent };
    const { file, bytes } = await makeBackup(env, folder, "manual", at);
    expect(lastProof(env)).toMatchObject({ isSound: true });
    await world.raw.run("update postings set amount = amount + 1 where ledger_account_id = ?", world.chain);
    await expect(makeBackup(env, folder, "manual", at + 1_000)).rejects.toThrow("NOT sound");
    expect(lastProof(env)).toMatchObject({ isSound: false });
    // Only the first was a backup.
    expect(lastBackup(env)).toEqual({ at, bytes, file, isProved: true });
  });

  it("replaces no other backup, and removes what killed ones have left", async () => {
    const { file } = await make();
    const before = readFileSync(file);
    writeFileSync(unfinished(path.join(folder, named("62900Z"))), "rest");
    await expect(make()).rejects.toThrow("already exists");
    expect(readFileSync(file).equals(before)).toBe(true);
    await make(at + 1_000);
    const names = [named("63000Z"), named("63001Z")];
    expect(readdirSync(folder)).toEqual(names.flatMap((name) => [name, `${name}.sha256`]));
  });

  it("is the only one of its database at a time", async () => {
    const release = lockFile(`${sqlitePath(world.world.database.url)}-backup`, 0);
    await expect(make()).rejects.toThrow("Another backup of this database is running.");
    release?.();
    await make();
  });
});

it("has the identifier of its database in its name, which a restored copy does not have", async () => {
  const { file } = await make();
  const copy = path.join(parent, "copy.db");
  copyFileSync(file, copy);
  const env = { ...world.world.runtime.env, dataDir: parent, databaseUrl: `file:${copy}` };
  const ofCopy = await makeBackup(env, folder, "manual", at);
  expect(ofCopy.file).not.toBe(file);
  expect((await make(at + 1_000)).file).toBe(path.join(folder, named("63001Z")));
  expect((await makeBackup(env, folder, "manual", at + 1_000)).file.slice(-11)).toBe(ofCopy.file.slice(-11));
  expect(modeOf(`${copy}-id`)).toBe("600");
});

describe("no backup is left", () => {
  it("when the ledger in it is not sound, only the two newest such copies, with a name that says so", async () => {
    await make(at - 1_000);
    await world.raw.run("update postings set amount = amount + 1 where ledger_account_id = ?", world.chain);
    for (const later of [0, 1_000, 2_000]) {
      const reason =
        /ledger in the copy is NOT sound \(chain\)[\s\S]*sequence: 1\n[\s\S]*The copy is kept.*-UNSOUND\.db$/;
      await expect(make(at + later)).rejects.toThrow(reason);
    }
    const left = [named("62959Z"), named("63001Z", "-UNSOUND"), named("63002Z", "-UNSOUND")];
    expect(readdirSync(folder)).toEqual(left.flatMap((name) => [name, `${name}.sha256`]));
    const kept = path.join(folder, left[2] ?? "");
    expect(modeOf(kept)).toBe("600");
    const amounts = "select amount from postings order by ledger_account_id, sequence";
    expect(rowsIn(kept, amounts)).toEqual(rowsIn(sqlitePath(world.world.database.url), amounts));
  });

  it("when a row refers to one that does not exist", async () => {
    const columns = "hash, session_id, kind, generation, exchange, last4, issued_at, expires_at";
    await world.raw.run(`insert into session_tokens (${columns}) values ('h', 'none', 'access', 0, 0, 'abcd', 1, 2)`);
    await expect(make()).rejects.toThrow("A row of session_tokens refers to a row of sessions that does not exist.");
    await world.raw.run("delete from session_tokens");
    expect(readdirSync(folder)).toEqual([]);
  });

  it("in a folder that a link names and that does not exist", async () => {
    const link = path.join(parent, "link");
    symlinkSync(path.join(parent, "nowhere"), link);
    await expect(makeBackup({ ...world.world.runtime.env, dataDir: parent }, link, "manual", at)).rejects.toThrow(
      `${link}: it is a link to a folder that does not exist.`,
    );
    rmSync(link);
  });

  it("of a damaged database, or of one that does not exist", async () => {
    const database = await createTestDatabase({ migrated: true });
    const env = { ...world.world.runtime.env, dataDir: parent };
    const file = sqlitePath(database.url);
    const damaged = readFileSync(file);
    writeFileSync(file, damaged.fill(255, 4_096, 40_960));
    await expect(makeBackup({ ...env, databaseUrl: database.url }, folder, "manual", at)).rejects.toThrow("damaged");
    await database.drop();
    await expect(makeBackup({ ...env, databaseUrl: database.url }, folder, "manual", at)).rejects.toThrow(
      "no database",
    );
    expect(readdirSync(folder)).toEqual([]);
  });

  it("of a database of a newer version", async () => {
    const database = await createTestDatabase();
    await migrateDatabase(database.url);
    const env = { ...world.world.runtime.env, dataDir: parent, databaseUrl: database.url };
    await makeBackup(env, folder, "manual", at);
    const change = async (sql: string) => {
      const { default: BetterSqlite } = await import("better-sqlite3");
      new BetterSqlite(sqlitePath(database.url)).exec(sql).close();
    };
    await change("insert into __drizzle_migrations (hash, created_at) values ('later', 9999999999999)");
    await expect(makeBackup(env, folder, "manual", at + 1_000)).rejects.toThrow("newer version");
    expect(readdirSync(folder)).toHaveLength(2);
    await database.drop();
  });

  it("when the folder cannot be used", async () => {
    folder = path.join(parent, "missing", "backups");
    await expect(make()).rejects.toThrow("its parent folder does not exist");
    writeFileSync(path.join(parent, "file"), "");
    folder = path.join(parent, "file");
    await expect(make()).rejects.toThrow("it is not a folder");
    expect(readdirSync(parent)).toEqual(["file"]);
  });
});

it("explains what to use instead on PostgreSQL", async () => {
  const env = parseEnv({ DATABASE_URL: "postgres://host/database", SECRET_KEY: Buffer.alloc(32).toString("base64") });
  await expect(backUp(env, folder)).rejects.toThrow(/pg_dump and pg_restore[\s\S]*docs\/operating\.md/);
});
