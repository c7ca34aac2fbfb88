// GET /metrics: what the process counted, and gauges that are measured when someone reads them, at most once a second.
import type { IncomingMessage } from "node:http";
import { Gauge, type Registry } from "prom-client";
import type { DatabaseUse, Reader } from "@/db/client";
import { dialect } from "@/db/dialect";
import { lastBackup } from "@/server/domains/instance/backup-note";
import { type QueueFigures, queueFigures } from "@/server/domains/jobs/figures";
import { priorityOf } from "@/server/domains/jobs/queue";
import { lastProofs } from "@/server/domains/ledger/proof-note";
import { unsealedSince } from "@/server/domains/records/seals";
import { limits } from "@/server/kit/limits";
import type { Runtime } from "@/server/process/runtime";
import { productVersion } from "@/server/process/version";
import { mayReadMetrics } from "./metrics-access";

/** How long a text is reused, so that reading in a loop costs nothing. */
const freshMs = 1_000;
/** How long to wait for the database. If it does not respond in time, the gauges of jobs and seals are left out. */
const databaseWithinMs = 1_000;

type Source = Pick<Runtime, "metrics" | "db" | "clock" | "env">;

/** The figures read from the database. */
interface Figures {
  queue: QueueFigures;
  /** When the oldest audit entry without a seal was created, in epoch milliseconds; null if there is none. */
  unsealedSince: number | null;
}

/** What the HTTP server needs of the metrics. */
export interface MetricsReader {
  readonly contentType: string;
  mayRead(request: IncomingMessage): boolean;
  text(): Promise<string>;
  noteRefusal(code: string | null): void;
}

/** The metrics of this process as text. Concurrent readers share one. */
export class MetricsPage implements MetricsReader {
  private readonly gauges: ReturnType<typeof gaugesOf>;
  private latest: { text: Promise<string>; at: number } | undefined;
  /** The queries in progress; they never run twice at once. */
  private asking: Promise<Figures> | undefined;

  /** `operations` are the ids of those that this process serves. */
  constructor(
    private readonly source: Source,
    operations: readonly string[] = [],
  ) {
    source.metrics.startCounting({ operations, jobs: Object.keys(priorityOf) });
    this.gauges = gaugesOf(source.metrics.registry);
    this.gauges.build.set({ version: productVersion(), engine: dialect }, 1);
  }

  get contentType(): string {
    return this.source.metrics.registry.contentType;
  }

  mayRead(request: IncomingMessage): boolean {
    return mayReadMetrics(request, this.source.env);
  }

  noteRefusal(code: string | null): void {
    this.source.metrics.noteRefusal(code);
  }

  /** Prometheus's text format. Resolves even while the database does not answer. */
  text(): Promise<string> {
    const now = performance.now();
    if (!this.latest || now - this.latest.at >= freshMs) this.latest = { text: this.write(), at: now };
    return this.latest.text;
  }

  private async write(): Promise<string> {
    const [figures, use] = await Promise.all([this.ask(), this.source.db.use()]);
    this.setFigures(figures);
    this.setUse(use);
    this.setNotes();
    return this.source.metrics.registry.metrics();
  }

  /** Null if the database does not answer in time. */
  private async ask(): Promise<Figures | null> {
    const { db, clock } = this.source;
    this.asking ??= figuresOf(db.read, clock.now()).finally(() => {
      this.asking = undefined;
    });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), databaseWithinMs);
    });
    try {
      return await Promise.race([this.asking, late]);
    } catch {
      return null;
    } finally {
      clearTimeout(timer);
    }
  }

  private setFigures(figures: Figures | null): void {
    const { answered, jobs, oldest, unsealed } = this.gauges;
    jobs.reset();
    oldest.reset();
    unsealed.remove();
    answered.set(figures ? 1 : 0);
    if (!figures) return;
    const { queue, unsealedSince } = figures;
    const now = this.source.clock.now();
    unsealed.set(Math.max(0, now - (unsealedSince ?? now)) / 1_000);
    for (const state of ["due", "dead"] as const) {
      for (const { kind, count } of queue[state]) jobs.inc({ kind, state }, count);
      const longest = Math.max(0, ...queue[state].map(({ since }) => now - since));
      oldest.set({ state }, longest / 1_000);
    }
  }

  private setUse({ pools, files }: DatabaseUse): void {
    const { connections, waiting, fileBytes } = this.gauges;
    for (const { name: pool, ...use } of pools) {
      connections.set({ pool, state: "in_use" }, use.inUse);
      connections.set({ pool, state: "idle" }, use.idle);
      waiting.set({ pool }, use.waiting);
    }
    if (!files) return;
    fileBytes.set({ file: "database" }, files.database);
    fileBytes.set({ file: "write_ahead_log" }, files.writeAheadLog);
  }

  private setNotes(): void {
    const backup = lastBackup(this.source.env);
    if (backup === null) this.gauges.backup.remove();
    else this.gauges.backup.set(backup.at / 1_000);
    this.gauges.proof.reset();
    for (const { kind: proof, at, isSound } of lastProofs(this.source.env)) {
      this.gauges.proof.set({ proof, result: isSound ? "sound" : "unsound" }, at / 1_000);
    }
  }
}

async function figuresOf(q: Reader, now: number): Promise<Figures> {
  const [queue, since] = await Promise.all([queueFigures(q, now), unsealedSince(q)]);
  return { queue, unsealedSince: since };
}

function gaugesOf(registry: Registry) {
  const gauge = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Gauge({ name: `quittance_${name}`, help, labelNames, registers: [registry] });
  return {
    build: gauge("build_info", "The product's version and its database engine. Always 1.", ["version", "engine"]),
    answered: gauge("database_answered", "Whether the database answered this reading: 1 or 0.", []),
    connections: gauge("database_connections", "Connections of this process to the database.", ["pool", "state"]),
    waiting: gauge("database_waiting", "Work of this process that waits for a connection.", ["pool"]),
    fileBytes: gauge("database_file_bytes", "Sizes of the database's files. SQLite only.", ["file"]),
    jobs: gauge("jobs", `Due and dead jobs by kind; of each at most ${limits.countedJobs} are counted.`, [
      "kind",
      "state",
    ]),
    oldest: gauge("jobs_oldest_seconds", "How long the oldest job has been due, or dead; 0 if there is none.", [
      "state",
    ]),
    unsealed: gauge(
      "audit_unsealed_seconds",
      "How long the oldest audit entry without a seal has waited for it; 0 if there is none.",
      [],
    ),
    backup: gauge(
      "backup_timestamp_seconds",
      "When the last backup was begun: on SQLite one that passed its checks on this machine, on PostgreSQL one that `cli backed-up` noted on it. Unix time.",
      [],
    ),
    proof: gauge(
      "ledger_proof_timestamp_seconds",
      "When the ledger was last proved on this machine, by kind of proof, and with which result. Unix time.",
      ["proof", "result"],
    ),
  };
}
