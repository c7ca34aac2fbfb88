// Queries that are built and prepared once per connection, for the paths where building them would cost more than running them.
import { sql } from "drizzle-orm";
import type { Reader, Tx } from "./client";

interface Preparable<T> {
  prepare(name: string): { execute(values?: Record<string, unknown>): Promise<T> };
}

/** A named slot of a prepared query. */
export const slot = (name: string) => sql.placeholder(name);

/**
 * A query that is prepared on first use on each connection. Its name must be unique in the product: PostgreSQL keeps it
 * per connection.
 */
export function prepared<Handle extends Reader | Tx, T>(name: string, build: (q: Handle) => Preparable<T>) {
  const statements = new WeakMap<Handle, ReturnType<Preparable<T>["prepare"]>>();
  return (q: Handle, values: Record<string, unknown> = {}): Promise<T> => {
    let statement = statements.get(q);
    if (!statement) {
      statement = build(q).prepare(name);
      statements.set(q, statement);
    }
    return statement.execute(values);
  };
}
