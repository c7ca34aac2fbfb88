// The initial migration from db/schema and db/triggers makes the schema that the chain of migrations made.
import { cpSync } from "node:fs";
import { afterEach, beforeEach, expect, it } from "vitest";
import { dialect } from "@/db/dialect";
import { migrateDatabase } from "@/db/migrate";
import { createTestDatabase, type TestDatabase } from "@/test/database";
import { runSql } from "@/test/statements";
import { temporaryFolder } from "@/test/temporary-folder";
import { writeInitial } from "./generate-migrations";

let chain: TestDatabase;
let initial: TestDatabase;
beforeEach(async () => {
  chain = await createTestDatabase({ migrated: true });
  initial = await createTestDatabase();
});
afterEach(async () => {
  await chain.drop();
  await initial.drop();
});

type Rows = Record<string, unknown>[];

/** The parts of a SQLite table's text between top-level commas, apart from its foreign keys. */
function partsOf(text: string): string[] {
  const inner = text.slice(text.indexOf("(") + 1, text.lastIndexOf(")"));
  const parts = [""];
  let depth = 0;
  for (const character of inner) {
    depth += character === "(" ? 1 : character === ")" ? -1 : 0;
    if (character === "," && depth === 0) parts.push("");
    else parts.push((parts.pop() ?? "") + character);
  }
  const withoutKeys = parts.map((part) => part.trim().replace(/ REFERENCES \w+\(\w+\).*$/, ""));
  return withoutKeys.filter((part) => !part.startsWith("FOREIGN KEY")).sort();
}

const inOneLine = (sql: unknown): string =>
  String(sql)
    .replace(/[`"]/g, "")
    .replace(/\s+/g, " ")
    .replace(/\( /g, "(")
    .replace(/, /g, ",")
    .replace(/ IF NOT EXISTS/i, "");

async function dumpSqlite(url: string): Promise<unknown> {
  const objects = await runSql(
    url,
    "select type, name, sql from sqlite_master where name not like '\\_\\_%' escape '\\'",
  );
  const dump: Record<string, unknown> = {};
  for (const { type, name, sql } of objects) {
    const text = inOneLine(sql);
    dump[`${type} ${name}`] = type === "table" ? [/\) ?(\w*)$/.exec(text)?.[1], partsOf(text)] : text;
    if (type !== "table") continue;
    const columns = `select name, type, "notnull", dflt_value, pk, hidden from pragma_table_xinfo('${name}') order by 1`;
    const keys = `select "table", "from", "to", on_update, on_delete from pragma_foreign_key_list('${name}') order by 2, 1`;
    dump[`columns of ${name}`] = await runSql(url, columns);
    dump[`foreign keys of ${name}`] = await runSql(url, keys);
  }
  return dump;
}

/** Two indices that the chain kept on PostgreSQL for processes of the previous version. */
const leftOver = "'jobs_due_before_priorities', 'transactions_processing'";

const postgresQueries = {
  tables: `select relname, relkind, relpersistence, reloptions from pg_class c
    where relnamespace = 'public'::regnamespace and relname not in (${leftOver}) order by 1`,
  columns: `select c.relname, a.attname, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull, a.attidentity,
      a.attgenerated, l.collname, pg_get_expr(d.adbin, d.adrelid) as default
    from pg_attribute a join pg_class c on c.oid = a.attrelid
      left join pg_collation l on l.oid = a.attcollation
      left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
    order by 1, 2`,
  constraints: `select conrelid::regclass::text as table, conname, convalidated, condeferrable,
      pg_get_constraintdef(oid) as definition
    from pg_constraint where connamespace = 'public'::regnamespace order by 1, 2`,
  indices: `select indexrelid::regclass::text as name, indisvalid, pg_get_indexdef(indexrelid) as definition
    from pg_index i join pg_class c on c.oid = i.indexrelid where c.relnamespace = 'public'::regnamespace and c.relname not in (${leftOver}) order by 1`,
  triggers: `select tgrelid::regclass::text as table, tgname, tgenabled, pg_get_triggerdef(oid) as definition
    from pg_trigger where not tgisinternal order by 1, 2`,
  functions: `select proname, pg_get_functiondef(oid) as definition from pg_proc
    where pronamespace = 'public'::regnamespace order by 1`,
};

async function dumpPostgres(url: string): Promise<unknown> {
  const dump: Record<string, Rows> = {};
  for (const [what, query] of Object.entries(postgresQueries)) dump[what] = await runSql(url, query);
  return dump;
}

const dump = dialect === "sqlite" ? dumpSqlite : dumpPostgres;

it("gives both the same tables, columns, checks, indices, references, triggers and functions", async () => {
  const folder = temporaryFolder("quittance-initial-");
  cpSync("db/migrations", folder, { recursive: true });
  await writeInitial(dialect, folder);
  await migrateDatabase(initial.url, { folder });
  const [before, after] = [await dump(chain.url), await dump(initial.url)];
  expect(JSON.stringify(before).length).toBeGreaterThan(50_000);
  expect(after).toEqual(before);
});
