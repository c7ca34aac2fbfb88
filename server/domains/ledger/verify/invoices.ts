// Proof that the numbers of invoices have no gaps, and that each invoice and its payment request agree.
import { expectThat } from "./fault";
import type { Snapshot } from "./snapshot-store";

/** The first series whose numbers are not 1 to the last one. They are unique and above 0. */
const gapQuery = `
  select s.account_id, s.year, s.last_number, count(i.sequence) as given, max(i.sequence) as highest
  from invoice_series s
  left join invoices i on i.account_id = s.account_id and i.livemode = s.livemode and i.year = s.year
  group by s.account_id, s.livemode, s.year, s.last_number
  having count(i.sequence) <> s.last_number or max(i.sequence) <> s.last_number
  order by s.account_id, s.year limit 1`;

const strayQuery = `
  select i.payment_id from invoices i
  left join invoice_series s on s.account_id = i.account_id and s.livemode = i.livemode and s.year = i.year
  where s.account_id is null order by i.payment_id limit 1`;

const numberQuery = `
  select p.id from payments p left join invoices i on i.payment_id = p.id
  where (p.invoice_number is null and i.payment_id is not null) or (p.invoice_number is not null and (
    i.payment_id is null or i.account_id <> p.account_id or i.livemode <> p.livemode or p.type <> 'invoice'
    or coalesce(i.record ->> 'number', '') <> p.invoice_number
    or coalesce(i.record ->> 'currency', '') <> p.currency
    or p.invoice_number not like '%' || cast(i.year as text) || '-%' || cast(i.sequence as text)
    or cast(coalesce(i.record ->> 'gross_amount', '-1') as bigint) <> p.amount))
  order by p.id limit 1`;

/** Proves the numbers of all invoices. */
export async function proveInvoices(snapshot: Snapshot): Promise<void> {
  const [gap] = await snapshot.rows(gapQuery);
  const found = gap && `${gap.given} invoices up to ${gap.highest}, but the last number is ${gap.last_number}`;
  expectThat(!gap, { check: "invoice" }, `In ${gap?.year}, the account ${gap?.account_id} has ${found}.`);
  const [stray] = await snapshot.rows(strayQuery);
  const strayId = String(stray?.payment_id);
  expectThat(!stray, { check: "invoice", paymentId: strayId }, "An invoice has a number that was never given.");
  const [other] = await snapshot.rows(numberQuery);
  const otherId = String(other?.id);
  expectThat(!other, { check: "invoice", paymentId: otherId }, "An invoice and its payment request do not agree.");
}
