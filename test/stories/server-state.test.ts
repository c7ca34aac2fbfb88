// Settings → Server: each thing that can be wrong is made to happen, and the page's operation reports it.
import { mkdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { jobs, organizations } from "@/db/tables";
import { noteDump } from "@/server/backup/command";
import { makeBackup } from "@/server/backup/make";
import { instanceState } from "@/server/domains/instance/operations/state";
import { schedule } from "@/server/domains/jobs/queue";
import { runDueJobs } from "@/server/domains/jobs/runner";
import { proofNote } from "@/server/domains/ledger/proof-note";
import { verifyLedger } from "@/server/domains/ledger/verify";
import { createTransaction } from "@/server/domains/transactions/operations/create";
import { dayMs, hourMs, minuteMs } from "@/server/kit/limits";
import { CommandError } from "@/server/process/command-error";
import { runJobs } from "@/test/jobs";
import { type MailServer, refusal, startMailServer } from "@/test/mail-server";
import { mailNotice } from "@/test/mails";
import { openRawAccess } from "@/test/raw-access";
import { temporaryFolder } from "@/test/temporary-folder";
import { openedWith, openWorld, type TestOrganization, type World } from "@/test/world";

const isSqlite = process.env.TEST_ENGINE === "sqlite";

let world: World;
let acme: TestOrganization;
let mailServer: MailServer;
/** DATA_DIR of the current test: no notes yet. */
let dataDir: string;

beforeAll(async () => {
  mailServer = await startMailServer();
  const mail = { SMTP_URL: mailServer.url.replace("//", "//ada:secret@"), MAIL_FROM: "mail@example.com" };
  world = await openWorld(mail);
  acme = await world.organization();
});
beforeEach(() => {
  dataDir = temporaryFolder("quittance-state-");
});
afterAll(async () => {
  await world.close();
  await mailServer.close();
});

const env = () => ({ ...world.runtime.env, dataDir });

/** The state as the admin sees it in a process with the test's notes. */
const stateOf = (on: { mail?: null } = {}) =>
  openedWith(world, { ...world.runtime, env: { ...env(), ...on } }).call(instanceState, acme.admin.actor, {});

const setMode = (mode: "sandbox" | "live") =>
  world.runtime.db.write(async (tx) => {
    await tx.update(organizations).set({ mode }).where(eq(organizations.id, acme.id));
  });

it("of a new sandbox needs nothing, and has versions and sizes", async () => {
  const state = await stateOf({ mail: null });
  expect(state).toMatchObject({
    version: { product: "0.1.0", node: process.versions.node },
    is_shared: false,
    database: { health: "ok", engine: isSqlite ? "sqlite" : "postgres" },
    backup: { health: "optional", problem: "backup_none", made_at: null, folder: null },
    proof: { health: "optional", problem: "proof_none", proved_at: null },
    jobs: { health: "ok", due: 0, due_since: null, failed: 0 },
    mail: { health: "optional", problem: "mail_none", server: null, failed_at: null },
  });
  expect(state.database.engine_version).toMatch(/^\d+\.\d+/);
  expect(state.database.bytes).toBeGreaterThan(10_000);
  if (isSqlite) expect(state.disk?.bytes).toBeGreaterThan(state.disk?.free_bytes ?? 0);
  else expect(state.disk).toBeNull();
  expect(state.database.write_ahead_log_bytes !== null).toBe(isSqlite);
});

it("in live mode needs a backup, a proof and a mail server", async () => {
  await setMode("live");
  expect(await stateOf({ mail: null })).toMatchObject({
    backup: isSqlite ? { health: "act", problem: "backup_missing" } : { health: "watch", problem: "dump_missing" },
    proof: { health: "watch", problem: "proof_missing" },
    mail: { health: "watch", problem: "mail_missing" },
  });
  await setMode("sandbox");
});

/** Each engine has its own kind of backup. */
const backupTests = isSqlite ? copiesOfSqlite : dumpsOfPostgres;
describe(`the backup of ${isSqlite ? "SQLite" : "PostgreSQL"}`, backupTests);

function copiesOfSqlite() {
  it("is good for two days, with its size and folder", async () => {
    const folder = path.join(dataDir, "backups");
    const at = world.clock.now();
    const { bytes } = await makeBackup(env(), folder, "manual", at);
    const made = { made_at: new Date(at).toISOString(), bytes, folder, is_proved: true };
    const state = await stateOf();
    expect(state.backup).toEqual({ health: "ok", problem: null, ...made });
    // The copy's proof is the database's.
    expect(state.proof).toMatchObject({ problem: null, covered: { postings: 0, transactions: 0, payments: 0 } });
    world.clock.advance(2 * dayMs + 1);
    expect((await stateOf()).backup).toEqual({ health: "act", problem: "backup_old", ...made });
  });

  it("is not noted by hand", () => {
    expect(() => noteDump(env(), __filename)).toThrow("This is for PostgreSQL");
  });
}

function dumpsOfPostgres() {
  it("is what the command notes of a file, and not proved", async () => {
    const file = path.join(dataDir, "dumps", "today.dump");
    mkdirSync(path.dirname(file));
    writeFileSync(file, "dump");
    // Begun, at the latest, when the file was last changed.
    const at = world.clock.now() - hourMs;
    utimesSync(file, at / 1_000, at / 1_000);
    expect(noteDump(env(), file)).toEqual([`Noted: ${file}, begun ${new Date(at).toISOString()} (4 bytes)`]);
    const folder = path.dirname(file);
    const made = { made_at: new Date(at).toISOString(), bytes: statSync(file).size, folder, is_proved: false };
    expect((await stateOf()).backup).toEqual({ health: "ok", problem: null, ...made });
    world.clock.advance(2 * dayMs);
    expect((await stateOf()).backup).toEqual({ health: "act", problem: "dump_old", ...made });
    expect(() => noteDump(env(), `${file}.gone`)).toThrow(CommandError);
    expect(() => noteDump(env(), folder)).toThrow("There is no file");
  });
}

it("reports a proof that failed, and one that is old", async () => {
  const prove = async () => {
    const result = await verifyLedger(world.database.url, world.runtime.keys);
    proofNote(env())(world.clock.now(), result.results, result.ok ? result.counts : undefined);
    return (await stateOf()).proof;
  };
  expect(await prove()).toMatchObject({ health: "ok", covered: { postings: 0 } });
  world.clock.advance(2 * dayMs + 1);
  expect((await stateOf()).proof).toMatchObject({ health: "watch", problem: "proof_old" });
  await world.call(createTransaction, acme.admin.actor, { type: "payment", amount: 100, currency: "EUR" });
  expect(await prove()).toMatchObject({ health: "ok", covered: { postings: 2, transactions: 1, payments: 0 } });
  const raw = await openRawAccess(world.database.url, ["postings"]);
  await raw.run("update postings set amount = amount + 1");
  expect(await prove()).toMatchObject({
    ...{ health: "act", problem: "proof_unsound", covered: null },
    proved_at: new Date(world.clock.now()).toISOString(),
  });
  await raw.restore();
  await raw.close();
});

describe("the jobs", () => {
  const scheduleFor = (organizationId: string, objectId: string) =>
    world.runtime.db.write((db) => {
      const now = world.clock.now();
      const ctx = { db, now, realNow: now, id: world.id };
      return schedule(ctx, { kind: "payments.lookup", organizationId, objectId, afterMs: 0 });
    });
  const handlers = {
    "payments.lookup": async () => {
      throw new Error("The handler failed.");
    },
  };
  /** Runs the jobs until they are dead. */
  async function untilDead(objectId: string): Promise<void> {
    for (;;) {
      const [row] = await world.runtime.db.read.select().from(jobs).where(eq(jobs.objectId, objectId));
      if (row?.status !== "waiting") return;
      await runDueJobs(world.runtime, { handlers, batchHandlers: {} });
      world.clock.advance(4_320_000);
    }
  }

  it("are late when no worker runs them, and failed when they are dead", async () => {
    await scheduleFor(acme.id, "txn_1");
    const due_since = new Date(world.clock.now()).toISOString();
    expect((await stateOf()).jobs).toMatchObject({ health: "ok", due: 1, due_since });
    world.clock.advance(2 * minuteMs + 1);
    expect((await stateOf()).jobs).toMatchObject({ health: "act", problem: "jobs_late", due: 1, due_since });
    await untilDead("txn_1");
    expect((await stateOf()).jobs).toMatchObject({ health: "act", problem: "jobs_failed", due: 0, failed: 1 });
  });

  it("tell nothing about another organization, nor do sizes and folders", async () => {
    await world.runtime.db.write(async (tx) => void (await tx.delete(jobs)));
    const other = await world.organization("Other");
    await scheduleFor(other.id, "txn_2");
    await untilDead("txn_2");
    await scheduleFor(other.id, "txn_3");
    const file = path.join(dataDir, "backups", "today.dump");
    mkdirSync(path.dirname(file));
    writeFileSync(file, "dump");
    if (isSqlite) await makeBackup(env(), path.dirname(file), "manual", world.clock.now());
    else noteDump(env(), file);
    const state = await stateOf();
    expect(state).toMatchObject({
      is_shared: true,
      database: { bytes: null, write_ahead_log_bytes: null },
      backup: { bytes: null, folder: null, made_at: expect.any(String) },
      proof: { covered: null },
      jobs: { health: "ok", due: null, failed: 0 },
    });
    expect(state.disk).toEqual(isSqlite ? { health: "ok", problem: null, bytes: null, free_bytes: null } : null);
    expect(JSON.stringify(state)).not.toContain(dataDir);
  });
});

it("reports the mail server without its password, and a mail that failed within a week", async () => {
  const before = await stateOf();
  expect(before.mail).toEqual({
    ...{ health: "ok", problem: null },
    server: `127.0.0.1:${mailServer.port}`,
    failed_at: null,
  });
  expect(JSON.stringify(before)).not.toContain("secret");
  mailServer.onRecipient = () => Promise.reject(refusal(550, "No such mailbox"));
  const { createdAt } = await mailNotice(world, acme.id);
  await runJobs(world);
  const failed_at = new Date(createdAt).toISOString();
  expect((await stateOf()).mail).toMatchObject({ health: "watch", problem: "mail_failed", failed_at });
  world.clock.advance(7 * dayMs);
  expect((await stateOf()).mail).toMatchObject({ health: "ok", problem: null, failed_at });
});
