// Reads the attempts of payment requests: their transactions, and attempts to store a card at the begin of a trial.
import { grouped, type Row, type Snapshot } from "./snapshot-store";

const attemptsQuery = `
  select t.id, t.payment_id, t.status, t.provider, t.attempt_key, t.amount_authorized, t.amount_captured, t.amount_released,
    t.amount_refunded, t.amount_disputed, t.dispute_status, t.capture_before, t.settled_at, t.effective_at, t.late_at,
    t.failure->>'code' as failure_code, coalesce(c.amount, 0) as amount_credited
  from transactions t left join customer_credits c on c.id = t.id
  where payment_id > ? and payment_id <= ? and type = 'payment'`;

/**
 * Attempts to store a card without money, at the begin of a trial. They count like others, and move nothing. Those with a
 * card link concern only the subscription.
 */
const storingQuery = `
  select id, payment_id, case status when 'stored' then 'succeeded' else status end as status, provider, attempt_key,
    0 as amount_captured, 'none' as dispute_status, settled_at, failure->>'code' as failure_code
  from stored_methods where payment_id > ? and payment_id <= ? and transaction_id is null and card_link is null`;

/** The attempts of the payment requests whose ids are in the range, by payment request. */
export async function attemptsBetween(snapshot: Snapshot, range: string[]): Promise<ReadonlyMap<string, Row[]>> {
  const paying = await snapshot.rows(attemptsQuery, range);
  return grouped([...paying, ...(await snapshot.rows(storingQuery, range))], "payment_id");
}
