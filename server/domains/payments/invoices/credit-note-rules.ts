// Pure rules of credit notes: how much of an invoice is credited for which reason, and with which taxes.

import type { CreditNoteRecord, InvoiceLine, InvoiceRecord, InvoiceTax } from "@/db/schema/invoice-values";
import { pieces } from "@/server/kit/units";

type Cause = CreditNoteRecord["cause"];

/** A credit note that was made. Amounts in minor units. */
interface Made {
  cause: Cause;
  refundId: string | null;
  amount: number;
}

/** A refund that has succeeded. */
interface Refunded {
  id: string;
  /** The payment that it refunds. */
  parentId: string | null;
  amount: number;
  /** The part of it that gave back surplus or took back credit. */
  uncredited: number;
}

/** A payment of which money has arrived. */
interface Arrived {
  id: string;
  /** What lost disputes left of it, refunded or not. */
  kept: number;
}

/** What credit notes follow from. */
interface Claims {
  /** The invoice's amount. */
  amount: number;
  /** What final partial captures released of it. */
  waived: number;
  /** What was written off after lost disputes. */
  writtenOff: number;
  /** What is still to be paid. */
  due: number;
  isCanceled: boolean;
  /** In the order in which their money arrived. */
  payments: readonly Arrived[];
  /** Oldest first. */
  refunds: readonly Refunded[];
}

/**
 * The credit notes of partial captures, oldest first, from the one on that exceeds what is waived: the provider has
 * captured more since. A canceled invoice keeps them, because money that arrives later was credited before it came.
 */
export function excessNotes<Note extends Made>(claims: Claims, made: readonly Note[]): Note[] {
  let left = claims.waived;
  return made.filter(({ cause, amount }) => {
    if (claims.isCanceled || cause !== "partial_capture") return false;
    left -= amount;
    return left < 0;
  });
}

/**
 * The credit notes that are missing beside those that are not void: for what a final partial capture waived, for what a
 * cancelation left unpaid, for what was written off after a lost dispute, and for each refund. Together they never exceed the invoice.
 */
export function missingNotes(claims: Claims, made: readonly Made[]): Made[] {
  const notes = [...made];
  const sum = (of: (note: Made) => boolean) => notes.reduce((total, note) => total + (of(note) ? note.amount : 0), 0);
  const add = (cause: Cause, refundId: string | null, wanted: number) => {
    const amount = Math.min(wanted, claims.amount - sum(() => true));
    if (amount > 0) notes.push({ cause, refundId, amount });
  };
  const isOf = (cause: Cause) => (note: Made) => note.cause === cause;
  if (!claims.isCanceled) {
    add("partial_capture", null, claims.waived - sum(isOf("partial_capture")));
  } else if (!notes.some(isOf("cancelation"))) {
    add("cancelation", null, claims.due);
  }
  add("dispute", null, claims.writtenOff - sum(isOf("dispute")));
  const early = earlyParts(claims.payments, claims.amount - sum((note) => note.cause !== "refund"));
  for (const { id, parentId, amount, uncredited } of claims.refunds) {
    const own = sum((note) => note.refundId === id);
    const siblings = new Set(claims.refunds.filter((one) => one.parentId === parentId).map((one) => one.id));
    const left = (early.get(parentId) ?? 0) - sum(({ refundId }) => refundId !== null && siblings.has(refundId));
    add("refund", id, claims.isCanceled ? Math.min(amount - own, left) : amount - uncredited - own);
  }
  return notes.slice(made.length);
}

/**
 * How much of each payment arrived before a cancelation, which credited all but `claimed` minor units. What arrived later
 * was credited before it came, so its refund is not credited again.
 */
function earlyParts(payments: readonly Arrived[], claimed: number): ReadonlyMap<string | null, number> {
  let left = claimed;
  const parts = payments.map(({ id, kept }) => {
    const part = Math.min(kept, left);
    left -= part;
    return [id, part] as const;
  });
  return new Map(parts);
}

/** The taxes and lines of a credit note. */
type Contents = Pick<CreditNoteRecord, "lines" | "taxes" | "net_amount" | "tax_amount" | "gross_amount">;

/**
 * What a credit note of `amount` says of an invoice of which `credited` has been credited: each rate's share of what is
 * left, by the largest remainder, so that all credit notes together have exactly the taxes of the invoice.
 */
export function contentsOf(
  invoice: InvoiceRecord,
  credited: readonly (readonly InvoiceTax[])[],
  amount: number,
): Contents {
  const left = invoice.taxes.map((tax) => {
    const before = credited.flatMap((taxes) => taxes.filter((one) => isSameTax(one, tax)));
    const sum = (field: "taxable_amount" | "tax_amount") => before.reduce((total, one) => total + one[field], 0);
    return [tax.taxable_amount - sum("taxable_amount"), tax.tax_amount - sum("tax_amount")];
  });
  const shares = sharesOf(amount, left.flat());
  const taxes = invoice.taxes.map((tax, at) => ({
    ...{ ...tax, taxable_amount: shares[2 * at] ?? 0, tax_amount: shares[2 * at + 1] ?? 0 },
  }));
  const said = taxes.filter(({ taxable_amount, tax_amount }) => taxable_amount + tax_amount > 0);
  const net = taxes.reduce((total, tax) => total + tax.taxable_amount, 0);
  return {
    lines: amount === invoice.gross_amount && invoice.lines.length > 0 ? invoice.lines : said.map(lineOf),
    taxes: said,
    net_amount: net,
    tax_amount: amount - net,
    gross_amount: amount,
  };
}

const isSameTax = (one: InvoiceTax, other: InvoiceTax): boolean =>
  one.vat_rate_bp === other.vat_rate_bp && one.vat_category_code === other.vat_category_code;

/** A part of an invoice has no lines of its own: it has one for each category and rate. */
const lineOf = ({ vat_rate_bp, vat_category_code, taxable_amount }: InvoiceTax, index: number): InvoiceLine => ({
  identifier: index + 1,
  item_name: null,
  quantity: 1,
  item_net_price: taxable_amount,
  allowance_amount: 0,
  net_amount: taxable_amount,
  vat_rate_bp,
  vat_category_code,
  unit_code: pieces,
});

/**
 * Divides `amount` in proportion to the weights, which add up to at least as much: each gets its share rounded down, and
 * what is left goes to the largest remainders, the first of equal ones. No share exceeds its weight.
 */
export function sharesOf(amount: number, weights: readonly number[]): number[] {
  const total = weights.reduce((sum, weight) => sum + BigInt(weight), 0n);
  const exact = weights.map((weight) => BigInt(amount) * BigInt(weight));
  const shares = exact.map((product) => Number(product / total));
  const rest = amount - shares.reduce((sum, share) => sum + share, 0);
  const byRemainder = exact
    .map((product, at) => ({ at, remainder: product % total }))
    .sort((a, b) => (a.remainder === b.remainder ? a.at - b.at : a.remainder > b.remainder ? -1 : 1));
  for (const { at } of byRemainder.slice(0, rest)) shares[at] = (shares[at] ?? 0) + 1;
  return shares;
}
