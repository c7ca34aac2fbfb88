// Proof of the chains: every posting follows its predecessor, and every ledger account is the sum of its postings.
import { createHash } from "node:crypto";
import { expectThat } from "./fault";
import { everyRow, type Row, type Snapshot } from "./snapshot-store";

const accountsQuery = `
  select l.*, case when l.livemode then 1 else 0 end as is_live, a.organization_id as owner_organization_id
  from ledger_accounts l left join accounts a on a.id = coalesce(l.account_id, l.for_account_id)
  where l.id > ? order by l.id`;

const postingsQuery = `
  select p.*, j.id as journal_found, j.organization_id as journal_organization_id, j.source_kind, j.source_id, j.event,
    j.booked_at as journal_booked_at, j.value_at, j.created_at
  from postings p left join journals j on j.id = p.journal_id
  where (p.ledger_account_id, p.sequence) > (?, ?) order by p.ledger_account_id, p.sequence`;

/**
 * The chart of ledger accounts as documented: owner and normal side of each kind. Besides those of accounts, what is
 * owed to customers never falls below zero.
 */
const chart: readonly { name: RegExp; owner: "account" | "organization"; side: "debit" | "credit" }[] = [
  { name: /^(available|held|refund_pending)$/, owner: "account", side: "credit" },
  { name: /^memo:auth_open$/, owner: "account", side: "debit" },
  { name: /^memo:auth_contra$/, owner: "organization", side: "credit" },
  { name: /^provider:[^:]+:clearing$/, owner: "organization", side: "debit" },
  { name: /^dispute:in_flight$/, owner: "organization", side: "debit" },
  { name: /^bank$/, owner: "organization", side: "debit" },
  { name: /^expense:goodwill$/, owner: "organization", side: "debit" },
  { name: /^suspense:adjust$/, owner: "organization", side: "credit" },
  { name: /^cust:cus_[0-9a-hjkmnp-tv-z]{26}:credit$/, owner: "organization", side: "credit" },
];

const isCustomers = (account: Row): boolean => String(account.name).startsWith("cust:");

const digest = (...values: unknown[]): string => createHash("sha256").update(values.join("\n"), "utf8").digest("hex");

interface Chain {
  sequence: bigint;
  balance: bigint;
  hash: string;
  bookedAt: bigint;
  /** The journal of the last posting, and the balance before it. */
  journal: string;
  before: bigint;
}

/** Walks every chain from its first posting to its head. Returns the numbers of ledger accounts and postings. */
export async function proveChains(snapshot: Snapshot): Promise<{ ledgerAccounts: number; postings: number }> {
  const counts = { ledgerAccounts: 0, postings: 0 };
  const postings = everyRow(snapshot, postingsQuery, ["", 0n], (row) => [
    row.ledger_account_id ?? "",
    row.sequence ?? 0n,
  ]);
  let next = await postings.next();
  for await (const account of everyRow(snapshot, accountsQuery, [""], (row) => [row.id ?? ""])) {
    counts.ledgerAccounts++;
    proveAccount(account);
    let chain = genesis(account);
    while (!next.done && String(next.value.ledger_account_id) <= String(account.id)) {
      counts.postings++;
      chain = follow(account, chain, next.value);
      next = await postings.next();
    }
    proveHead(account, chain);
  }
  if (!next.done) expectThat(false, rowOf(next.value), "The posting's ledger account does not exist.");
  return counts;
}

function proveAccount(account: Row): void {
  const at = { check: "ledger_account", ledgerAccountId: String(account.id) } as const;
  const entry = chart.find(({ name }) => name.test(String(account.name)));
  expectThat(entry !== undefined, at, `The chart of ledger accounts has no "${account.name}".`);
  const isOwn = account.account_id !== null;
  expectThat((entry.owner === "account") === isOwn, at, "The ledger account has the wrong kind of owner.");
  expectThat(
    isOwn === (account.for_account_id === null),
    at,
    "A ledger account must have either an account_id or a for_account_id.",
  );
  expectThat(account.id === idOf(account), at, "The id does not match owner, name, currency and mode.");
  expectThat(account.normal_side === entry.side, at, "The normal side differs from the chart.");
  const belongs = account.owner_organization_id === account.organization_id;
  expectThat(belongs, at, "The account does not exist or belongs to another organization.");
}

function idOf(account: Row): string {
  const { organization_id, account_id, for_account_id, name, currency, is_live } = account;
  return `${account_id ?? `${organization_id}/${for_account_id}`}:${name}:${currency}${is_live === 1n ? ":live" : ""}`;
}

function genesis(account: Row): Chain {
  const { id, organization_id, normal_side, created_at } = account;
  const hash = digest("ledger account 1", id, organization_id, normal_side, created_at);
  return { sequence: 0n, balance: 0n, bookedAt: 0n, hash, journal: "", before: 0n };
}

/** The chain after this posting, which must be next in order and have the right balance and hashes. */
function follow(account: Row, chain: Chain, posting: Row): Chain {
  const at = rowOf(posting);
  expectThat(posting.ledger_account_id === account.id, at, "The posting's ledger account does not exist.");
  const sequence = chain.sequence + 1n;
  expectThat(
    posting.sequence === sequence,
    at,
    `Posting ${sequence} is missing: the next one has number ${posting.sequence}.`,
  );
  expectThat(posting.journal_found !== null, at, "The posting's journal does not exist.");
  expectThat(posting.currency === account.currency, at, "The posting's currency differs from its ledger account's.");
  const isOwn = posting.journal_organization_id === account.organization_id;
  expectThat(isOwn, at, "The posting's journal belongs to another organization than its ledger account.");
  proveRepeated(account, posting);
  const bookedAt = BigInt(posting.booked_at ?? 0);
  expectThat(bookedAt >= chain.bookedAt, at, "The posting was booked before the previous one.");
  const amount = BigInt(posting.amount ?? 0);
  expectThat(amount > 0n, at, "The amount is not positive.");
  expectThat(
    posting.previous_hash === chain.hash,
    at,
    "The posting does not continue the chain: its previous hash differs.",
  );
  const balance = chain.balance + (posting.side === account.normal_side ? amount : -amount);
  expectThat(posting.hash === hashOf(posting), at, "The posting or its journal was changed: the hash does not match.");
  expectThat(
    posting.balance_after === balance,
    at,
    `The balance after the posting is ${posting.balance_after}, not ${balance}.`,
  );
  const journal = String(posting.journal_id);
  const before = journal === chain.journal ? chain.before : chain.balance;
  const isSound = balance >= 0n || balance >= before || mayHaveDebt(account, posting);
  expectThat(isSound, at, `The posting takes the balance to ${balance}.`);
  return { sequence, balance, bookedAt, hash: String(posting.hash), journal, before };
}

/** What the posting counts towards, by the name of its ledger account. */
const kinds: readonly [name: RegExp, kind: string][] = [
  [/^(available|held|refund_pending)$/, "$1"],
  [/^memo:auth_open$/, "pending"],
  [/^cust:.*:credit$/, "customer_credit"],
];

/** What the posting repeats of its ledger account and its journal. */
function proveRepeated(account: Row, posting: Row): void {
  const name = String(account.name);
  const [pattern, kind] = kinds.find(([one]) => one.test(name)) ?? [];
  const owner = pattern === undefined ? null : (account.account_id ?? account.for_account_id);
  const isSame =
    posting.kind === (pattern === undefined ? null : name.replace(pattern, String(kind))) &&
    posting.account_id === owner &&
    posting.organization_id === account.organization_id &&
    posting.booked_at === posting.journal_booked_at;
  expectThat(isSame, rowOf(posting), "The posting's owner, kind or time differs from its ledger account or journal.");
}

/**
 * Accounts and customers spend, return and release only what they have. Only a dispute takes what is available below
 * zero.
 */
function mayHaveDebt(account: Row, { event }: Row): boolean {
  if (account.account_id === null) return !isCustomers(account);
  return account.name === "available" && event === "dispute_opened";
}

function hashOf(p: Row): string {
  const posting = [p.previous_hash, p.ledger_account_id, p.sequence, p.side, p.amount, p.currency, p.balance_after];
  const source = [p.source_kind, p.source_id, p.event, "-"];
  const journal = [p.journal_id, p.journal_organization_id, ...source, p.journal_booked_at, p.value_at, p.created_at];
  return digest("posting 2", ...posting, ...journal);
}

function proveHead(account: Row, chain: Chain): void {
  const at = { check: "chain", ledgerAccountId: String(account.id), sequence: Number(account.sequence) } as const;
  const isWhole = account.sequence === chain.sequence;
  expectThat(isWhole, at, `The ledger account counts ${account.sequence} postings, but ${chain.sequence} exist.`);
  expectThat(
    account.booked_at === chain.bookedAt,
    at,
    "The ledger account's newest posting was booked at another time.",
  );
  expectThat(account.head_hash === chain.hash, at, "The ledger account's head is not the hash of its newest posting.");
  expectThat(
    account.balance === chain.balance,
    at,
    `The balance is ${account.balance}, but the postings sum to ${chain.balance}.`,
  );
}

const rowOf = (posting: Row) =>
  ({
    check: "chain",
    ledgerAccountId: String(posting.ledger_account_id),
    sequence: Number(posting.sequence),
    journalId: String(posting.journal_id),
  }) as const;
