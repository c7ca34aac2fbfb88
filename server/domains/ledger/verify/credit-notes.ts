// Proof that credit notes agree with the refunds and cancelations of their invoices, and never exceed them.
import { expectThat } from "./fault";
import { proveNumbers } from "./numbers";
import type { Snapshot } from "./snapshot-store";

const integer = (json: string, field: string) => `cast(coalesce(${json} ->> '${field}', '-1') as bigint)`;

const isValid = "not exists (select 1 from credit_note_voids v where v.credit_note_id = n.id)";

/** A credit note whose record, invoice or refund says otherwise than its row. */
const contentQuery = `
  select n.payment_id from credit_notes n join payments p on p.id = n.payment_id
  left join invoices i on i.payment_id = n.payment_id
  left join transactions t on t.id = n.refund_id
  where i.payment_id is null or n.account_id <> p.account_id or n.livemode <> p.livemode
    or coalesce(n.record ->> 'number', '') not like '%CN-' || cast(n.year as text) || '-%' || cast(n.sequence as text)
    or coalesce(n.record ->> 'currency', '') <> p.currency
    or coalesce(n.record ->> 'cause', '') <> n.cause
    or ${integer("n.record", "gross_amount")} <> n.amount
    or ${integer("n.record", "net_amount")} + ${integer("n.record", "tax_amount")} <> n.amount
    or (n.refund_id is not null and (t.payment_id is null or t.payment_id <> n.payment_id or t.type <> 'refund'))
  order by n.id limit 1`;

/** One that is void although nothing failed, or valid although its refund failed. */
const voidQuery = `
  select n.payment_id from credit_notes n left join transactions t on t.id = n.refund_id
  where (n.refund_id is null or t.status = 'succeeded') <> (${isValid}) order by n.id limit 1`;

/** What the valid credit notes of each invoice add up to. */
const sums = `
  select n.payment_id, sum(n.amount) as credited,
    sum(${integer("n.record", "net_amount")}) as net, sum(${integer("n.record", "tax_amount")}) as tax,
    sum(case when n.cause = 'partial_capture' then n.amount else 0 end) as waived
  from credit_notes n where ${isValid} group by n.payment_id`;

/** An invoice that is credited by more than its amount or its taxes, or less than its cancelation calls for. */
const sumQuery = `
  select p.id from invoices i join payments p on p.id = i.payment_id left join (${sums}) s on s.payment_id = p.id
  where coalesce(s.credited, 0) > p.amount
    or coalesce(s.net, 0) > ${integer("i.record", "net_amount")}
    or coalesce(s.tax, 0) > ${integer("i.record", "tax_amount")}
    or (p.canceled_at is not null and coalesce(s.credited, 0) < p.amount - (p.amount_paid - p.amount_refunded))
    or (p.canceled_at is null and coalesce(s.waived, 0) <> p.amount_waived and coalesce(s.credited, 0) < p.amount)
  order by p.id limit 1`;

/**
 * A refund that is credited by more than what it gave back beside surplus and credit, or by less although something of
 * its invoice is left. What a canceled invoice keeps is not left.
 */
const refundQuery = `
  select r.payment_id from (
    select t.id, t.payment_id, t.amount - coalesce(t.amount_surplus, 0) - coalesce((
      select sum(u.amount) from customer_credit_uses u where u.transaction_id = t.id and u.kind = 'taken_back'), 0) as wanted,
      coalesce((select sum(n.amount) from credit_notes n where n.refund_id = t.id and ${isValid}), 0) as credited
    from transactions t where t.type = 'refund' and t.status = 'succeeded'
  ) r join payments p on p.id = r.payment_id join invoices i on i.payment_id = p.id left join (${sums}) s on s.payment_id = p.id
  where r.credited > r.wanted or (r.credited < r.wanted and coalesce(s.credited, 0) <
    p.amount - case when p.canceled_at is null then 0 else p.amount_paid - p.amount_refunded end)
  order by r.id limit 1`;

/** Proves all credit notes. */
export async function proveCreditNotes(snapshot: Snapshot): Promise<void> {
  await proveNumbers(snapshot, { paper: "credit note", series: "credit_note_series", papers: "credit_notes" });
  const checks = [
    [contentQuery, "A credit note and its invoice do not agree."],
    [voidQuery, "A credit note and the status of its refund do not agree."],
    [sumQuery, "The credit notes of an invoice do not add up to what was canceled, or exceed it."],
    [refundQuery, "A refund of an invoice and its credit notes do not agree."],
  ] as const;
  for (const [query, message] of checks) {
    const [wrong] = await snapshot.rows(query);
    expectThat(!wrong, { check: "credit_note", paymentId: String(wrong?.payment_id ?? wrong?.id) }, message);
  }
}
