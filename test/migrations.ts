// Migrations for tests, in a separate folder.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dialect } from "@/db/dialect";

export interface TestMigrations {
  folder: string;
  /** Replaces the migrations. Each is the list of its statements. */
  write(...migrations: string[][]): void;
  remove(): void;
}

export function openMigrations(): TestMigrations {
  const folder = mkdtempSync(join(tmpdir(), "quittance-migrations-"));
  const file = (name: string) => join(folder, dialect, name);
  mkdirSync(file("meta"), { recursive: true });
  return {
    folder,
    write(...migrations) {
      const entries = migrations.map((_, n) => ({ tag: `000${n}`, when: 1000 + n }));
      writeFileSync(file("meta/_journal.json"), JSON.stringify({ entries }));
      for (const [n, statements] of migrations.entries()) {
        writeFileSync(file(`000${n}.sql`), statements.join("--> statement-breakpoint\n"));
      }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
