// What must hold for the credit notes of invoices at any moment.
import { type Facts, paymentsOf, refundsOf, takenBackBy } from "./facts";
import { checkTaxes } from "./lines";
import { must, mustEqual } from "./violation";

type Note = Facts["creditNotes"][number];
type Payment = Facts["payments"][number];

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

/** Each refund is credited, and each cancelation, but never more than the invoice. */
function checkInvoice(facts: Facts, payment: Payment, notes: readonly Note[]): void {
  const { id, amount, amountWaived, canceledAt } = payment;
  const valid = notes.filter(({ voidedAt }) => voidedAt === null);
  const credited = sumOf(valid);
  const of = (wanted: Note["cause"]) => sumOf(valid.filter(({ cause }) => cause === wanted));
  must(credited <= (amount ?? 0), "28", `${id} is credited by ${credited} of ${amount}`);
  checkTaxes(payment, valid);
  const isVoidOther = notes.some(({ cause, voidedAt }) => cause === "cancelation" && voidedAt !== null);
  must(!isVoidOther, "28", `${id} has a void credit note of its cancelation`);
  const isAllLost = of("dispute") < payment.amountWrittenOff && credited === amount;
  must(isAllLost || of("dispute") === payment.amountWrittenOff, "28", `${id} wrote off ${payment.amountWrittenOff}`);
  if (canceledAt === null) {
    must(of("cancelation") === 0, "28", `${id} is not canceled`);
    const isAll = of("partial_capture") < amountWaived && credited === amount;
    must(isAll || of("partial_capture") === amountWaived, "28", `${id} waived ${amountWaived}`);
  } else {
    const unpaid = (amount ?? 0) - paidAtCancelation(facts, payment);
    mustEqual(of("cancelation") + of("partial_capture"), unpaid, "28", `${id} credited, of what was unpaid then`);
  }
  const wanted = canceledAt === null ? besideSurplus : ofEarlyMoney(facts, payment);
  for (const refund of paymentsOf(facts, id).flatMap((one) => refundsOf(facts, one.id))) {
    const own = notes.filter(({ refundId }) => refundId === refund.id);
    const isSound = own.every(({ voidedAt }) => (voidedAt === null) === (refund.status === "succeeded"));
    must(isSound, "28", `${refund.id} is ${refund.status}, but not its credit notes`);
    if (refund.status !== "succeeded") continue;
    const [found, all] = [sumOf(own), wanted(facts, refund)];
    const isAll = canceledAt === null && found < all && credited === amount;
    must(found === all || isAll, "28", `${refund.id} is credited by ${found} of ${all}`);
  }
}

type Refund = Facts["transactions"][number];

/** A refund is credited apart from the surplus and the credit that it took back. */
const besideSurplus = (facts: Facts, refund: Refund): number =>
  refund.amount - refund.amountSurplus - takenBackBy(facts, refund.id);

/** What the event of its cancelation says was paid. */
function paidAtCancelation({ events }: Facts, { id }: Payment): number {
  const canceled = events.find(({ objectId, data }) => objectId === id && data.status === "canceled");
  return Number(canceled?.data.amount_paid);
}

/**
 * After a cancelation, refunds of the payments that had come before are credited in full, and others not at all. The
 * provider of a life captures at once all that it captures of a payment, so no payment is of both kinds.
 */
function ofEarlyMoney(facts: Facts, payment: Payment): (facts: Facts, refund: Refund) => number {
  const came = paymentsOf(facts, payment.id).filter(({ amountCaptured }) => amountCaptured > 0);
  came.sort((one, other) => Number(one.settledAt) - Number(other.settledAt));
  const early = new Set<string | null>();
  let missing = paidAtCancelation(facts, payment);
  while (missing > 0) {
    const next = came.shift();
    must(next !== undefined && next.amountCaptured <= missing, "28", `${payment.id} had ${missing} more when canceled`);
    early.add(next?.id ?? null);
    missing -= next?.amountCaptured ?? missing;
  }
  return (_, refund) => (early.has(refund.parentTransactionId) ? refund.amount : 0);
}
