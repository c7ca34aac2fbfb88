// How SQLite plans the statements of a test: const plans = watchPlans(); at the top of the file.
import BetterSqlite from "better-sqlite3";
import { expect, vi } from "vitest";
import { sqlitePath } from "@/db/sqlite";

/** Watches what runs. A statement that is kept is prepared once, and runs many times. */
export function watchPlans() {
  const memory = new BetterSqlite(":memory:");
  const statements: BetterSqlite.Statement = Object.getPrototypeOf(memory.prepare("select 1"));
  memory.close();
  const runs = (["all", "get", "run", "iterate"] as const).map((name) => vi.spyOn(statements, name));
  const clear = () => {
    for (const run of runs) run.mockClear();
  };
  return {
    /** Forgets the statements so far. */
    clear,
    /** The plans of the statements since then that match, at least one, each with a line for every step. */
    of(databaseUrl: string, isWanted: RegExp): string[] {
      const ran = runs.flatMap(({ mock }) => mock.contexts.map((statement) => (statement as typeof statements).source));
      const texts = [...new Set(ran)].filter((text) => isWanted.test(text));
      clear();
      expect(texts.length).toBeGreaterThan(0);
      const connection = new BetterSqlite(sqlitePath(databaseUrl), { readonly: true });
      const plans = texts.map((text) => {
        const values = Array(text.split("?").length - 1).fill("1");
        const steps = connection.prepare<unknown[], { detail: string }>(`explain query plan ${text}`).all(...values);
        return steps.map(({ detail }) => detail).join("\n");
      });
      connection.close();
      clear();
      return plans;
    },
  };
}
