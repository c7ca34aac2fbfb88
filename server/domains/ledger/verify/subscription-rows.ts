// Proof that the row of each subscription agrees with what it names: its card, its payment requests and its charge.
import { expectThat } from "./fault";
import type { Snapshot } from "./snapshot-store";

/**
 * A payment request that is not of the subscription. One that began another subscription, after the first one ended
 * without being paid, is of the other.
 */
const isForeign = (payment: string) => `(${payment}.id is null or ${payment}.organization_id <> s.organization_id
  or ${payment}.account_id <> s.account_id or ${payment}.livemode <> s.livemode
  or (coalesce(${payment}.subscription_id, '') <> s.id and coalesce(s.end_reason, '') <> 'incomplete'))`;

/** The card of somebody else, or one that is not stored. A customer that was merged is the one that it became. */
const isWrongMethod = `s.method_id is not null and (m.id is null or m.status <> 'stored'
  or m.organization_id <> s.organization_id or m.account_id <> s.account_id or m.livemode <> s.livemode
  or (s.customer_id is not null
    and coalesce(mc.merged_into, m.customer_id, '') <> coalesce(sc.merged_into, s.customer_id)))`;

const isWrongStatus = `case s.status
  when 'canceled' then s.canceled_at is null or s.ended_at is null or s.end_reason is not null
  when 'ended' then s.canceled_at is not null or s.ended_at is null or s.end_reason is null
  else s.canceled_at is not null or s.ended_at is not null or s.end_reason is not null end`;

const isWrongAttempt = `s.attempt_id is not null and (t.id is null or tc.subscription_id is null
  or tc.subscription_id <> s.id or t.status not in ('processing', 'requires_action', 'authorized'))`;

const rowsQuery = `
  select id, problem from (
    select s.id, case
      when ${isForeign("f")} then 'first_payment_id names no payment request of it.'
      when ${isForeign("l")} then 'latest_payment_id names no payment request of it.'
      when coalesce(lc.cycle, 0) <> coalesce((
        select max(c.cycle) from subscription_cycles c where c.subscription_id = s.id), 0)
        then 'latest_payment_id does not name the newest cycle.'
      when s.cycles is not null and s.cycles_begun > s.cycles then 'More cycles have begun than were agreed.'
      when ${isWrongStatus} then 'The status does not agree with canceled_at, ended_at and end_reason.'
      when ${isWrongMethod} then 'method_id names no stored card of its customer.'
      when ${isWrongAttempt} then 'attempt_id names no charge of it that is under way.'
      end as problem
    from subscriptions s
    left join payments f on f.id = s.first_payment_id
    left join payments l on l.id = s.latest_payment_id
    left join subscription_cycles lc on lc.payment_id = l.id and lc.subscription_id = s.id
    left join customers sc on sc.id = s.customer_id
    left join stored_methods m on m.id = s.method_id
    left join customers mc on mc.id = m.customer_id
    left join transactions t on t.id = s.attempt_id
    left join subscription_cycles tc on tc.payment_id = t.payment_id
  ) found
  where problem is not null order by id limit 1`;

/** Proves the row of each subscription. */
export async function proveSubscriptionRows(snapshot: Snapshot): Promise<void> {
  const [row] = await snapshot.rows(rowsQuery);
  const at = { check: "subscription", subscriptionId: String(row?.id) } as const;
  expectThat(!row, at, String(row?.problem));
}
