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

/** Tables whose records lose what they say about an erased customer, with the columns that stay. */
const erasable: Readonly<Record<string, readonly string[]>> = {
  invoices: ["payment_id", "organization_id", "account_id", "livemode", "year", "sequence", "created_at", "rowid"],
  credit_notes: [
    ...["id", "payment_id", "organization_id", "account_id", "livemode", "year", "sequence", "cause", "refund_id"],
    ...["amount", "pdf_problem", "created_at", "rowid"],
  ],
};

/** Proves that every append-only table refuses every kind of change, except the erasure of a record's customer. */
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
    UPDATE: `${table}_no_update BEFORE UPDATE ON ${table}${exceptErasure(table)}`,
    DELETE: `${table}_no_delete BEFORE DELETE ON ${table}`,
    REPLACE: `${table}_no_replace BEFORE INSERT ON ${table} WHEN ${isTaken.join(" OR ")}`,
  };
  for (const [change, head] of Object.entries(refusals)) {
    const text = `CREATE TRIGGER ${head} BEGIN SELECT RAISE(ABORT, '${table} is append-only'); END`;
    expectThat(texts.has(text), { check: "append_only" }, missing(change, table));
  }
}

function exceptErasure(table: string): string {
  const columns = erasable[table];
  if (!columns) return "";
  const fields = ["buyer", "note", "purchase_order_reference", "payment_terms"].map((field) => `'$.${field}', NULL, `);
  const record = `json_replace(OLD.record, ${fields.join("")}'$.lines', json('[]'))`;
  const isErasure = `OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL AND json(NEW.record) IS ${record}`;
  const others = columns.map((column) => `NEW.${column} IS OLD.${column}`);
  return ` WHEN NOT (${[isErasure, ...others].join(" AND ")})`;
}

/**
 * A trigger on all rows and columns, and the body of its function. Bits of pg_trigger.tgtype: 1 for each row, 2 before,
 * 8 delete, 16 update, 32 truncate. `O` and `A` are the states in which it fires.
 */
const postgresQuery = `
  select f.prosrc as body from pg_trigger t join pg_proc f on f.oid = t.tgfoid
  where t.tgrelid = to_regclass(?) and t.tgtype = cast(? as int) and t.tgenabled in ('O', 'A')
    and t.tgqual is null and cardinality(t.tgattr::int2[]) = 0`;

const refusal = "BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_NAME; END";

/** The same for a row, unless only what it says about the customer is erased. */
const refusalButErasure = `DECLARE
    erased CONSTANT jsonb := '{"buyer": null, "note": null, "purchase_order_reference": null, "payment_terms": null, "lines": []}';
    record jsonb := (SELECT jsonb_object_agg(key, coalesce(erased -> key, value)) FROM jsonb_each(OLD.record::jsonb));
  BEGIN
    IF OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL
      AND to_jsonb(NEW) = to_jsonb(OLD) || jsonb_build_object('erased_at', NEW.erased_at, 'record', record) THEN
      RETURN NEW;
    END IF;
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
  END`;

async function proveOnPostgres(snapshot: Snapshot, table: string): Promise<void> {
  const guards =
    table in erasable
      ? [
          { change: "UPDATE", type: 1 + 2 + 16, text: refusalButErasure },
          { change: "DELETE and TRUNCATE", type: 2 + 8 + 32, text: refusal },
        ]
      : [{ change: "UPDATE, DELETE and TRUNCATE", type: 2 + 8 + 16 + 32, text: refusal }];
  for (const { change, type, text } of guards) {
    const found = await snapshot.rows(postgresQuery, [table, String(type)]);
    const isGuarded = found.some(({ body }) => inOneLine(String(body)) === inOneLine(text));
    expectThat(isGuarded, { check: "append_only" }, missing(change, table));
  }
}

const inOneLine = (text: string): string => text.replace(/\s+/g, " ").trim();
