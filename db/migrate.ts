// Applies migrations, one process at a time, and refuses a schema that a newer version has changed.
import { join } from "node:path";
import { dialect } from "./dialect";
import { readMigrations } from "./migration-files";

export interface MigrateOptions {
  /** Contains one folder per engine. */
  folder?: string;
  /** Receives a sentence for the log when a migration begins or waits. */
  report?: (sentence: string) => void;
}

/**
 * Applies missing migrations. Each is recorded only when all of its statements are done, so a process that was killed
 * meanwhile leaves the rest to the next one. Throws {@link SchemaIsNewer} and {@link MigrationBlocked}.
 */
export async function migrateDatabase(url: string, options: MigrateOptions = {}): Promise<void> {
  const { folder = join(process.cwd(), "db/migrations"), report = () => {} } = options;
  const migrations = readMigrations(join(folder, dialect));
  if (dialect === "sqlite") return (await import("./migrate-sqlite")).migrateSqlite(url, migrations, report);
  return (await import("./migrate-postgres")).migratePostgres(url, migrations, report);
}
