// How PostgreSQL plans the statements of a call: const plans = await openPlans(world.database.url, "payments").
import pg from "pg";
import { expect, vi } from "vitest";

export interface Plans {
  /** The plans of the statements of a call that match, at least one. */
  of(call: () => Promise<unknown>, isWanted: RegExp): Promise<string[]>;
  close(): Promise<void>;
}

/** Opens a connection that explains statements, after it has analyzed the table. */
export async function openPlans(databaseUrl: string, table: string): Promise<Plans> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`analyze ${table}`);
  return {
    async of(call, isWanted) {
      const query = vi.spyOn(pg.Client.prototype, "query");
      await call();
      const sent = query.mock.calls.map(([one, values]) => {
        const { text, values: own } = one as unknown as { text?: string; values?: unknown[] };
        return { text: text ?? String(one), values: own ?? (values as unknown as unknown[] | undefined) };
      });
      query.mockRestore();
      const plans: string[] = [];
      for (const { text, values } of sent.filter(({ text }) => isWanted.test(text))) {
        const { rows } = await client.query<{ "QUERY PLAN": string }>(`explain ${text}`, values);
        plans.push(rows.map((row) => row["QUERY PLAN"]).join("\n"));
      }
      expect(plans.length).toBeGreaterThan(0);
      return plans;
    },
    close: () => client.end(),
  };
}
