// Proof that the numbers of invoices have no gaps, and that each invoice and its payment request agree.
import { expectThat } from "./fault";
import { integerIn, isMisnumbered, isMissummed, isWronglyErased, proveNumbers } from "./numbers";
import type { Snapshot } from "./snapshot-store";

const numberQuery = (snapshot: Snapshot) => `
  select p.id from payments p left join invoices i on i.payment_id = p.id
  where (p.invoice_number is null and i.payment_id is not null) or (p.invoice_number is not null and (
    i.payment_id is null or i.account_id <> p.account_id or i.livemode <> p.livemode or p.type <> 'invoice'
    or coalesce(i.record ->> 'number', '') <> p.invoice_number
    or coalesce(i.record ->> 'currency', '') <> p.currency
    or ${isMisnumbered("i")}
    or ${isMissummed(snapshot, "i")}
    or ${isWronglyErased("i")}
    or ${integerIn("i.record", "net_amount")} + ${integerIn("i.record", "tax_amount")} <> p.amount
    or ${integerIn("i.record", "gross_amount")} <> p.amount))
  order by p.id limit 1`;

/** Proves the numbers of all invoices. */
export async function proveInvoices(snapshot: Snapshot): Promise<void> {
  await proveNumbers(snapshot, { paper: "invoice", series: "invoice_series", papers: "invoices" });
  const [other] = await snapshot.rows(numberQuery(snapshot));
  const otherId = String(other?.id);
  expectThat(!other, { check: "invoice", paymentId: otherId }, "An invoice and its payment request do not agree.");
}
