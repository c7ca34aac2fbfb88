// The last backup, noted on this machine: the folder of backups may be on a disk that hangs.
import * as z from "zod";
import { notesOf, readNote } from "@/server/process/database-notes";
import type { Env } from "@/server/process/env";

const made = z.strictObject({
  /** When the backup was begun, in epoch milliseconds: it has everything that was acknowledged before. */
  at: z.int(),
  bytes: z.int(),
  /** The whole path. */
  file: z.string(),
  /** Whether the copy itself passed the checks of SQLite and the proof of the ledger. */
  isProved: z.boolean(),
});

type Made = z.output<typeof made>;
type Settings = Pick<Env, "dataDir" | "databaseUrl">;

/** Notes a backup in place of the last one. Throws if the note cannot be written. */
export const noteBackup = (env: Settings, backup: Made): void => notesOf(env)("backup-made", backup);

/** The last backup of this database that was noted on this machine; null if there is none. */
export const lastBackup = (env: Settings): Made | null => readNote(env, "backup-made", made);
