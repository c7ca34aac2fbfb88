// The migrations of an engine, those that a database lacks, and why they cannot be applied.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** One file of db/migrations/<engine>, in the order of its journal. */
export interface Migration {
  /** The file's name without its extension. */
  tag: string;
  /**
   * Identifies the migration in the database: when it was generated, in epoch milliseconds. The initial one has a number
   * from its text instead.
   */
  when: number;
  hash: string;
  statements: readonly string[];
}

/** The schema cannot be used. The message is for the operator. */
export class SchemaError extends Error {}

/** A newer version of the product has changed the schema, so this one does not know what its rows mean. */
export class SchemaIsNewer extends SchemaError {
  constructor() {
    super(
      "A newer version of Quittance has changed this database, so this version cannot use it.\n" +
        "Start the newer version, or restore a backup from before the upgrade.",
    );
    this.name = "SchemaIsNewer";
  }
}

/** The database lacks migrations of this version. A command does not apply them: others may be using the database. */
export class NotMigrated extends SchemaError {
  constructor(hasSchema: boolean) {
    const problem = hasSchema
      ? "This database has not been migrated to this version of Quittance, and an earlier version may be using it."
      : "There is no database of Quittance yet.";
    super(`${problem}\nStart the server or a worker, or run npm run migrate, first.`);
    this.name = "NotMigrated";
  }
}

/** A migration could not begin because others kept using the table, or migrated the database themselves. */
export class MigrationBlocked extends SchemaError {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "MigrationBlocked";
  }
}

/** The generator writes the journal, and separates statements by a comment. The initial migration is one. */
export function readMigrations(folder: string): Migration[] {
  const journal: { entries: { tag: string; when: number }[] } = JSON.parse(
    readFileSync(join(folder, "meta/_journal.json"), "utf8"),
  );
  return journal.entries.map(({ tag, when }) => {
    const text = readFileSync(join(folder, `${tag}.sql`), "utf8");
    const hash = createHash("sha256").update(text).digest("hex");
    return { tag, when, hash, statements: text.split("--> statement-breakpoint") };
  });
}

/**
 * The migrations that the database does not record. Throws {@link SchemaIsNewer} if it records others: a newer version
 * may also contain one with an earlier date, from a branch that was merged later.
 */
export function missingOf(migrations: readonly Migration[], recorded: readonly number[]): Migration[] {
  const known = migrations.map(({ when }) => when);
  if (recorded.some((when) => !known.includes(when))) throw new SchemaIsNewer();
  return migrations.filter(({ when }) => !recorded.includes(when));
}

/**
 * Throws {@link NotMigrated} unless the database records every migration, and {@link SchemaIsNewer} if it records more.
 */
export function expectAll(migrations: readonly Migration[], recorded: readonly number[]): void {
  if (missingOf(migrations, recorded).length > 0) throw new NotMigrated(recorded.length > 0);
}
