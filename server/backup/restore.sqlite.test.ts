// Restoring: only what passes every check replaces the database, and nobody stays signed in.
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import BetterSqlite from "better-sqlite3";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { lockFile } from "@/db/file-lock";
import { connectSqlite, sqlitePath } from "@/db/sqlite";
import { lastProof, proofNote } from "@/server/domains/ledger/proof-note";
import { authenticate } from "@/server/domains/sessions/authenticate";
import { createResetLink } from "@/server/domains/sessions/user-command";
import { createTransaction } from "@/server/domains/transactions/operations/create";
import { createTestDatabase, type TestDatabase } from "@/test/database";
import { ask } from "@/test/payer";
import { openRawAccess } from "@/test/raw-access";
import { bearer, signInAs } from "@/test/signing-in";
import { rowsIn } from "@/test/sqlite-rows";
import { anotherProcess, callRequest, openWorld, type TestOrganization, type World } from "@/test/world";
import { restore as restoreAsCommand } from "./command";
import { makeBackup } from "./make";
import { restoreBackup } from "./restore";

let world: World;
let org: TestOrganization;
let token: string;
let folder: string;
let backup: string;
const credit = () => world.call(createTransaction, org.admin.actor, { type: "credit", amount: 5, currency: "EUR" });

beforeAll(async () => {
  world = await openWorld();
  org = await world.organization();
  token = (await signInAs(world, org.member)).access_token;
  await createResetLink(world.runtime, org.member.email);
  await credit();
  await ask(world, org.member.actor);
  folder = mkdtempSync(path.join(tmpdir(), "quittance-restore-"));
  backup = (await makeBackup({ ...world.runtime.env, dataDir: folder }, folder, "manual", Date.now())).file;
});
afterAll(async () => {
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

let target: TestDatabase;
let file: string;
beforeEach(async () => {
  target = await createTestDatabase({ migrated: true });
  file = sqlitePath(target.url);
});
afterEach(() => target.drop());

const envOf = (url = target.url) => ({ ...world.runtime.env, dataDir: folder, databaseUrl: url });
const restore = (from = backup, keepSessions = false) => restoreBackup(envOf(), from, { keepSessions });
const beside = () => readdirSync(path.dirname(file)).sort();
const countIn = (path: string) => rowsIn(path, "select id from transactions").length;

describe("the restored database", () => {
  it("is the backup, private and whole, and the one before is kept", async () => {
    const before = readFileSync(file);
    const { replaced, database } = await restore();
    expect(database).toBe(file);
    expect(countIn(file)).toBe(1);
    expect((statSync(file).mode & 0o777).toString(8)).toBe("600");
    expect(readFileSync(replaced ?? "").equals(before)).toBe(false);
    expect(countIn(replaced ?? "")).toBe(0);
    const names = ["test.db", "test.db-migrating", path.basename(replaced ?? ""), "test.db.lock"];
    expect(beside()).toEqual(names.sort());
  });

  it("does not inherit the proof of the database before it", async () => {
    proofNote(envOf())(1, { rows: false });
    await restore();
    expect(lastProof(envOf())).toMatchObject({ isSound: true });
  });

  it("has no session and no reset link from the time of the backup, and records the restore", async () => {
    const { endedSessions } = await restore();
    expect(endedSessions).toBe(1);
    const restored = await anotherProcess(world, { databaseUrl: target.url });
    const call = callRequest(restored.runtime, bearer(token));
    expect("actor" in (await authenticate(restored.runtime, call, world.clock.now()))).toBe(false);
    await restored.close();
    expect(rowsIn(file, "select end_reason from sessions")).toEqual([{ end_reason: "database_restored" }]);
    expect(rowsIn(file, "select * from password_resets")).toEqual([]);
    const [entry] = rowsIn(file, "select * from audit_entries where operation = 'database.restore'");
    expect(entry).toMatchObject({ organization_id: org.id, actor_type: "system" });
    expect(JSON.parse(String(entry?.detail))).toMatchObject({ backup: path.basename(backup), sessions: 1 });
  });

  it("keeps its sessions if asked to", async () => {
    expect((await restore(backup, true)).endedSessions).toBe(0);
    const restored = await anotherProcess(world, { databaseUrl: target.url });
    const call = callRequest(restored.runtime, bearer(token));
    expect("actor" in (await authenticate(restored.runtime, call, world.clock.now()))).toBe(true);
    await restored.close();
    expect(rowsIn(file, "select * from password_resets")).toHaveLength(1);
  });

  it("may be the first database in its place, or be behind a symbolic link", async () => {
    rmSync(file);
    expect((await restore()).replaced).toBeNull();
    expect(countIn(file)).toBe(1);
    const second = await createTestDatabase();
    const link = sqlitePath(second.url);
    symlinkSync(file, link);
    const other = path.join(path.dirname(link), "other.db");
    copyFileSync(file, other);
    rmSync(link);
    symlinkSync(other, link);
    const { database } = await restoreBackup(envOf(second.url), backup, { keepSessions: false });
    expect(database).toBe(other);
    expect(readFileSync(link).equals(readFileSync(other))).toBe(true);
    await second.drop();
  });

  it("may have an unsound ledger if the operator says so, and the audit log and the last proof say so too", async () => {
    const unsound = path.join(path.dirname(file), "unsound.db");
    copyFileSync(backup, unsound);
    const raw = await openRawAccess(`file:${unsound}`, []);
    await raw.run("update postings set amount = amount + 1, balance_after = balance_after + 1");
    await raw.close();
    const printed = await restoreAsCommand(envOf(), unsound, { keepSessions: false, unproved: true });
    expect(printed.join("\n")).toMatch(/WARNING: The ledger in .* is NOT sound \(chain\)[\s\S]*because of --unproved/);
    expect(countIn(file)).toBe(1);
    const [entry] = rowsIn(file, "select detail from audit_entries where operation = 'database.restore'");
    expect(JSON.parse(String(entry?.detail))).toMatchObject({ fault: expect.stringContaining("NOT sound (chain)") });
    expect(lastProof(envOf())).toMatchObject({ isSound: false });
  });

  it("takes the place of a damaged one, which is kept with its log", async () => {
    const damaged = Buffer.alloc(8_192, "damaged");
    writeFileSync(file, damaged);
    writeFileSync(`${file}-wal`, "log");
    writeFileSync(`${file}-shm`, "index");
    const { replaced } = await restore();
    expect(countIn(file)).toBe(1);
    expect(existsSync(`${file}-wal`)).toBe(false);
    expect(readFileSync(replaced ?? "").equals(damaged)).toBe(true);
    expect(readFileSync(`${replaced}-wal`, "utf8")).toBe("log");
  });

  it("contains what was only in the log of the one before", async () => {
    const writer = connectSqlite(file);
    writer.exec("insert into nonces (name, value) values ('late', 'in the log')");
    // A killed server leaves its log: a copy of the files while they are open has the same contents.
    const killed = await createTestDatabase();
    for (const suffix of ["", "-wal", "-shm"]) copyFileSync(`${file}${suffix}`, `${sqlitePath(killed.url)}${suffix}`);
    writer.close();
    const { replaced } = await restoreBackup(envOf(killed.url), backup, { keepSessions: false });
    expect(rowsIn(replaced ?? "", "select value from nonces")).toEqual([{ value: "in the log" }]);
    expect(rowsIn(sqlitePath(killed.url), "select * from nonces where name = 'late'")).toEqual([]);
    await killed.drop();
  });
});

describe("the database is unchanged", () => {
  async function expectRefused(from: string, reason: RegExp, settings: Partial<ReturnType<typeof envOf>> = {}) {
    const before = readFileSync(file);
    const env = { ...envOf(), ...settings };
    await expect(restoreBackup(env, from, { keepSessions: false })).rejects.toThrow(reason);
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(beside().filter((name) => /restor|replaced/.test(name))).toEqual([]);
  }

  /** A copy of the backup that a test may damage. */
  function copy(): string {
    const name = path.join(path.dirname(file), "copy.db");
    copyFileSync(backup, name);
    chmodSync(name, 0o600);
    return name;
  }

  it("when bytes of a page have flipped", async () => {
    const bytes = readFileSync(backup);
    const pages = bytes.length / 4_096;
    for (const page of [3, Math.floor(pages / 2), pages - 2]) {
      const changed = Buffer.from(bytes);
      for (let at = page * 4_096; at < page * 4_096 + 16; at++) changed[at] = (changed[at] ?? 0) ^ 0xff;
      const name = copy();
      writeFileSync(name, changed);
      await expectRefused(name, /damaged/);
      rmSync(name);
    }
  });

  it("when a single bit differs from the checksum", async () => {
    const name = copy();
    copyFileSync(`${backup}.sha256`, `${name}.sha256`);
    const bytes = readFileSync(name);
    const at = bytes.indexOf(org.member.email);
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    writeFileSync(name, bytes);
    await expectRefused(name, /does not have the checksum/);
  });

  it.each([
    ["cut in the middle", (name: string) => truncateSync(name, 40_960), /damaged/],
    ["cut within a page", (name: string) => truncateSync(name, statSync(name).size - 100), /damaged/],
    ["empty", (name: string) => truncateSync(name, 0), /not a database of Quittance/],
    ["something else", (name: string) => writeFileSync(name, "x".repeat(8_192)), /damaged/],
    ["missing", (name: string) => rmSync(name), /There is no file/],
    ["only part of a database", (name: string) => writeFileSync(`${name}-wal`, "log"), /not a whole backup/],
  ])("when the backup is %s", async (_, damage, reason) => {
    const name = copy();
    damage(name);
    await expectRefused(name, reason);
  });

  it("when only the ledger's proof sees that a row was changed", async () => {
    const name = copy();
    const raw = await openRawAccess(`file:${name}`, []);
    await raw.run("update postings set amount = amount + 1, balance_after = balance_after + 1");
    await raw.close();
    await expectRefused(name, /is NOT sound \(chain\)[\s\S]*--unproved restores it/);
  });

  it("when the backup is of a newer version, or of another program", async () => {
    const name = copy();
    const change = (sql: string) => void new BetterSqlite(name).exec(sql).close();
    change("insert into __drizzle_migrations (hash, created_at) values ('later', 9999999999999)");
    await expectRefused(name, /newer version/);
    change("drop table __drizzle_migrations");
    await expectRefused(name, /not a database of Quittance/);
  });

  it("without the server key, and none is made", async () => {
    const dataDir = path.dirname(file);
    await expectRefused(backup, /^SECRET_KEY: is not set/, { secretKeys: null, dataDir });
    expect(beside()).not.toContain("secret.key");
  });

  it("with another server key", async () => {
    const { writeCheckpoint } = await import("@/server/domains/ledger/checkpoint");
    await writeCheckpoint(world.runtime);
    const signed = await makeBackup({ ...world.runtime.env, dataDir: folder }, folder, "manual", Date.now() + 60_000);
    await expectRefused(signed.file, /NOT sound \(checkpoint\)/, { secretKeys: [Buffer.alloc(32, 8)] });
  });

  it("while a server runs, or any other process has it open", async () => {
    const unlock = lockFile(`${file}.lock`, 0);
    await expectRefused(backup, /Another process is using/);
    unlock?.();
    const other = connectSqlite(file);
    await expectRefused(backup, /Another process is using/);
    other.close();
  });

  it("when the backup named is the database itself", async () => {
    await expectRefused(file, /is the database itself/);
  });
});
