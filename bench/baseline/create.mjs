// The baseline's creation of an offline payment: every row that the product writes for it, in one transaction.
import { createHmac, randomUUID } from "node:crypto";
import { sha256 } from "./credentials.mjs";
import { present } from "./reads.mjs";

const days30 = 30 * 86_400_000;
const placeholders = (count) => Array(count).fill("?").join(", ");

/** `insert into table (columns) values (?, …), …` for the given number of rows. */
function insertInto(table, columns, rows = 1, rest = "") {
  const row = `(${placeholders(columns.split(",").length)})`;
  return `insert into ${table} (${columns}) values ${Array(rows).fill(row).join(", ")} ${rest}`;
}

/** The columns that such a row fills. The others stay null. */
const transactionColumns = `id, organization_id, account_id, type, status, direction, amount, currency, fee_amount,
  amount_authorized, amount_captured, amount_released, amount_refunded, amount_refunding, amount_disputed, description,
  metadata, effective_at, livemode, settled_at, created_at, updated_at, changed_at`;
const ledgerAccountColumns =
  "id, organization_id, account_id, for_account_id, name, currency, normal_side, balance, sequence, head_hash, booked_at, created_at";

const sql = {
  findKey: "select id, fingerprint, intent, status, body, created_at, expires_at from idempotency_keys where id = ?",
  organization: "select mode, members_record_payments from organizations where id = ?",
  ownAccount: `select id from accounts where owner_user_id = ? and organization_id = ? and status = ?
    order by created_at asc, id asc limit ?`,
  account: "select * from accounts where id = ? and organization_id = ?",
  transaction: insertInto("transactions", transactionColumns, 1, "on conflict do nothing returning id"),
  tag: insertInto("transaction_tags", "transaction_id, organization_id, scope, key, value, created_at"),
  words: (count) => insertInto("transaction_words", "transaction_id, organization_id, word", count),
  lock: (dialect) =>
    `select ${ledgerAccountColumns} from ledger_accounts where id in (?, ?) order by id asc
    ${dialect === "postgres" ? "for update" : ""}`,
  newLedgerAccounts: insertInto("ledger_accounts", ledgerAccountColumns, 2, "on conflict do nothing"),
  journal: insertInto(
    "journals",
    "id, organization_id, source_kind, source_id, transaction_id, event, reverses_journal_id, booked_at, value_at, created_at",
  ),
  postings: insertInto(
    "postings",
    "ledger_account_id, sequence, journal_id, side, amount, currency, balance_after, organization_id, account_id, kind, booked_at, previous_hash, hash",
    2,
  ),
  heads: insertInto(
    "ledger_accounts",
    ledgerAccountColumns,
    2,
    `on conflict (id) do update
      set balance = excluded.balance, sequence = excluded.sequence, head_hash = excluded.head_hash,
        booked_at = excluded.booked_at`,
  ),
  audit: insertInto(
    "audit_entries",
    "id, organization_id, operation, actor_type, actor_id, target_id, detail, request_id, ip, created_at",
  ),
  event: insertInto("events", "id, organization_id, account_id, type, object_id, sequence, data, created_at"),
  keepKey: insertInto("idempotency_keys", "id, fingerprint, intent, status, body, created_at, expires_at"),
};

/** Ordered by time, like the product's, so that the indices grow at their end. */
export const newId = (prefix, now) =>
  `${prefix}_${now.toString(16)}${randomUUID()
    .replaceAll("-", "")
    .slice(0, 26 - now.toString(16).length)}`;

export function createTransaction(db, caller, key, text) {
  const input = JSON.parse(text);
  const fingerprint = createHmac("sha256", "the baseline's key").update(text).digest("hex");
  return db.write(async (tx) => {
    const keyId = `${caller.organizationId}:${caller.userId}:${key}`;
    if (db.dialect === "postgres") {
      await tx.get("select pg_try_advisory_xact_lock(hashtextextended(?, 0)) as locked", keyId);
    }
    const known = await tx.get(sql.findKey, keyId);
    if (known) return JSON.parse(known.body);
    const answer = await create(db, tx, caller, input);
    const now = Date.now();
    await tx.run(sql.keepKey, keyId, fingerprint, null, 200, JSON.stringify(answer), now, now + days30);
    return answer;
  });
}

async function create(db, tx, { organizationId, userId }, input) {
  const now = Date.now();
  const organization = await tx.get(sql.organization, organizationId);
  const { id: accountId } = await tx.get(sql.ownAccount, userId, organizationId, "open", 2);
  await tx.get(sql.account, accountId, organizationId);
  const row = rowOf({ id: newId("txn", now), organizationId, accountId, input, now, mode: organization.mode });
  await tx.get(sql.transaction, ...Object.values(row).map(db.value));
  for (const [name, value] of Object.entries(input.metadata)) {
    await tx.run(sql.tag, row.id, organizationId, "metadata", name, value, now);
  }
  const words = [...new Set(input.description.toLowerCase().match(/[\p{L}\p{N}]+/gu))];
  await tx.run(sql.words(words.length), ...words.flatMap((word) => [row.id, organizationId, word]));
  await post(db, tx, row, now);
  const audited = JSON.stringify({ type: row.type, status: row.status, account_id: accountId });
  const actor = ["user", userId, row.id, audited, newId("req", now), "127.0.0.1", now];
  await tx.run(sql.audit, newId("aud", now), organizationId, "transactions.create", ...actor);
  const answer = present({ ...unfilled, ...row });
  for (const [index, type] of ["transaction.created", "transaction.succeeded"].entries()) {
    const data = JSON.stringify(eventData(answer));
    await tx.run(sql.event, newId("evt", now), organizationId, accountId, type, row.id, index + 1, data, now);
  }
  return answer;
}

/** The values of `transactionColumns`, in order. */
function rowOf({ id, organizationId, accountId, input, now, mode }) {
  const { amount, currency, description, metadata } = input;
  return {
    id,
    organization_id: organizationId,
    account_id: accountId,
    type: "payment",
    status: "succeeded",
    direction: "in",
    amount,
    currency,
    fee_amount: 0,
    amount_authorized: 0,
    amount_captured: amount,
    amount_released: 0,
    amount_refunded: 0,
    amount_refunding: 0,
    amount_disputed: 0,
    description,
    metadata: JSON.stringify(metadata),
    effective_at: now,
    livemode: mode === "live",
    settled_at: now,
    created_at: now,
    updated_at: now,
    changed_at: now,
  };
}

/** The columns that stay null, for the answer. */
const unfilled = {
  payment_id: null,
  parent_transaction_id: null,
  destination_account_id: null,
  payment_method: null,
  provider: null,
  provider_reference: null,
  failure: null,
  reason: null,
  reference: null,
  customer: null,
  customer_id: null,
};

/**
 * Posts from the bank to the account's available balance: locks, numbers, chains by hash, writes, and updates heads.
 */
async function post(db, tx, row, now) {
  const { organization_id: organizationId, account_id: accountId, currency, amount } = row;
  const ids = [`${organizationId}/${accountId}:bank:${currency}`, `${accountId}:available:${currency}`];
  const inOrder = [...ids].sort();
  let heads = await tx.all(sql.lock(db.dialect), ...inOrder);
  if (heads.length < 2) {
    await tx.run(sql.newLedgerAccounts, ...firstHeads(organizationId, accountId, currency, now).flat());
    heads = await tx.all(sql.lock(db.dialect), ...inOrder);
  }
  const journalId = newId("jrn", now);
  const source = ["transaction", row.id];
  const bookedAt = Math.max(now, ...heads.map((head) => Number(head.booked_at)));
  const postings = ids.map((id, index) => {
    const head = heads.find((one) => one.id === id);
    const side = index === 0 ? "debit" : "credit";
    const previousHash = head.head_hash;
    head.balance += amount;
    head.sequence += 1;
    const place = [previousHash, id, head.sequence, side, amount, currency, head.balance];
    head.booked_at = bookedAt;
    const journal = [journalId, organizationId, ...source, "offline_payment_received", "-", bookedAt, now, now];
    head.head_hash = sha256(["posting 2", ...place, ...journal].join("\n"));
    const entry = [organizationId, head.account_id, head.account_id && "available", bookedAt];
    return [id, head.sequence, journalId, side, amount, currency, head.balance, ...entry, previousHash, head.head_hash];
  });
  const journal = [journalId, organizationId, ...source, row.id, "offline_payment_received", null, bookedAt, now, now];
  await tx.run(sql.journal, ...journal);
  await tx.run(sql.postings, ...postings.flat());
  await tx.run(sql.heads, ...heads.flatMap((head) => Object.values(head)));
}

/** The bank account has a part for each account. */
function firstHeads(organizationId, accountId, currency, now) {
  const empty = [0, 0, "-", 0, now];
  const bank = [`${organizationId}/${accountId}:bank:${currency}`, organizationId, null, accountId, "bank"];
  const available = [`${accountId}:available:${currency}`, organizationId, accountId, null, "available"];
  return [
    [...bank, currency, "debit", ...empty],
    [...available, currency, "credit", ...empty],
  ];
}

function eventData(answer) {
  const { transaction_id, account_id, type, status, direction, amount, currency, amount_captured } = answer;
  const { amount_refunded, payment_id, parent_transaction_id, destination_account_id, livemode } = answer;
  return {
    transaction_id,
    account_id,
    type,
    status,
    direction,
    amount,
    currency,
    amount_captured,
    amount_refunded,
    payment_id,
    parent_transaction_id,
    destination_account_id,
    failure_code: null,
    livemode,
  };
}
