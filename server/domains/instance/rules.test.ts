// When a part of the server is all right, and when somebody must act.
import { expect, it } from "vitest";
import { limits } from "@/server/kit/limits";
import { newestZoneData } from "@/server/process/zone-data";
import { judgeBackup, judgeDatabase, judgeDisk, judgeJobs, judgeMail, judgeProof, judgeZoneData } from "./rules";

const now = Date.UTC(2026, 10, 22);
const { alarm } = limits;
const sandbox = { now, isLive: false, isSqlite: true };
const live = { ...sandbox, isLive: true };
const onPostgres = { ...live, isSqlite: false };

it.each([
  ["the newest time zone data that is known", judgeZoneData(newestZoneData), null],
  ["a later release in a later year", judgeZoneData("2027a"), null],
  ["a release of the year before", judgeZoneData("2025c"), "zones_old"],
  ["no time zone data", judgeZoneData(null), "zones_old"],
  ["a short log", judgeDatabase(alarm.writeAheadLogBytes), null],
  ["a long log", judgeDatabase(alarm.writeAheadLogBytes + 1), "log_long"],
  ["no log, as on PostgreSQL", judgeDatabase(null), null],
  ["a disk with room", judgeDisk(alarm.freeBytes.watch), null],
  ["a disk with little room", judgeDisk(alarm.freeBytes.watch - 1), "disk_short"],
  ["a disk with enough room for now", judgeDisk(alarm.freeBytes.act), "disk_short"],
  ["a disk that is nearly full", judgeDisk(alarm.freeBytes.act - 1), "disk_full"],
  ["no backup in the sandbox", judgeBackup(null, sandbox), "backup_none"],
  ["no backup in live mode", judgeBackup(null, live), "backup_missing"],
  ["no noted backup of PostgreSQL", judgeBackup(null, onPostgres), "dump_missing"],
  ["a backup of two days ago", judgeBackup(now - alarm.backupMs, live), null],
  ["an older backup, also in the sandbox", judgeBackup(now - alarm.backupMs - 1, sandbox), "backup_old"],
  ["an older backup of PostgreSQL", judgeBackup(now - alarm.backupMs - 1, onPostgres), "dump_old"],
  ["no proof in the sandbox", judgeProof(null, sandbox), "proof_none"],
  ["no proof in live mode", judgeProof(null, live), "proof_missing"],
  ["a proof of two days ago", judgeProof({ at: now - alarm.proofMs, isSound: true }, live), null],
  ["an older proof", judgeProof({ at: now - alarm.proofMs - 1, isSound: true }, live), "proof_old"],
  ["an old proof that failed", judgeProof({ at: 0, isSound: false }, sandbox), "proof_unsound"],
  ["no jobs", judgeJobs(null, 0, live), null],
  ["a job that is due", judgeJobs(now - alarm.dueMs, 0, live), null],
  ["a job that waits", judgeJobs(now - alarm.dueMs - 1, 1, live), "jobs_late"],
  ["a failed job", judgeJobs(now, 1, sandbox), "jobs_failed"],
  ["no mail server in the sandbox", judgeMail(false, now, sandbox), "mail_none"],
  ["no mail server in live mode", judgeMail(false, null, live), "mail_missing"],
  ["a mail that failed a week ago", judgeMail(true, now - limits.failedMailsShownMs, live), null],
  ["a mail that failed since", judgeMail(true, now - limits.failedMailsShownMs + 1, live), "mail_failed"],
])("%s", (_what, { problem, health }, expected) => {
  expect(problem).toBe(expected);
  expect(health === "ok").toBe(expected === null);
});
