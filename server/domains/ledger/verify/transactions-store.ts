// What the proof of transactions reads: the rows with what they relate to, their postings, refunds and first events.
import { pageSize } from "./snapshot-store";

export const transactionsQuery = `
  select t.id, t.organization_id, t.account_id, t.type, t.status, t.direction, t.amount, t.currency, t.fee_amount,
    t.amount_authorized, t.amount_captured, t.amount_released, t.amount_refunded, t.amount_refunding, t.amount_disputed,
    t.dispute_status, t.amount_surplus,
    t.payment_id, t.parent_transaction_id, t.destination_account_id, t.provider, t.capture_requested, t.created_at,
    case when t.uses_credit then 1 else 0 end as is_of_credit, coalesce(c.amount, 0) as credit_made,
    coalesce(c.amount_spent, 0) as credit_spent,
    (select coalesce(sum(u.amount), 0) from customer_credit_uses u
      where u.transaction_id = t.id and u.kind = 'taken_back') as credit_taken_back,
    case when o.uses_credit then 1 else 0 end as parent_is_of_credit,
    case when t.livemode then 1 else 0 end as is_live, a.organization_id as account_organization_id,
    d.organization_id as destination_organization_id,
    o.type as parent_type, o.account_id as parent_account_id, o.currency as parent_currency,
    o.payment_id as parent_payment_id, o.provider as parent_provider,
    case when o.livemode then 1 else 0 end as parent_is_live,
    q.account_id as payment_account_id, q.currency as payment_currency,
    case when q.livemode then 1 else 0 end as payment_is_live
  from transactions t left join accounts a on a.id = t.account_id
  left join accounts d on d.id = t.destination_account_id
  left join transactions o on o.id = t.parent_transaction_id
  left join payments q on q.id = t.payment_id
  left join customer_credits c on c.id = t.id
  where t.id > ? order by t.id limit ${pageSize}`;

export const postedQuery = `
  select j.transaction_id, l.account_id, l.for_account_id, l.name, p.currency,
    case when l.livemode then 1 else 0 end as is_live,
    sum(case p.side when 'debit' then -p.amount else p.amount end) as credited
  from journals j join postings p on p.journal_id = j.id join ledger_accounts l on l.id = p.ledger_account_id
  where j.transaction_id > ? and j.transaction_id <= ?
  group by 1, 2, 3, 4, 5, 6`;

export const refundsQuery = `
  select parent_transaction_id, status, sum(amount) as amount from transactions
  where type = 'refund' and parent_transaction_id > ? and parent_transaction_id <= ?
  group by parent_transaction_id, status`;

export const disputeStepsQuery = `
  select transaction_id, sum(case event when 'dispute_opened' then 1 else 0 end) as opened,
    sum(case event when 'dispute_won' then 1 else 0 end) as won,
    sum(case event when 'dispute_lost' then 1 else 0 end) as lost
  from journals where transaction_id > ? and transaction_id <= ? and event like 'dispute%'
  group by transaction_id`;

/** The columns that never change, as the transaction's first event states them. */
export const announced = [
  "account_id",
  "type",
  "direction",
  "amount",
  "currency",
  "payment_id",
  "parent_transaction_id",
  "destination_account_id",
] as const;

export const firstEventsQuery = `
  select object_id, organization_id, created_at, ${announced.map((name) => `data->>'${name}' as ${name}`).join(", ")}
  from events where object_id > ? and object_id <= ? and sequence = 1`;
