// When something about the server is wrong, and how urgent it is. docs/operating.md, "What to watch", has the reasons.
import { limits } from "@/server/kit/limits";
import { isOldZoneData } from "@/server/process/zone-data";

/** `watch`: soon. `act`: now. `optional`: it is missing, and the organization does not need it before it is live. */
export const healths = ["ok", "watch", "act", "optional"] as const;
type Health = (typeof healths)[number];

const healthOf = {
  log_long: "watch",
  disk_short: "watch",
  disk_full: "act",
  backup_none: "optional",
  backup_missing: "act",
  backup_old: "act",
  dump_missing: "watch",
  dump_old: "act",
  proof_none: "optional",
  proof_missing: "watch",
  proof_old: "watch",
  proof_unsound: "act",
  jobs_late: "act",
  jobs_failed: "act",
  mail_none: "optional",
  mail_missing: "watch",
  mail_failed: "watch",
  zones_old: "watch",
} as const satisfies Record<string, Health>;

type Problem = keyof typeof healthOf;
export const problems = Object.keys(healthOf) as [Problem, ...Problem[]];

/** What is wrong with one part of the server; `problem` is null if nothing is. */
interface Judgment {
  health: Health;
  problem: Problem | null;
}

const judgment = (problem: Problem | null | false): Judgment =>
  problem ? { health: healthOf[problem], problem } : { health: "ok", problem: null };

/** The release of the time zone data that Node has ("2026e"); null without one. */
export const judgeZoneData = (release: string | null): Judgment => judgment(isOldZoneData(release) && "zones_old");

/** Bytes of SQLite's write-ahead log; null on PostgreSQL. */
export const judgeDatabase = (writeAheadLogBytes: number | null): Judgment =>
  judgment((writeAheadLogBytes ?? 0) > limits.alarm.writeAheadLogBytes && "log_long");

/** The bytes that are free on the disk of the SQLite file. */
export function judgeDisk(freeBytes: number): Judgment {
  const { act, watch } = limits.alarm.freeBytes;
  return judgment(freeBytes < act ? "disk_full" : freeBytes < watch && "disk_short");
}

/** Where and when the rules are applied. Instants are in epoch milliseconds. */
interface Place {
  now: number;
  /** Whether the organization moves real money. */
  isLive: boolean;
  isSqlite: boolean;
}

/** When the last backup was begun; null if none is known. */
export function judgeBackup(at: number | null, { now, isLive, isSqlite }: Place): Judgment {
  if (at === null) return judgment(isLive ? (isSqlite ? "backup_missing" : "dump_missing") : "backup_none");
  return judgment(now - at > limits.alarm.backupMs && (isSqlite ? "backup_old" : "dump_old"));
}

/** The last proof that is not sound, or else the last one; null if there is none. */
export function judgeProof(last: { at: number; isSound: boolean } | null, { now, isLive }: Place): Judgment {
  if (last === null) return judgment(isLive ? "proof_missing" : "proof_none");
  return judgment(last.isSound ? now - last.at > limits.alarm.proofMs && "proof_old" : "proof_unsound");
}

/** Since when the oldest job is due (null if none is), and the number of failed jobs. */
export const judgeJobs = (dueSince: number | null, failed: number, { now }: Place): Judgment =>
  judgment(dueSince !== null && now - dueSince > limits.alarm.dueMs ? "jobs_late" : failed > 0 && "jobs_failed");

/** Whether a mail server is set up, and when the newest mail that failed was written (null if there is none). */
export function judgeMail(hasServer: boolean, failedAt: number | null, { now, isLive }: Place): Judgment {
  if (!hasServer) return judgment(isLive ? "mail_missing" : "mail_none");
  return judgment(failedAt !== null && now - failedAt < limits.failedMailsShownMs && "mail_failed");
}
