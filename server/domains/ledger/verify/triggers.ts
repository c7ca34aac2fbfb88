// Proof that the database still refuses to change append-only rows.
import { expectThat } from "./fault";
import type { Snapshot } from "./snapshot-store";

/** Every append-only table, with the columns that identify its rows. */
const tables: Readonly<Record<string, readonly (readonly string[])[]>> = {
  journals: [["id"], ["reverses_journal_id"], ["rowid"]],
  postings: [["ledger_account_id", "sequence"], ["rowid"]],
  ledger_checkpoints: [["number"]],
  ledger_checkpoint_heads: [["checkpoint_number", "ledger_account_id"], ["rowid"]],
  events: [["id"], ["object_id", "sequence"], ["rowid"]],
  audit_entries: [["id"], ["rowid"]],
  audit_seals: [["number"]],
  audit_seal_entries: [["seal_number", "entry_id"], ["entry_id"], ["rowid"]],
  invoices: [["payment_id"], ["account_id", "livemode", "year", "sequence"], ["rowid"]],
  credit_notes: [["id"], ["account_id", "livemode", "year", "sequence"], ["rowid"]],
  credit_note_voids: [["credit_note_id"], ["rowid"]],
};

/** Proves that every append-only table refuses every kind of change. */
export async function proveTriggers(snapshot: Snapshot): Promise<void> {
  for (const [table, keys] of Object.entries(tables)) {
    if (snapshot.engine === "sqlite") await proveOnSqlite(snapshot, table, keys);
    else await proveOnPostgres(snapshot, table);
  }
}

const missing = (change: string, table: string) =>
  `The trigger that refuses ${change} on ${table} is missing, changed or switched off.`;

/** Compares the whole text of each trigger, because a condition could let rows through. */
async function proveOnSqlite(snapshot: Snapshot, table: string, keys: readonly (readonly string[])[]): Promise<void> {
  const found = await snapshot.rows("select sql from sqlite_master where type = 'trigger' and tbl_name = ?", [table]);
  const texts = new Set(found.map(({ sql }) => String(sql).replace(/[`"]/g, "").replace(/\s+/g, " ")));
  const isTaken = keys.map((columns) => {
    const match = columns.map((column) => `${column} = NEW.${column}`).join(" AND ");
    return `EXISTS (SELECT 1 FROM ${table} WHERE ${match})`;
  });
  const refusals = {
    UPDATE: `${table}_no_update BEFORE UPDATE ON ${table}`,
    DELETE: `${table}_no_delete BEFORE DELETE ON ${table}`,
    REPLACE: `${table}_no_replace BEFORE INSERT ON ${table} WHEN ${isTaken.join(" OR ")}`,
  };
  for (const [change, head] of Object.entries(refusals)) {
    const text = `CREATE TRIGGER ${head} BEGIN SELECT RAISE(ABORT, '${table} is append-only'); END`;
    expectThat(texts.has(text), { check: "append_only" }, missing(change, table));
  }
}

/**
 * One trigger before each statement, on all rows and columns. Bits of pg_trigger.tgtype: 1 for each row, 2 before,
 * 8 delete, 16 update, 32 truncate. `O` and `A` are the states in which it fires.
 */
const postgresQuery = `
  select f.prosrc as body from pg_trigger t join pg_proc f on f.oid = t.tgfoid
  where t.tgrelid = to_regclass(?) and t.tgtype = 58 and t.tgenabled in ('O', 'A')
    and t.tgqual is null and cardinality(t.tgattr::int2[]) = 0`;

const refusal = "BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_NAME; END";

async function proveOnPostgres(snapshot: Snapshot, table: string): Promise<void> {
  const found = await snapshot.rows(postgresQuery, [table]);
  const isGuarded = found.some(({ body }) => String(body).replace(/\s+/g, " ").trim() === refusal);
  expectThat(isGuarded, { check: "append_only" }, missing("UPDATE, DELETE and TRUNCATE", table));
}
