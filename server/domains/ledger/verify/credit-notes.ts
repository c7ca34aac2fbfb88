// Proof that credit notes agree with the refunds and cancelations of their invoices, and never exceed them.
import { expectThat } from "./fault";
import {
  integerIn,
  isMisnumbered,
  isMissummed,
  isWronglyErased,
  proveNumbers,
  proveSellers,
  proveUnique,
} from "./numbers";
import type { Snapshot } from "./snapshot-store";

const isValid = "not exists (select 1 from credit_note_voids v where v.credit_note_id = n.id)";

const before = "n.record -> 'preceding_invoice'";

/** A credit note whose record, invoice or refund says otherwise than its row. */
const contentQuery = (snapshot: Snapshot) => `
  select n.payment_id from credit_notes n join payments p on p.id = n.payment_id
  left join invoices i on i.payment_id = n.payment_id
  left join transactions t on t.id = n.refund_id
  where i.payment_id is null or n.account_id <> p.account_id or n.livemode <> p.livemode
    or ${isMisnumbered("n", "CN-")}
    or coalesce(n.record ->> 'currency', '') <> p.currency
    or coalesce(n.record ->> 'cause', '') <> n.cause
    or coalesce(${before} ->> 'number', '') <> i.record ->> 'number'
    or coalesce(${before} ->> 'issue_date', '') <> i.record ->> 'issue_date'
    or coalesce(n.record ->> 'issue_date', '') < i.record ->> 'issue_date'
    or n.year < cast(substr(i.record ->> 'issue_date', 1, 4) as integer)
    or ${integerIn("n.record", "gross_amount")} <> n.amount
    or ${integerIn("n.record", "net_amount")} + ${integerIn("n.record", "tax_amount")} <> n.amount
    or ${isMissummed(snapshot, "n")}
    or ${isWronglyErased("n")}
    or (n.refund_id is not null and (t.payment_id is null or t.payment_id <> n.payment_id or t.type <> 'refund'))
  order by n.id limit 1`;

/**
 * One that is void although nothing failed, or valid although its refund failed. Whether those of partial captures are
 * rightly void shows in their sum.
 */
const voidQuery = `
  select n.payment_id from credit_notes n left join transactions t on t.id = n.refund_id
  where n.cause <> 'partial_capture' and (n.refund_id is null or t.status = 'succeeded') <> (${isValid})
  order by n.id limit 1`;

/**
 * What the valid credit notes of each invoice add up to: all, those of partial captures, those of lost disputes, and those
 * of what was not paid.
 */
const sums = `
  select n.payment_id, sum(n.amount) as credited,
    sum(${integerIn("n.record", "net_amount")}) as net, sum(${integerIn("n.record", "tax_amount")}) as tax,
    sum(case when n.cause = 'partial_capture' then n.amount else 0 end) as waived,
    sum(case when n.cause = 'dispute' then n.amount else 0 end) as lost,
    sum(case when n.cause in ('refund', 'dispute') then 0 else n.amount end) as unpaid
  from credit_notes n where ${isValid} group by n.payment_id`;

/** What was paid of a payment request when it was canceled, without what is due again after a lost dispute. */
const paidWhenCanceled = `(
  select ${integerIn("e.data", "amount_paid")} - p.amount_reopened from events e
  where e.object_id = p.id and e.data ->> 'status' = 'canceled' order by e.sequence limit 1)`;

/**
 * An invoice that is credited by more than its amount or its taxes, or by another amount than its partial captures, its
 * cancelation or what was written off after a lost dispute call for. A cancelation credits what was not paid then.
 */
const sumQuery = `
  select p.id from invoices i join payments p on p.id = i.payment_id left join (${sums}) s on s.payment_id = p.id
  where coalesce(s.credited, 0) > p.amount
    or coalesce(s.net, 0) > ${integerIn("i.record", "net_amount")}
    or coalesce(s.lost, 0) > p.amount_written_off
    or (coalesce(s.lost, 0) < p.amount_written_off and coalesce(s.credited, 0) < p.amount)
    or coalesce(s.tax, 0) > ${integerIn("i.record", "tax_amount")}
    or (p.canceled_at is not null and (p.amount - coalesce(s.unpaid, 0) > p.amount_paid
      or p.amount - coalesce(s.unpaid, 0) <> ${paidWhenCanceled}))
    or (p.canceled_at is null and (coalesce(s.unpaid, 0) > p.amount_waived
      or (coalesce(s.waived, 0) < p.amount_waived and coalesce(s.credited, 0) < p.amount)))
  order by p.id limit 1`;

/** What the valid credit notes of a refund add up to. */
const creditedOf = (refund: string) =>
  `coalesce((select sum(n.amount) from credit_notes n where n.refund_id = ${refund}.id and ${isValid}), 0)`;

/**
 * A refund that is credited by more than what it gave back beside surplus and credit, or by less although something of
 * its invoice is left. After a cancelation, surplus and credit do not count: see `lateQuery`.
 */
const refundQuery = `
  select r.payment_id from (
    select t.id, t.payment_id, t.amount, t.amount - t.amount_surplus - coalesce((
      select sum(u.amount) from customer_credit_uses u where u.transaction_id = t.id and u.kind = 'taken_back'), 0) as wanted,
      ${creditedOf("t")} as credited
    from transactions t where t.type = 'refund' and t.status = 'succeeded'
  ) r join payments p on p.id = r.payment_id join invoices i on i.payment_id = p.id left join (${sums}) s on s.payment_id = p.id
  where case when p.canceled_at is not null then r.credited > r.amount
    else r.credited > r.wanted or (r.credited < r.wanted and coalesce(s.credited, 0) < p.amount) end
  order by r.id limit 1`;

/** What lost disputes left of a payment, refunded or not. */
const kept = `(case when t.dispute_status <> 'lost' then t.amount_captured
  when t.amount_captured - t.amount_disputed > t.amount_refunded then t.amount_captured - t.amount_disputed
  else t.amount_refunded end)`;

/**
 * A payment of a canceled invoice whose refunds are not credited by exactly what they gave back of its part that came
 * before the cancelation: the cancelation credited the rest, before it came.
 */
const lateQuery = `
  select a.payment_id from (
    select t.id, t.payment_id, t.amount_refunded,
      p.amount - coalesce(s.unpaid, 0) - coalesce(s.lost, 0) + ${kept}
        - sum(${kept}) over (partition by t.payment_id order by coalesce(t.settled_at, 0), t.id) as early,
      (select coalesce(sum(${creditedOf("r")}), 0) from transactions r where r.parent_transaction_id = t.id) as credited
    from transactions t join payments p on p.id = t.payment_id join invoices i on i.payment_id = p.id
    left join (${sums}) s on s.payment_id = p.id
    where t.type = 'payment' and t.amount_captured > 0 and p.canceled_at is not null
  ) a
  where a.credited <> case when a.early <= 0 then 0 when a.early < a.amount_refunded then a.early
    else a.amount_refunded end
  order by a.id limit 1`;

/** Proves all credit notes. */
export async function proveCreditNotes(snapshot: Snapshot): Promise<void> {
  await proveNumbers(snapshot, { paper: "credit note", series: "credit_note_series", papers: "credit_notes" });
  await proveUnique(snapshot);
  await proveSellers(snapshot);
  const checks = [
    [contentQuery(snapshot), "A credit note and its invoice do not agree."],
    [voidQuery, "A credit note and the status of its refund do not agree."],
    [sumQuery, "The credit notes of an invoice do not add up to what was canceled, or exceed it."],
    [refundQuery, "A refund of an invoice and its credit notes do not agree."],
    [lateQuery, "The refunds of a canceled invoice and its credit notes do not agree."],
  ] as const;
  for (const [query, message] of checks) {
    const [wrong] = await snapshot.rows(query);
    expectThat(!wrong, { check: "credit_note", paymentId: String(wrong?.payment_id ?? wrong?.id) }, message);
  }
}
