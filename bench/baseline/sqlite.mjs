// SQLite for the baseline: one writer with group commit, one read-only reader, the product's PRAGMAs.
import Database from "better-sqlite3";

const largestGroup = 64;

/** Opens the file. Without `groups`, every write has its own commit. */
export function open(path, { groups }) {
  const writer = connect(path, false);
  const reader = connect(path, true);
  const value = (one) => (typeof one === "boolean" ? Number(one) : one);
  return {
    dialect: "sqlite",
    value,
    read: statementsOf(reader),
    write: groupCommit(writer, groups ? largestGroup : 1),
    async close() {
      reader.close();
      writer.close();
    },
  };
}

function connect(path, readonly) {
  const connection = new Database(path, { readonly, timeout: 2000 });
  if (!readonly) connection.pragma("journal_mode = WAL");
  connection.pragma("synchronous = FULL");
  connection.pragma("foreign_keys = ON");
  connection.pragma("trusted_schema = OFF");
  if (!readonly) connection.pragma("temp_store = MEMORY");
  return connection;
}

/**
 * `get`, `all` and `run` with statements that are prepared once. Callers await them, so that both engines look alike.
 */
function statementsOf(connection) {
  const statements = new Map();
  const prepared = (text) => {
    let statement = statements.get(text);
    if (!statement) {
      statement = connection.prepare(text);
      statements.set(text, statement);
    }
    return statement;
  };
  return {
    get: (text, ...values) => prepared(text).get(values),
    all: (text, ...values) => prepared(text).all(values),
    run: (text, ...values) => prepared(text).run(values),
  };
}

/**
 * Writes that arrive in one turn of the event loop share a commit. Each has a savepoint, so that it could fail alone.
 */
function groupCommit(connection, largest) {
  const tx = statementsOf(connection);
  const waiting = [];
  let running = false;

  async function drain() {
    running = true;
    while (waiting.length > 0) {
      await new Promise((resume) => setImmediate(resume));
      const done = [];
      tx.run("BEGIN IMMEDIATE");
      for (const { work, resolve } of waiting.splice(0, largest)) {
        tx.run("SAVEPOINT item");
        const value = await work(tx);
        tx.run("RELEASE item");
        done.push(() => resolve(value));
      }
      tx.run("COMMIT");
      for (const answer of done) answer();
    }
    running = false;
  }

  return (work) =>
    new Promise((resolve) => {
      waiting.push({ work, resolve });
      if (!running) drain();
    });
}
