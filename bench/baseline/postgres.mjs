// PostgreSQL for the baseline: a pool of the product's size, named prepared statements, one transaction per write.
import pg from "pg";

const int8 = 20;
const json = 114;
const parsers = { [int8]: Number, [json]: (text) => text };

/** Opens the database at the address. */
export function open(connectionString) {
  const types = { getTypeParser: (oid, format) => parsers[oid] ?? pg.types.getTypeParser(oid, format) };
  const pool = new pg.Pool({ connectionString, max: 16, options: "-c synchronous_commit=on", types });
  return {
    dialect: "postgres",
    value: (one) => one,
    read: statementsOf(pool),
    async write(work) {
      const client = await pool.connect();
      await client.query("BEGIN ISOLATION LEVEL READ COMMITTED");
      const value = await work(statementsOf(client));
      await client.query("COMMIT");
      client.release();
      return value;
    },
    close: () => pool.end(),
  };
}

const named = new Map();

/** The statement with `$1` for the first `?` and so on, with a name so that each connection prepares it once. */
function statement(text) {
  let known = named.get(text);
  if (!known) {
    let count = 0;
    known = { name: `s${named.size}`, text: text.replace(/\?/g, () => `$${++count}`) };
    named.set(text, known);
  }
  return known;
}

function statementsOf(client) {
  const query = (text, values) => client.query({ ...statement(text), values });
  return {
    get: async (text, ...values) => (await query(text, values)).rows[0],
    all: async (text, ...values) => (await query(text, values)).rows,
    run: (text, ...values) => query(text, values),
  };
}
