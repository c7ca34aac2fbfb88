// Proof that each transaction's row says what was posted for it.
import { expectThat } from "@/server/ledger/verify/fault";
import { grouped, pageSize, type Row, type Snapshot } from "@/server/ledger/verify/snapshot-store";

const transactionsQuery = `
  select id, account_id, type, status, direction, amount, currency, fee_amount, amount_authorized, amount_captured,
    amount_released, amount_refunded, amount_refunding
  from transactions where id > ? order by id limit ${pageSize}`;

const postedQuery = `
  select j.transaction_id, l.account_id, l.name, p.currency,
    sum(case p.side when 'debit' then -p.amount else p.amount end) as credited
  from journals j join postings p on p.journal_id = j.id join ledger_accounts l on l.id = p.ledger_account_id
  where j.transaction_id > ? and j.transaction_id <= ?
  group by j.transaction_id, l.account_id, l.name, p.currency`;

const refundsQuery = `
  select parent_transaction_id, status, sum(amount) as amount from transactions
  where type = 'refund' and parent_transaction_id > ? and parent_transaction_id <= ?
  group by parent_transaction_id, status`;

/** What was posted for one transaction, credits less debits, by where it stands. */
interface Posted {
  available: bigint;
  destination: bigint;
  refundPending: bigint;
  /** With providers and in the bank. */
  money: bigint;
  goodwill: bigint;
  suspense: bigint;
  openAuthorization: bigint;
}

const nothing: Posted = {
  available: 0n,
  destination: 0n,
  refundPending: 0n,
  money: 0n,
  goodwill: 0n,
  suspense: 0n,
  openAuthorization: 0n,
};

const waiting = new Set(["pending", "requires_action", "processing"]);

/** Proves every transaction. Answers how many there are. */
export async function proveTransactions(snapshot: Snapshot): Promise<number> {
  let count = 0;
  for (let after = ""; ; ) {
    const page = await snapshot.rows(transactionsQuery, [after]);
    const last = page.at(-1);
    if (!last) return count;
    const range = [after, String(last.id)];
    const posted = grouped(await snapshot.rows(postedQuery, range), "transaction_id");
    const refunds = grouped(await snapshot.rows(refundsQuery, range), "parent_transaction_id");
    for (const transaction of page) {
      provePosted(transaction, posted.get(String(transaction.id)) ?? []);
      if (transaction.type !== "payment") continue;
      proveAuthorization(transaction);
      proveRefunds(transaction, refunds.get(String(transaction.id)) ?? []);
    }
    count += page.length;
    after = String(last.id);
  }
}

function provePosted(transaction: Row, rows: readonly Row[]): void {
  const at = { check: "transaction", transactionId: String(transaction.id) } as const;
  for (const { currency } of rows) {
    expectThat(
      currency === transaction.currency,
      at,
      `The transaction is in ${transaction.currency}, but ${currency} was posted.`,
    );
  }
  const expected = expectedOf(transaction);
  if (!expected) return;
  const found = gather(transaction, rows);
  for (const part of Object.keys(nothing) as (keyof Posted)[]) {
    const message = `The ${transaction.type} says ${expected[part]} for ${part}, but ${found[part]} was posted.`;
    expectThat(found[part] === expected[part], at, message);
  }
}

function gather(transaction: Row, rows: readonly Row[]): Posted {
  const posted = { ...nothing };
  for (const { account_id, name, credited } of rows) {
    const amount = BigInt(credited ?? 0);
    if (name === "available") posted[account_id === transaction.account_id ? "available" : "destination"] += amount;
    else if (name === "refund_pending") posted.refundPending += amount;
    else if (name === "bank" || /^provider:/.test(String(name))) posted.money += amount;
    else if (name === "expense:goodwill") posted.goodwill += amount;
    else if (name === "suspense:adjust") posted.suspense += amount;
    else if (name === "memo:auth_open") posted.openAuthorization += amount;
  }
  return posted;
}

/** What must have been posted for a transaction in its status; null where the row alone does not tell. */
function expectedOf(transaction: Row): Posted | null {
  const { type, direction } = transaction;
  const status = String(transaction.status);
  const amount = BigInt(transaction.amount ?? 0);
  if (["reversed", "disputed", "charged_back"].includes(status)) return null;
  if (type === "payment") return expectedPayment(transaction);
  if (type === "refund") return expectedRefund(status, amount);
  if (status !== "succeeded") return nothing;
  if (type === "credit") return { ...nothing, available: amount, goodwill: -amount };
  if (type === "transfer") return { ...nothing, available: -amount, destination: amount };
  const signed = direction === "in" ? amount : -amount;
  return { ...nothing, available: signed, suspense: -signed };
}

function expectedPayment(transaction: Row): Posted {
  const captured = BigInt(transaction.amount_captured ?? 0);
  const fee = BigInt(transaction.fee_amount ?? 0);
  // Debits to an open authorization stand as a negative credit.
  return { ...nothing, available: captured - fee, money: -captured, openAuthorization: -uncaptured(transaction) };
}

/** What was authorized and is neither captured nor let go. */
const uncaptured = (payment: Row): bigint =>
  BigInt(payment.amount_authorized ?? 0) - BigInt(payment.amount_captured ?? 0) - BigInt(payment.amount_released ?? 0);

function proveAuthorization(payment: Row): void {
  const rest = uncaptured(payment);
  const message = `Of the authorized amount, ${rest} is neither captured nor released.`;
  const isOpen = payment.status === "authorized";
  expectThat(isOpen || rest === 0n, { check: "transaction", transactionId: String(payment.id) }, message);
}

function expectedRefund(status: string, amount: bigint): Posted {
  if (waiting.has(status)) return { ...nothing, available: -amount, refundPending: amount };
  if (status === "succeeded") return { ...nothing, available: -amount, money: amount };
  return nothing;
}

function proveRefunds(payment: Row, refunds: readonly Row[]): void {
  const at = { check: "transaction", transactionId: String(payment.id) } as const;
  const sumOf = (isMeant: (status: string) => boolean) =>
    refunds.reduce((sum, row) => (isMeant(String(row.status)) ? sum + BigInt(row.amount ?? 0) : sum), 0n);
  const succeeded = sumOf((status) => status === "succeeded");
  const underWay = sumOf((status) => waiting.has(status));
  expectThat(
    payment.amount_refunded === succeeded,
    at,
    `amount_refunded is ${payment.amount_refunded}, but ${succeeded} was refunded.`,
  );
  expectThat(
    payment.amount_refunding === underWay,
    at,
    `amount_refunding is ${payment.amount_refunding}, but ${underWay} is under way.`,
  );
}
