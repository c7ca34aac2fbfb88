// The parts of a process that exist once: configuration, database, server key, clock, log. Shared with Next's bundle.
import type { Logger } from "pino";
import { type Database, openDatabase } from "@/db/client";
import { forgetValues } from "@/db/errors";
import { migrateDatabase } from "@/db/migrate";
import { databaseTime } from "@/db/now";
import { makeFolderPrivate } from "@/db/private-files";
import { Refusals } from "@/server/fairness/audited-refusals";
import { Places } from "@/server/fairness/places";
import { Pressure } from "@/server/fairness/pressure";
import { CallRate } from "@/server/fairness/rate";
import { Changes } from "@/server/kit/changes";
import { KeptTotals } from "@/server/kit/kept-totals";
import { limits } from "@/server/kit/limits";
import { type Clock, machine, systemClock, type TimeSources } from "./clock";
import { followDatabase } from "./database-clock";
import { type Env, parseEnv } from "./env";
import { createLogger } from "./log";
import { Metrics } from "./metrics";
import { loadServerKeys, type ServerKeys } from "./server-key";

export interface Runtime {
  readonly env: Env;
  readonly db: Database;
  readonly keys: ServerKeys;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly changes: Changes;
  /** Rate limit per caller and minute; null if turned off. */
  readonly rate: CallRate | null;
  /** Long polls in progress. */
  readonly polls: Places;
  /** Passwords being checked or waiting for it, by address block. */
  readonly passwords: Places;
  /** Failed sign-ins of the last minutes. */
  readonly pressure: Pressure;
  /** Decides which refusals get their own audit entry. */
  readonly refusals: Refusals;
  /** Idempotency keys whose first request is running in this process. */
  readonly runningKeys: Set<string>;
  /** Resolves when the database file can no longer be trusted: the process should exit and start again. */
  readonly fault: Promise<Error>;
  /** Downloads in progress. */
  readonly downloads: Places;
  /** Estimates of how many records match a search. */
  readonly totals: KeptTotals;
  close(): Promise<void>;
}

const slot = Symbol.for("quittance.runtime");
type Shared = typeof globalThis & { [slot]?: Promise<Runtime> };

/** The process's runtime, opened and migrated on first use. */
export function runtime(): Promise<Runtime> {
  const shared = globalThis as Shared;
  shared[slot] ??= openRuntime(parseEnv(process.env)).catch((error) => {
    delete shared[slot];
    throw error;
  });
  return shared[slot];
}

/** Opens a separate runtime, as tests do. `time` is the machine's time sources, or a clock to use as it is. */
export async function openRuntime(env: Env, time: TimeSources | Clock = machine): Promise<Runtime> {
  const log = createLogger(env);
  const keys = loadServerKeys(env);
  makeFolderPrivate(env.dataDir);
  await migrateDatabase(env.databaseUrl, { report: (sentence) => log.info(sentence) });
  let onFault: (error: Error) => void = () => {};
  const fault = new Promise<Error>((resolve) => {
    onFault = resolve;
  });
  const onTrouble = (err: Error) =>
    log.warn({ err }, "the write-ahead log could not be copied into the database file yet");
  const metrics = new Metrics();
  const onCommit = (transactions: number, syncMs: number) => metrics.noteCommit(transactions, syncMs);
  const { databaseUrl: url, databasePool: connections } = env;
  const db = await openDatabase({ url, connections, onFault, onTrouble, onCommit });
  const { clock, stop } = "now" in time ? { clock: time, stop: () => {} } : await clockOf(db, log, time);
  return {
    env,
    db,
    keys,
    clock,
    log,
    metrics,
    changes: new Changes(),
    rate: env.rateLimit > 0 ? new CallRate(env.rateLimit) : null,
    polls: new Places(limits.polls),
    passwords: new Places({ perCaller: env.passwordsPerIp, inAll: Number.POSITIVE_INFINITY }),
    pressure: new Pressure(env.loginSlowdownAfter),
    refusals: new Refusals(),
    runningKeys: new Set(),
    fault,
    downloads: new Places(limits.download),
    totals: new KeptTotals(),
    close: () => {
      stop();
      return db.close();
    },
  };
}

/** Creates a clock that follows the database's, and a function to stop following it. */
async function clockOf(db: Database, log: Logger, sources: TimeSources): Promise<{ clock: Clock; stop(): void }> {
  const { wall, stop } = await followDatabase(
    () => databaseTime(db.read),
    sources,
    (error) => log.warn({ err: forgetValues(error) }, "the database's clock could not be read"),
  ).catch(async (error: unknown) => {
    await db.close();
    throw error;
  });
  const report = (leadMs: number) => log.warn({ leadMs }, "the clock was changed");
  return { clock: systemClock({ ...sources, wall }, report), stop };
}
