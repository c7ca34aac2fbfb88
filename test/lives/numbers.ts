// What must hold for the numbers of invoices at any moment.
import type { PaymentRow } from "@/server/domains/payments/store";
import { must, mustEqual } from "./violation";

/** Invariant 27. `payments` are all of an organization; prefixes of numbers are not part of lives. */
export function checkNumbers(payments: readonly PaymentRow[]): void {
  const series = new Map<string, number[]>();
  for (const { id, accountId, type, draft, invoiceNumber, invoice } of payments) {
    const isInvoice = type === "invoice" && draft === null;
    must((invoiceNumber !== null) === isInvoice, "27", `${id} has the number ${invoiceNumber}`);
    if (invoiceNumber === null) continue;
    must(invoice?.issue_date != null, "27", `${id} has a number and no issue date`);
    const [year = "", number = ""] = invoiceNumber.split("-");
    const key = `${accountId} ${year}`;
    series.set(key, [...(series.get(key) ?? []), Number(number)]);
  }
  for (const [key, numbers] of series) {
    const ascending = numbers.sort((a, b) => a - b);
    mustEqual(
      ascending,
      ascending.map((_, at) => at + 1),
      "27",
      `numbers of ${key}`,
    );
  }
}
