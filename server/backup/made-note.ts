// When the last backup was made, noted on this machine: the folder of backups may be on a disk that hangs.
import * as z from "zod";
import { notesOf, readNote } from "@/server/process/database-notes";
import type { Env } from "@/server/process/env";

const made = z.strictObject({
  /** When the backup was begun, in epoch milliseconds: it has everything that was acknowledged before. */
  at: z.int(),
});

type Settings = Pick<Env, "dataDir" | "databaseUrl">;

/** Notes a backup that has passed its checks. If it cannot, the last note grows old, which raises the alarm. */
export function noteBackup(env: Settings, at: number): void {
  try {
    notesOf(env)("backup-made", { at });
  } catch {
    // The backup is good even if its note cannot be written.
  }
}

/** When the last backup of this database by this machine was begun, in epoch milliseconds; null if unknown. */
export const lastBackup = (env: Settings): number | null => readNote(env, "backup-made", made)?.at ?? null;
