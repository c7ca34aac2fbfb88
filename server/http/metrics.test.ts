// GET /metrics: the names, the bounded labels, and that a slow database and frequent readers do no harm.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { jobs } from "@/db/tables";
import { noteBackup } from "@/server/domains/instance/backup-note";
import { priorityOf } from "@/server/domains/jobs/queue";
import { proofNote } from "@/server/domains/ledger/proof-note";
import { proofKinds } from "@/server/domains/ledger/verify/fault";
import { getPayment } from "@/server/domains/payments/operations/get";
import { writeSeals } from "@/server/domains/records/seals";
import { createTransaction } from "@/server/domains/transactions/operations/create";
import { listTransactions } from "@/server/domains/transactions/operations/list";
import { ownTurns } from "@/server/fairness/turns";
import { errorMeanings, protocolFailure } from "@/server/kit/errors";
import { newNotes } from "@/server/kit/request-notes";
import { operationIds } from "@/server/pipeline/operations";
import { jobOutcomes, Metrics, outcomes } from "@/server/process/metrics";
import { type Family, parseMetrics, readingOf } from "@/test/prometheus";
import { openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";
import { MetricsPage } from "./metrics";

const isSqlite = process.env.TEST_ENGINE === "sqlite";
const dataDir = mkdtempSync(path.join(tmpdir(), "quittance-test-"));
let world: World;
let organization: TestOrganization;
let page: MetricsPage;
beforeAll(async () => {
  world = await openWorld({ DATA_DIR: dataDir });
  organization = await world.organization();
  page = new MetricsPage(world.runtime, operationIds);
});
afterAll(async () => {
  await world.close();
  rmSync(dataDir, { recursive: true });
});

let later = 0;

/** Lets the last text go out of date for the next reader. */
function outdate(): void {
  later += 3_600_000;
  vi.spyOn(performance, "now").mockReturnValueOnce(performance.now() + later);
}

async function read(): Promise<Map<string, Family>> {
  outdate();
  return parseMetrics(await page.text());
}

const job = (id: string, given: Partial<typeof jobs.$inferInsert>): typeof jobs.$inferInsert => ({
  id,
  key: id,
  kind: "payments.expire",
  organizationId: organization.id,
  objectId: id,
  status: "waiting",
  priority: 1,
  runAt: 0,
  failures: 0,
  createdAt: 0,
  updatedAt: 0,
  ...given,
});

const names = [
  "quittance_audit_unsealed_seconds",
  "quittance_backup_timestamp_seconds",
  "quittance_build_info",
  "quittance_commit_group_transactions",
  "quittance_commit_sync_seconds",
  "quittance_database_answered",
  "quittance_database_connections",
  "quittance_database_file_bytes",
  "quittance_database_waiting",
  "quittance_job_runs_total",
  "quittance_jobs",
  "quittance_jobs_oldest_seconds",
  "quittance_ledger_proof_timestamp_seconds",
  "quittance_operation_duration_seconds",
  "quittance_operations_failed_total",
  "quittance_requests_refused_total",
];

it("has exactly these metrics", async () => {
  expect([...(await read()).keys()].sort()).toEqual(names);
});

it("measures calls by operation and outcome, and commits where they share one", async () => {
  const { admin } = organization;
  await world.call(createTransaction, admin.actor, { type: "payment", amount: 100, currency: "EUR" });
  expect(await refusalOf(world.call(getPayment, admin.actor, { payment_id: "pay_unknown" }))).toBe("payment_not_found");
  page.noteRefusal("payment_not_found");
  const found = await read();
  const calls = (operation: string, outcome: string) =>
    readingOf(found, "quittance_operation_duration_seconds_count", { operation, outcome });
  expect(calls("transactions.create", "ok")).toBe(1);
  expect(calls("payments.get", "refused")).toBe(1);
  expect(readingOf(found, "quittance_requests_refused_total", { code: "payment_not_found" })).toBe(1);
  expect(readingOf(found, "quittance_requests_refused_total", { code: "unavailable" })).toBe(0);
  const commits = readingOf(found, "quittance_commit_group_transactions_count") ?? 0;
  if (isSqlite) expect(commits).toBeGreaterThan(0);
  else expect(commits).toBe(0);
});

it("counts what seldom fails from 0, so that rate() sees the first failure", async () => {
  const failed = (of: Map<string, Family>, operation: string) =>
    readingOf(of, "quittance_operations_failed_total", { operation });
  const before = await read();
  expect(before.get("quittance_operations_failed_total")?.samples).toHaveLength(operationIds.length);
  expect(failed(before, "payments.get")).toBe(0);
  for (const outcome of jobOutcomes) {
    expect(readingOf(before, "quittance_job_runs_total", { kind: "database.backup", outcome })).toBe(0);
  }
  world.runtime.metrics.noteOperation("payments.get", "failed", 1);
  world.runtime.metrics.noteOperation("payments.get", "refused", 1);
  expect(failed(await read(), "payments.get")).toBe(1);
});

it("reports when the last backup was made", async () => {
  const name = "quittance_backup_timestamp_seconds";
  expect((await read()).get(name)?.samples).toEqual([]);
  noteBackup(world.runtime.env, { at: 5_000_000, bytes: 1, file: "/backup", isProved: true });
  expect((await read()).get(name)?.samples).toEqual([{ name, labels: {}, value: 5_000 }]);
});

it("does not count a caller who disconnected as a sign of an unavailable database", async () => {
  const piece = () => Promise.reject(protocolFailure("unavailable", "The caller disconnected."));
  const list = (hasLeft: boolean) => {
    const notes = newNotes({ ...ownTurns, piece, hasLeft: () => hasLeft });
    return refusalOf(world.call(listTransactions, organization.admin.actor, {}, { notes }));
  };
  expect([await list(true), await list(true), await list(false)]).toEqual(Array(3).fill("unavailable"));
  const found = await read();
  const lists = (outcome: string) => ({ operation: "transactions.list", outcome });
  expect(readingOf(found, "quittance_operation_duration_seconds_count", lists("aborted"))).toBe(2);
  expect(readingOf(found, "quittance_operation_duration_seconds_count", lists("unavailable"))).toBe(1);
});

it("reports the pools, and the sizes of SQLite's files", async () => {
  const found = await read();
  for (const state of ["in_use", "idle"]) {
    expect(readingOf(found, "quittance_database_connections", { pool: "write", state })).toBeGreaterThanOrEqual(0);
  }
  expect(readingOf(found, "quittance_database_waiting", { pool: "write" })).toBe(0);
  expect(readingOf(found, "quittance_database_waiting", { pool: "read" })).toBe(isSqlite ? undefined : 0);
  const bytes = readingOf(found, "quittance_database_file_bytes", { file: "database" });
  if (isSqlite) expect(bytes).toBeGreaterThan(0);
  else expect(bytes).toBeUndefined();
  expect(readingOf(found, "quittance_build_info", { version: "0.1.0", engine: isSqlite ? "sqlite" : "postgres" })).toBe(
    1,
  );
});

it("counts due and dead jobs by kind, and reports the age of the oldest", async () => {
  const now = world.clock.now();
  const before = await read();
  expect(readingOf(before, "quittance_jobs_oldest_seconds", { state: "dead" })).toBe(0);
  await world.runtime.db.write(async (tx) => {
    await tx
      .insert(jobs)
      .values([
        job("due1", { runAt: now - 90_000 }),
        job("due2", { runAt: now - 30_000 }),
        job("later", { runAt: now + 1 }),
        job("dead0", { status: "dead", kind: "database.backup", organizationId: "", updatedAt: now - 3_600_000 }),
        job("dead1", { status: "dead", kind: "a kind of a newer version", updatedAt: now - 7_200_000 }),
      ]);
  });
  const found = await read();
  expect(readingOf(found, "quittance_jobs", { kind: "payments.expire", state: "due" })).toBe(2);
  expect(readingOf(found, "quittance_jobs", { kind: "other", state: "dead" })).toBe(1);
  expect(readingOf(found, "quittance_jobs", { kind: "database.backup", state: "dead" })).toBe(1);
  expect(readingOf(found, "quittance_jobs_oldest_seconds", { state: "due" })).toBe(90);
  expect(readingOf(found, "quittance_jobs_oldest_seconds", { state: "dead" })).toBe(7_200);
});

it("reports how long audit entries have waited for their seal", async () => {
  const waiting = async () => readingOf(await read(), "quittance_audit_unsealed_seconds");
  await writeSeals(world.runtime);
  expect(await waiting()).toBe(0);
  const { actor } = organization.admin;
  for (const amount of [100, 200]) {
    await world.call(createTransaction, actor, { type: "payment", amount, currency: "EUR" });
    world.clock.advance(120_000);
  }
  expect(await waiting()).toBe(240);
  await writeSeals(world.runtime);
  expect(await waiting()).toBe(0);
});

it("reports when the ledger was last proved, and the result", async () => {
  const name = "quittance_ledger_proof_timestamp_seconds";
  expect((await read()).get(name)?.samples).toEqual([]);
  const note = proofNote(world.runtime.env);
  const sample = (proof: string, result: string, value: number) => ({ name, labels: { proof, result }, value });
  note(1_000_000, { rows: true });
  expect((await read()).get(name)?.samples).toEqual([sample("rows", "sound", 1_000)]);
  note(2_000_000, { seal: false });
  note(3_000_000, { rows: true });
  const both = [sample("rows", "sound", 3_000), sample("seal", "unsound", 2_000)];
  expect((await read()).get(name)?.samples).toEqual(both);
  note(4_000_000, { rows: false, seal: true });
  expect((await read()).get(name)?.samples).toEqual([sample("rows", "unsound", 4_000), sample("seal", "sound", 4_000)]);
});

it("has only label values from fixed lists, whatever callers send", async () => {
  page.noteRefusal("a code that does not exist");
  const known: Record<string, readonly string[]> = {
    operation: operationIds,
    outcome: [...outcomes, ...jobOutcomes],
    code: [...Object.keys(errorMeanings), "other"],
    kind: [...Object.keys(priorityOf), "other"],
    pool: ["write", "read"],
    state: ["in_use", "idle", "due", "dead"],
    file: ["database", "write_ahead_log"],
    result: ["sound", "unsound"],
    proof: proofKinds,
    engine: ["sqlite", "postgres"],
    version: ["0.1.0"],
  };
  const samples = [...(await read()).values()].flatMap((family) => family.samples);
  const strange = samples.flatMap(({ labels }) =>
    Object.entries(labels).filter(([name, value]) => name !== "le" && !known[name]?.includes(value)),
  );
  expect(strange).toEqual([]);
});

it("shows a delay of the event loop to each of several readers", async () => {
  const metrics = new Metrics();
  metrics.followProcess();
  const late = async () => {
    const found = parseMetrics(await metrics.registry.metrics());
    expect([...found.keys()].filter((name) => /lag/.test(name))).toEqual([]);
    const name = "quittance_event_loop_delay_seconds";
    const soon = readingOf(found, `${name}_bucket`, { le: "0.1" }) ?? 0;
    return (readingOf(found, `${name}_count`) ?? 0) - soon;
  };
  for (const end = performance.now() + 400; performance.now() < end; );
  await expect.poll(late).toBeGreaterThan(0);
  expect(await late()).toBeGreaterThan(0);
});

it("queries the database once, regardless of the number of readers", async () => {
  outdate();
  const read = vi.spyOn(world.runtime.db, "use");
  const texts = await Promise.all([page.text(), page.text(), page.text()]);
  expect(new Set(texts).size).toBe(1);
  expect(read).toHaveBeenCalledTimes(1);
  read.mockRestore();
});

it("answers while the database does not, without stale figures of the queue", async () => {
  const { db } = world.runtime;
  const broken = new MetricsPage({
    ...world.runtime,
    metrics: new (world.runtime.metrics.constructor as new () => typeof world.runtime.metrics)(),
    db: {
      ...db,
      read: new Proxy(db.read, {
        get: () => () => {
          throw new Error("gone");
        },
      }),
    },
  });
  const found = parseMetrics(await broken.text());
  expect(readingOf(found, "quittance_database_answered")).toBe(0);
  expect(found.get("quittance_jobs_oldest_seconds")?.samples).toEqual([]);
  expect(found.get("quittance_audit_unsealed_seconds")?.samples ?? []).toEqual([]);
});
