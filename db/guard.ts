// Finds, in development and in tests, work that leaves its own write transaction: a read through the pool or a second write.
import { AsyncLocalStorage } from "node:async_hooks";
import type { Database, Reader } from "./client";

const checks = new WeakMap<Reader, () => void>();

/** Throws if `reader` is the pool and its database's write transaction is open here. Does nothing in production. */
export const assertMayRead = (reader: Reader): void => checks.get(reader)?.();

/**
 * The same database, which refuses to be read or written through its pool while a write of its own runs: on PostgreSQL
 * that needs a second connection, so that as many such writes as there are connections wait for one another; on SQLite
 * the inner write waits for the outer one. Following every promise costs a tenth of a request, so production goes without.
 */
export function guarded(database: Database): Database {
  if (process.env.NODE_ENV === "production") return database;
  const inside = new AsyncLocalStorage<true>();
  const check = () => {
    if (inside.getStore()) throw new Error("A write transaction is open here: use its own handle.");
  };
  return {
    ...database,
    read: guardReader(database.read, check),
    async write(work) {
      check();
      return database.write((tx) => inside.run(true, () => work(tx)));
    },
  };
}

function guardReader(reader: Reader, check: () => void): Reader {
  const checked = new Proxy(reader, {
    get(target, name) {
      if (name === "select" || name === "selectDistinct" || name === "$count") check();
      return Reflect.get(target, name, target);
    },
  });
  checks.set(checked, check);
  return checked;
}
