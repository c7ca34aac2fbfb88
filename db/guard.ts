// Finds code that leaves its write transaction, in development and tests: a read through the pool or a second write.
import { AsyncLocalStorage } from "node:async_hooks";
import type { Database, Reader } from "./client";

const checks = new WeakMap<Reader, () => void>();

/** Throws if `reader` is the pool and a write transaction of its database is open here. Does nothing in production. */
export const assertMayRead = (reader: Reader): void => checks.get(reader)?.();

/**
 * Wraps a database so that it refuses pool access from inside one of its own write transactions. On PostgreSQL such
 * access needs a second connection, so enough of these writes deadlock the pool; on SQLite the inner write waits for
 * the outer one. Tracking async context costs a tenth of a request, so production does without.
 */
export function guarded(database: Database): Database {
  if (process.env.NODE_ENV === "production") return database;
  const inside = new AsyncLocalStorage<true>();
  const check = () => {
    if (inside.getStore()) throw new Error("A write transaction is open here: use its handle.");
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
