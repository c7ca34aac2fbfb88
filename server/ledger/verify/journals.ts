// Proof of the journals: each has its transaction and balanced lines, reversals mirror what they reverse, all sums are zero.
import { expectThat } from "@/server/ledger/verify/fault";
import { grouped, pageSize, type Row, type Snapshot } from "@/server/ledger/verify/snapshot-store";

const journalsQuery = `
  select j.id, j.organization_id, j.reverses_journal_id,
    t.id as transaction_found, t.organization_id as transaction_organization_id,
    r.id as reversed_found, r.organization_id as reversed_organization_id, r.reverses_journal_id as reversed_reverses
  from journals j left join transactions t on t.id = j.transaction_id left join journals r on r.id = j.reverses_journal_id
  where j.id > ? order by j.id limit ${pageSize}`;

const sumsQuery = `
  select journal_id, currency, count(*) as lines, sum(case side when 'debit' then amount else -amount end) as difference
  from postings where journal_id > ? and journal_id <= ? group by journal_id, currency order by journal_id`;

const mirrorQuery = `
  select ledger_account_id, sum(case side when 'debit' then amount else -amount end) as difference
  from postings where journal_id in (?, ?) group by ledger_account_id
  having sum(case side when 'debit' then amount else -amount end) <> 0 limit 1`;

/** Proves every journal. Answers how many there are. */
export async function proveJournals(snapshot: Snapshot): Promise<number> {
  let count = 0;
  for (let after = ""; ; ) {
    const page = await snapshot.rows(journalsQuery, [after]);
    const last = page.at(-1);
    if (!last) return count;
    const sums = grouped(await snapshot.rows(sumsQuery, [after, String(last.id)]), "journal_id");
    for (const journal of page) {
      proveJournal(journal, sums.get(String(journal.id)) ?? []);
      if (journal.reverses_journal_id !== null) await proveMirror(snapshot, journal);
    }
    count += page.length;
    after = String(last.id);
  }
}

function proveJournal(journal: Row, sums: readonly Row[]): void {
  const at = { check: "journal", journalId: String(journal.id) } as const;
  expectThat(journal.transaction_found !== null, at, "The journal's transaction does not exist.");
  const isOwn = journal.transaction_organization_id === journal.organization_id;
  expectThat(isOwn, at, "The journal's transaction belongs to another organization.");
  const lines = sums.reduce((count, sum) => count + BigInt(sum.lines ?? 0), 0n);
  expectThat(lines >= 2n, at, `The journal has ${lines} lines; it needs two or more.`);
  for (const { currency, difference } of sums) {
    expectThat(difference === 0n, at, `The journal's debits and credits in ${currency} differ by ${difference}.`);
  }
}

async function proveMirror(snapshot: Snapshot, journal: Row): Promise<void> {
  const at = { check: "journal", journalId: String(journal.id) } as const;
  const isSound =
    journal.reversed_found !== null &&
    journal.reversed_organization_id === journal.organization_id &&
    journal.reversed_reverses === null;
  expectThat(
    isSound,
    at,
    "The journal reverses one that does not exist, is another organization's or is a reversal itself.",
  );
  const [rest] = await snapshot.rows(mirrorQuery, [journal.id ?? null, journal.reverses_journal_id ?? null]);
  if (rest)
    expectThat(
      false,
      { ...at, ledgerAccountId: String(rest.ledger_account_id) },
      "The reversal is not the journal's opposite.",
    );
}

const trialQuery = `
  select organization_id, currency, case when name like 'memo:%' then 1 else 0 end as memo,
    sum(case normal_side when 'debit' then balance else -balance end) as difference
  from ledger_accounts group by organization_id, currency, case when name like 'memo:%' then 1 else 0 end
  having sum(case normal_side when 'debit' then balance else -balance end) <> 0
  order by organization_id, currency limit 1`;

/** Proves that each organization's debit and credit balances are equal in each currency, those of the memo pair apart. */
export async function proveTrialBalance(snapshot: Snapshot): Promise<void> {
  const [rest] = await snapshot.rows(trialQuery);
  if (!rest) return;
  const where = `${rest.organization_id} in ${rest.currency}${rest.memo === 1n ? " (memo accounts)" : ""}`;
  expectThat(false, { check: "trial_balance" }, `The trial balance of ${where} is off by ${rest.difference}.`);
}
