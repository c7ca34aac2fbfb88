// Proof that the numbers of invoices have no gaps, and that each invoice and its payment request agree.
import { expectThat } from "./fault";
import { proveNumbers } from "./numbers";
import type { Snapshot } from "./snapshot-store";

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
  await proveNumbers(snapshot, { paper: "invoice", series: "invoice_series", papers: "invoices" });
  const [other] = await snapshot.rows(numberQuery);
  const otherId = String(other?.id);
  expectThat(!other, { check: "invoice", paymentId: otherId }, "An invoice and its payment request do not agree.");
}
