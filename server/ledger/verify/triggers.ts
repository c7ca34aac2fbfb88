// Proof that the database itself still refuses to change what was written.
import { expectThat } from "@/server/ledger/verify/fault";
import type { Snapshot } from "@/server/ledger/verify/snapshot-store";

const tables = ["journals", "postings", "ledger_checkpoints", "ledger_checkpoint_heads"];

const sqliteQuery = `
  select count(*) as guards from sqlite_master
  where type = 'trigger' and tbl_name = ? and sql like '% BEFORE ' || ? || ' ON %BEGIN SELECT RAISE(ABORT,%' and sql not like '% WHEN %'`;

/** Bits of pg_trigger.tgtype: 2 before, 8 delete, 16 update, 32 truncate; not 1, which is for each row. */
const postgresQuery = `
  select count(*) as guards from pg_trigger t join pg_proc f on f.oid = t.tgfoid
  where t.tgrelid = to_regclass(?) and t.tgenabled in ('O', 'A') and t.tgqual is null
    and (t.tgtype & 3) = 2 and (t.tgtype & (case ?::text when 'DELETE' then 8 else 16 end)) <> 0
    and f.prosrc like '%RAISE EXCEPTION%'`;

/** Proves that every ledger table has its triggers. */
export async function proveTriggers(snapshot: Snapshot): Promise<void> {
  const query = snapshot.engine === "sqlite" ? sqliteQuery : postgresQuery;
  for (const table of tables) {
    for (const change of ["UPDATE", "DELETE"]) {
      const [found] = await snapshot.rows(query, [table, change]);
      const isGuarded = BigInt(found?.guards ?? 0) > 0n;
      expectThat(
        isGuarded,
        { check: "append_only" },
        `The trigger that refuses ${change} on ${table} is missing or switched off.`,
      );
    }
  }
}
