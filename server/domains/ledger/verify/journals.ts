// Proof of the journals: each has its transaction and balanced lines, none reverses another, and all sums are zero.
import { expectThat } from "./fault";
import { grouped, pageSize, type Row, type Snapshot } from "./snapshot-store";

const journalsQuery = `
  select j.id, j.organization_id, j.reverses_journal_id, j.source_kind, j.source_id, j.transaction_id,
    t.id as transaction_found, t.organization_id as transaction_organization_id
  from journals j left join transactions t on t.id = j.transaction_id
  where j.id > ? order by j.id limit ${pageSize}`;

const sumsQuery = `
  select journal_id, currency, count(*) as lines, sum(case side when 'debit' then amount else -amount end) as difference
  from postings where journal_id > ? and journal_id <= ? group by journal_id, currency order by journal_id`;

/** Proves every journal. Returns their number. */
export async function proveJournals(snapshot: Snapshot): Promise<number> {
  let count = 0;
  for (let after = ""; ; ) {
    const page = await snapshot.rows(journalsQuery, [after]);
    const last = page.at(-1);
    if (!last) return count;
    const sums = grouped(await snapshot.rows(sumsQuery, [after, String(last.id)]), "journal_id");
    for (const journal of page) proveJournal(journal, sums.get(String(journal.id)) ?? []);
    count += page.length;
    after = String(last.id);
  }
}

/** What must hold for a journal of each kind of source. */
const sources: Readonly<Record<string, (journal: Row) => void>> = {
  transaction(journal) {
    const at = atRow(journal);
    expectThat(journal.transaction_id === journal.source_id, at, "The journal's transaction is not its source.");
    expectThat(journal.transaction_found !== null, at, "The journal's transaction does not exist.");
    const isOwn = journal.transaction_organization_id === journal.organization_id;
    expectThat(isOwn, at, "The journal's transaction belongs to another organization.");
  },
};

const atRow = (journal: Row) => ({ check: "journal", journalId: String(journal.id) }) as const;

function proveJournal(journal: Row, sums: readonly Row[]): void {
  const at = atRow(journal);
  const proveSource = sources[String(journal.source_kind)];
  expectThat(proveSource !== undefined, at, `No journal can tell about a ${journal.source_kind}.`);
  proveSource(journal);
  expectThat(journal.reverses_journal_id === null, at, "The journal reverses another, which the product never does.");
  const lines = sums.reduce((count, sum) => count + BigInt(sum.lines ?? 0), 0n);
  expectThat(lines >= 2n, at, `The journal has ${lines} lines; it needs at least two.`);
  for (const { currency, difference } of sums) {
    expectThat(difference === 0n, at, `The journal's debits and credits in ${currency} differ by ${difference}.`);
  }
}

const trialQuery = `
  select organization_id, currency, case when livemode then 1 else 0 end as is_live,
    case when name like 'memo:%' then 1 else 0 end as memo,
    sum(case normal_side when 'debit' then balance else -balance end) as difference
  from ledger_accounts group by 1, 2, 3, 4
  having sum(case normal_side when 'debit' then balance else -balance end) <> 0
  order by 1, 2, 3, 4 limit 1`;

/** Proves that debits equal credits per organization, currency and mode, separately for the memo accounts. */
export async function proveTrialBalance(snapshot: Snapshot): Promise<void> {
  const [rest] = await snapshot.rows(trialQuery);
  if (!rest) return;
  const mode = rest.is_live === 1n ? "live" : "sandbox";
  const where = `${rest.organization_id} in ${rest.currency}, ${mode}${rest.memo === 1n ? ", memo accounts" : ""}`;
  expectThat(false, { check: "trial_balance" }, `The trial balance of ${where} is off by ${rest.difference}.`);
}
