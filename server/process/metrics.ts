// What a process counts while it works, for Prometheus. Counting is in memory and never waits.
import { Counter, collectDefaultMetrics, Histogram, Registry } from "prom-client";
import { errorMeanings } from "@/server/kit/errors";

/**
 * How a call ended. `refused`: with a reason for the caller. `unavailable`: it could not be served now, and the caller
 * may try again. `aborted`: the caller disconnected before it could be served. `failed`: an internal error.
 */
export const outcomes = ["ok", "refused", "unavailable", "aborted", "failed"] as const;
export type Outcome = (typeof outcomes)[number];

/** How a run of a job ended. `again`: nothing failed, but it has to run once more later. */
export const jobOutcomes = ["done", "again", "failed", "dead"] as const;
type JobOutcome = (typeof jobOutcomes)[number];

/** The label for values outside the known lists, so that no caller can add a label value. */
export const otherLabel = "other";

/** Upper bounds of the latency buckets in seconds, up to the longest poll. */
const latencies = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const syncTimes = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1];
/** How often the event loop's delay is measured, in milliseconds. */
const lagEveryMs = 100;
const lags = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.5, 1, 2.5, 5, 10];
const groupSizes = [1, 2, 4, 8, 16, 32, 64];

const isKnownCode = (code: string): boolean => Object.hasOwn(errorMeanings, code);

/** The counters and histograms of one process. Labels have values from fixed lists only: no ids, paths or addresses. */
export class Metrics {
  readonly registry = new Registry();
  private readonly operations = new Histogram({
    name: "quittance_operation_duration_seconds",
    help: "Time from the credential's check to the answer, after COMMIT. For long polls it includes the wait.",
    labelNames: ["operation", "outcome"],
    buckets: latencies,
    registers: [this.registry],
  });
  private readonly refusals = new Counter({
    name: "quittance_requests_refused_total",
    help: "HTTP requests that were refused or failed, by error code.",
    labelNames: ["code"],
    registers: [this.registry],
  });
  private readonly groups = new Histogram({
    name: "quittance_commit_group_transactions",
    help: "Transactions that shared a COMMIT. SQLite only.",
    buckets: groupSizes,
    registers: [this.registry],
  });
  private readonly syncs = new Histogram({
    name: "quittance_commit_sync_seconds",
    help: "Time from a COMMIT until its data was on the disk. SQLite only.",
    buckets: syncTimes,
    registers: [this.registry],
  });
  private readonly jobs = new Counter({
    name: "quittance_job_runs_total",
    help: "Runs of background jobs in this process, by kind and outcome.",
    labelNames: ["kind", "outcome"],
    registers: [this.registry],
  });
  private readonly failures = new Counter({
    name: "quittance_operations_failed_total",
    help: "Calls of operations that ended with an internal error.",
    labelNames: ["operation"],
    registers: [this.registry],
  });

  // A counter that appears with its first increment hides that increment from rate(), so all start at 0.
  constructor() {
    for (const code of [...Object.keys(errorMeanings), otherLabel]) this.refusals.inc({ code }, 0);
  }

  /** Counts a call of an operation of the catalog. */
  noteOperation(operation: string, outcome: Outcome, milliseconds: number): void {
    this.operations.observe({ operation, outcome }, milliseconds / 1_000);
    if (outcome === "failed") this.failures.inc({ operation });
  }

  /** Counts a request that was refused; without a code, nothing. */
  noteRefusal(code: string | null): void {
    if (code !== null) this.refusals.inc({ code: isKnownCode(code) ? code : otherLabel });
  }

  /** Counts a group of transactions that was committed and synced. */
  noteCommit(transactions: number, syncMs: number): void {
    this.groups.observe(transactions);
    this.syncs.observe(syncMs / 1_000);
  }

  /** Counts a run of a job. `kind` is one of the known kinds, or {@link otherLabel}. */
  noteJob(kind: string, outcome: JobOutcome): void {
    this.jobs.inc({ kind, outcome });
  }

  /** Starts the counters of these operations and kinds of jobs at 0. */
  startCounting({ operations, jobs }: { operations: readonly string[]; jobs: readonly string[] }): void {
    for (const operation of operations) this.failures.inc({ operation }, 0);
    for (const kind of [...jobs, otherLabel]) for (const outcome of jobOutcomes) this.jobs.inc({ kind, outcome }, 0);
  }

  /**
   * Adds metrics of the process: Node's on memory, processor time and garbage collection, and the event loop's delay.
   */
  followProcess(): void {
    collectDefaultMetrics({ register: this.registry });
    // Each reading of these starts them anew, so two readers would hide delays from each other. A histogram only grows.
    for (const { name } of this.registry.getMetricsAsArray()) {
      if (name.startsWith("nodejs_eventloop_lag")) this.registry.removeSingleMetric(name);
    }
    this.followEventLoop();
  }

  private followEventLoop(): void {
    const delays = new Histogram({
      name: "quittance_event_loop_delay_seconds",
      help: `How late a timer ran, measured every ${lagEveryMs} ms. Meanwhile all callers waited.`,
      buckets: lags,
      registers: [this.registry],
    });
    let due = performance.now() + lagEveryMs;
    setInterval(() => {
      const now = performance.now();
      delays.observe(Math.max(0, now - due) / 1_000);
      due = now + lagEveryMs;
    }, lagEveryMs).unref();
  }
}
