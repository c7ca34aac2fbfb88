// How SQLite plans the statements of a test: const plans = watchPlans(); at the top of the file.
import BetterSqlite from "better-sqlite3";
import { expect, vi } from "vitest";
import { sqlitePath } from "@/db/sqlite";

/** Watches what is prepared. Call it before any connection opens, since each keeps its own copy of that function. */
export function watchPlans() {
  const prepare = vi.spyOn(BetterSqlite.prototype, "prepare");
  const clear = () => void prepare.mockClear();
  return {
    /** Forgets the statements so far. */
    clear,
    /** The plans of the statements since then that match, at least one, each with a line for every step. */
    of(databaseUrl: string, isWanted: RegExp): string[] {
      const texts = prepare.mock.calls.map(([text]) => text).filter((text) => isWanted.test(text));
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
