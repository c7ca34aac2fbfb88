// What must hold for the credit notes of invoices at any moment.
import type { Facts } from "./facts";
import { must, mustEqual } from "./violation";

type Note = Facts["creditNotes"][number];

const sumOf = (notes: readonly Note[]): number => notes.reduce((sum, { amount }) => sum + amount, 0);

/** Invariant 28. */
export function checkCreditNotes(facts: Facts): void {
  checkSeries(facts.creditNotes);
  for (const payment of facts.payments) {
    const notes = facts.creditNotes.filter(({ paymentId }) => paymentId === payment.id);
    must(notes.length === 0 || payment.invoiceNumber !== null, "28", `${payment.id} has credit notes and no number`);
    if (payment.invoiceNumber !== null) checkInvoice(facts, payment, notes);
  }
}

/** The numbers of each account and year are 1 to the last one; void credit notes keep theirs. */
function checkSeries(notes: readonly Note[]): void {
  const series = new Map<string, number[]>();
  for (const { accountId, year, sequence, record } of notes) {
    const key = `${accountId} ${year}`;
    series.set(key, [...(series.get(key) ?? []), sequence]);
    must(record.number.startsWith(`CN-${year}-`), "28", `the number ${record.number}`);
  }
  for (const [key, numbers] of series) {
    const ascending = numbers.sort((a, b) => a - b);
    const expected = ascending.map((_, at) => at + 1);
    mustEqual(ascending, expected, "28", `numbers of the credit notes of ${key}`);
  }
}

/** Each refund is credited, apart from surplus and credit, and each cancelation, but never more than the invoice. */
function checkInvoice(facts: Facts, payment: Facts["payments"][number], notes: readonly Note[]): void {
  const { id, amount, amountPaid, amountRefunded, amountWaived, canceledAt } = payment;
  const valid = notes.filter(({ voidedAt }) => voidedAt === null);
  const credited = sumOf(valid);
  const kept = amountPaid - amountRefunded;
  must(credited <= amount, "28", `${id} is credited by ${credited} of ${amount}`);
  must(canceledAt === null || credited >= amount - kept, "28", `${id} is canceled, and credited only by ${credited}`);
  const waived = sumOf(valid.filter(({ cause }) => cause === "partial_capture"));
  must(canceledAt !== null || waived === Math.min(amountWaived, waived + amount - credited), "28", `${id} waived`);
  must(canceledAt !== null || valid.every(({ cause }) => cause !== "cancelation"), "28", `${id} is not canceled`);
  const refunds = facts.transactions.filter((one) => one.type === "refund" && one.paymentId === id);
  for (const refund of refunds) {
    const own = notes.filter(({ refundId }) => refundId === refund.id);
    const isSound = own.every(({ voidedAt }) => (voidedAt === null) === (refund.status === "succeeded"));
    must(isSound, "28", `${refund.id} is ${refund.status}, but not its credit notes`);
    if (refund.status !== "succeeded") continue;
    const uses = facts.creditUses.filter((use) => use.transactionId === refund.id && use.kind === "taken_back");
    const wanted = refund.amount - (refund.amountSurplus ?? 0) - uses.reduce((sum, use) => sum + use.amount, 0);
    const isAll = credited >= amount - (canceledAt === null ? 0 : kept);
    const found = sumOf(own);
    must(found === wanted || (found < wanted && isAll), "28", `${refund.id} is credited by ${found} of ${wanted}`);
  }
}
