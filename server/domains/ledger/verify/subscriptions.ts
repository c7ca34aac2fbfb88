// Proof that each period of a subscription has one payment request and is paid once, and that the counts agree.
import { expectThat } from "./fault";
import type { Snapshot } from "./snapshot-store";
import { proveSubscriptionRows } from "./subscription-rows";

const countsQuery = `
  select s.id, s.cycles_begun, s.cycles_done, count(c.cycle) as begun, count(c.paid_at) as done
  from subscriptions s left join subscription_cycles c on c.subscription_id = s.id
  group by s.id, s.cycles_begun, s.cycles_done
  having s.cycles_begun <> count(c.cycle) or s.cycles_done <> count(c.paid_at)
  order by s.id limit 1`;

/**
 * Whether a period and its payment request differ about when it was paid. Once a lost dispute is due again, the payment
 * request forgets that, and the period keeps the day of its money.
 */
const paidOtherwise = `case when p.amount_reopened = 0 then coalesce(p.paid_at, -1) <> coalesce(c.paid_at, -1)
  when c.paid_at is null then exists (select 1 from events e where e.object_id = p.id and e.type = 'payment.paid')
  else not exists (select 1 from transactions t where t.payment_id = p.id and t.type = 'payment'
    and (t.settled_at = c.paid_at or t.effective_at = c.paid_at)) end`;

/** Cycles whose payment request does not say the same. */
const cyclesQuery = `
  select c.subscription_id, c.cycle, c.payment_id from subscription_cycles c
  join subscriptions s on s.id = c.subscription_id
  left join payments p on p.id = c.payment_id
  where p.id is null or p.subscription_id is null or p.subscription_id <> c.subscription_id
    or p.account_id <> s.account_id or p.currency <> s.currency or p.amount <> c.amount
    or c.organization_id <> s.organization_id or p.organization_id <> s.organization_id
    or ${paidOtherwise} or c.period_end <= c.period_start
    or (p.is_renewal and c.payment_id = s.first_payment_id) or (not p.is_renewal and c.payment_id <> s.first_payment_id)
  order by c.subscription_id, c.cycle limit 1`;

/** Payment requests of later periods that are of no period, and those of a subscription that does not know them. */
const strayQuery = `
  select p.id from payments p
  left join subscription_cycles c on c.payment_id = p.id
  left join subscriptions s on s.id = p.subscription_id
  where (p.is_renewal and c.payment_id is null)
    or (p.subscription_id is not null and (s.id is null or (c.payment_id is null and s.first_payment_id <> p.id)))
  order by p.id limit 1`;

/** Periods that begin before the one before has ended. */
const overlapQuery = `
  select subscription_id, cycle from (
    select subscription_id, cycle, period_start,
      lag(period_end) over (partition by subscription_id order by cycle) as ended_before
    from subscription_cycles
  ) periods
  where ended_before > period_start order by subscription_id, cycle limit 1`;

/** Proves all subscriptions and their cycles. */
export async function proveSubscriptions(snapshot: Snapshot): Promise<void> {
  const [count] = await snapshot.rows(countsQuery);
  expectThat(
    !count,
    { check: "subscription", subscriptionId: String(count?.id) },
    `cycles_begun is ${count?.cycles_begun} and cycles_done ${count?.cycles_done}, but ${count?.begun} cycles exist and ${count?.done} were paid.`,
  );
  const [cycle] = await snapshot.rows(cyclesQuery);
  const at = { check: "subscription", subscriptionId: String(cycle?.subscription_id) } as const;
  expectThat(!cycle, at, `Cycle ${cycle?.cycle} and its payment request ${cycle?.payment_id} do not agree.`);
  const [stray] = await snapshot.rows(strayQuery);
  const strayId = String(stray?.id);
  expectThat(!stray, { check: "subscription", paymentId: strayId }, "A renewal belongs to no cycle of a subscription.");
  const [overlap] = await snapshot.rows(overlapQuery);
  const overlapping = String(overlap?.subscription_id);
  const row = { check: "subscription", subscriptionId: overlapping } as const;
  expectThat(!overlap, row, `Cycle ${overlap?.cycle} begins before the one before has ended.`);
  await proveSubscriptionRows(snapshot);
}
