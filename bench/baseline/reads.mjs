// The baseline's reads: one transaction, and a page of transactions.
import { createHmac } from "node:crypto";

const iso = (at) => new Date(at).toISOString();
const json = (text) => (text === null ? null : JSON.parse(text));

const moved = ({ type, amount, amount_captured }) => (type === "payment" ? amount_captured : amount);

/** A row as the product's API returns it. */
export function present(row) {
  const { amount, fee_amount } = row;
  return {
    transaction_id: row.id,
    account_id: row.account_id,
    type: row.type,
    status: row.status,
    direction: row.direction,
    amount,
    currency: row.currency,
    fee_amount,
    net_amount: (row.direction === "in" ? moved(row) : -moved(row)) - fee_amount,
    amount_captured: row.amount_captured,
    amount_refunded: row.amount_refunded,
    amount_disputed: row.amount_disputed,
    amount_credited: 0,
    amount_credit_spent: 0,
    customer_id: row.customer_id,
    payment_id: row.payment_id,
    parent_transaction_id: row.parent_transaction_id,
    destination_account_id: row.destination_account_id,
    payment_method: json(row.payment_method),
    provider: row.provider,
    provider_reference: row.provider_reference,
    failure: json(row.failure),
    reason: row.reason,
    reference: row.reference,
    description: row.description,
    customer: json(row.customer),
    metadata: json(row.metadata),
    effective_at: iso(row.effective_at),
    livemode: Boolean(row.livemode),
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
    settled_at: row.settled_at === null ? null : iso(row.settled_at),
  };
}

export async function retrieveTransaction(db, { organizationId }, id) {
  const row = await db.read.get("select * from transactions where id = ? and organization_id = ?", id, organizationId);
  return present(row);
}

const byStatusAndType = "organization_id = ? and status in (?) and type in (?)";
const afterPosition = "created_at <= ? and (created_at < ? or id < ?)";
const newestFirst = "order by created_at desc, id desc limit ?";
const byTag = `
  select transactions.* from transaction_tags tag
  inner join transactions on transactions.id = tag.transaction_id
  where tag.organization_id = ? and tag.scope = 'metadata' and tag.key = ? and tag.value = ?
    and transactions.organization_id = ?
  order by tag.created_at desc, tag.transaction_id desc limit ?`;

/** The pages of the cases: by status and type, first page or after a cursor, or by one metadata key. */
export async function listTransactions(db, { organizationId }, query) {
  const limit = Number(query.get("limit"));
  const rows = await rowsOf(db, organizationId, query, limit + 1);
  const shown = rows.slice(0, limit);
  const total = query.has("include_total") ? await count(db, organizationId, query) : null;
  const hasMore = rows.length > limit;
  return {
    data: shown.map(present),
    has_more: hasMore,
    next_cursor: hasMore ? cursorAfter(shown.at(-1)) : null,
    total_count: total,
    total_is_estimate: total === null ? null : false,
  };
}

function rowsOf(db, organizationId, query, limit) {
  const order = query.get("metadata[order]");
  if (order !== null) return db.read.all(byTag, organizationId, "order", order, organizationId, limit);
  const values = [organizationId, query.get("status"), query.get("type")];
  const cursor = query.get("cursor");
  if (cursor === null) {
    return db.read.all(`select * from transactions where ${byStatusAndType} ${newestFirst}`, ...values, limit);
  }
  const [createdAt, id] = Buffer.from(cursor, "base64url").subarray(16).toString().split(":");
  const after = [Number(createdAt), Number(createdAt), id];
  const page = `select * from transactions where ${byStatusAndType} and ${afterPosition} ${newestFirst}`;
  return db.read.all(page, ...values, ...after, limit);
}

async function count(db, organizationId, query) {
  const counting = `select count(*) as total from transactions where ${byStatusAndType}`;
  return (await db.read.get(counting, organizationId, query.get("status"), query.get("type"))).total;
}

/** A cursor is 16 bytes of a MAC, then the position. */
function cursorAfter({ created_at, id }) {
  const body = `${created_at}:${id}`;
  const mac = createHmac("sha256", "the baseline's key").update(body).digest().subarray(0, 16);
  return Buffer.concat([mac, Buffer.from(body)]).toString("base64url");
}
