// Applies migrations, one process at a time, or expects that they were; refuses the schema of a newer version.
import { join } from "node:path";
import { dialect } from "./dialect";
import { readMigrations } from "./migration-files";

interface MigrateOptions {
  /** Contains one folder per engine. */
  folder?: string;
  /** Receives a sentence for the log when a migration begins, or this process waits for another. */
  report?: (sentence: string) => void;
}

/**
 * Applies missing migrations. Each is recorded only when all of its statements are done, so a process that was killed
 * meanwhile leaves the rest to the next one. Throws {@link SchemaIsNewer} and {@link MigrationBlocked}.
 */
export async function migrateDatabase(url: string, options: MigrateOptions = {}): Promise<void> {
  const { migrations, report } = given(options);
  if (dialect === "sqlite") return (await import("./migrate-sqlite")).migrateSqlite(url, migrations, report);
  return (await import("./migrate-postgres")).migratePostgres(url, migrations, report);
}

/**
 * For programs that use the database beside others: throws {@link NotMigrated} or {@link SchemaIsNewer} unless the
 * schema is this version's, and changes nothing.
 */
export async function expectMigrated(url: string, options: MigrateOptions = {}): Promise<void> {
  const { migrations, report } = given(options);
  if (dialect === "sqlite") return (await import("./migrate-sqlite")).expectMigratedSqlite(url, migrations, report);
  return (await import("./migrate-postgres")).expectMigratedPostgres(url, migrations);
}

function given({ folder = join(process.cwd(), "db/migrations"), report = () => {} }: MigrateOptions) {
  return { migrations: readMigrations(join(folder, dialect)), report };
}
