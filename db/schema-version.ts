// Which version of the schema a SQLite file has, compared with this program's migrations.
import { join } from "node:path";
import { recordedInFile } from "./migrate-sqlite";
import { type Migration, missingOf, readMigrations, SchemaIsNewer } from "./migration-files";

/** `none`: not a database of this product. `newer`: a later version of the program has migrated it. */
type SchemaVersion = "none" | "older" | "current" | "newer";

/** Compares the SQLite file at `path` with the migrations in `folder`, which contains one folder per engine. */
export function schemaVersionOf(path: string, folder = join(process.cwd(), "db/migrations")): SchemaVersion {
  const recorded = recordedInFile(path);
  if (recorded.length === 0) return "none";
  return comparison(readMigrations(join(folder, "sqlite")), recorded);
}

function comparison(migrations: readonly Migration[], recorded: readonly number[]): SchemaVersion {
  try {
    return missingOf(migrations, recorded).length > 0 ? "older" : "current";
  } catch (error) {
    if (error instanceof SchemaIsNewer) return "newer";
    throw error;
  }
}
