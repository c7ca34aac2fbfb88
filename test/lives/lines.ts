// The line items of payment requests in lives, with taxes of several categories, and what credit notes say about them.
import * as fc from "fast-check";
import type { RequestFields } from "../payer";
import type { Facts } from "./facts";
import { must, mustEqual } from "./violation";

type Note = Facts["creditNotes"][number];
type Payment = Facts["payments"][number];

/** Line items taxed at two rates, or at none: each by the code of its category. None by default. */
export type Lines = "none" | "taxed" | "exempt" | "outside" | keyof typeof untaxed;

/** Categories with the rate 0 that need no reason. */
const untaxed = { reversed: "AE", "to the EU": "K", exported: "G" } as const;

export const lines = fc.constantFrom<Lines>(
  ...(["none", "none", "taxed", "taxed", "exempt", "outside", "reversed", "to the EU", "exported"] as const),
);

const work = { name: "Consulting", quantity: 1, unit: "HUR" };

/** Line items whose total is the amount. */
export function linesOf(given: Lines, amount: number): RequestFields {
  if (given === "none") return {};
  if (given === "exempt") {
    const exemption = { tax_category: "E" as const, tax_exemption_reason: "Art. 132 of Directive 2006/112/EC" };
    return { line_items: [{ ...work, unit_amount: amount, tax_rate_bp: 0, ...exemption }] };
  }
  if (given === "outside") return { line_items: [{ ...work, unit_amount: amount, tax_category: "O" }] };
  if (given !== "taxed")
    return { line_items: [{ ...work, unit_amount: amount, tax_rate_bp: 0, tax_category: untaxed[given] }] };
  const net = Math.floor((amount * 100) / 119);
  const rest = amount - net - taxOf(net, 1900);
  return {
    line_items: [
      ...(net > 0 ? [{ ...work, unit_amount: net, tax_rate_bp: 1900 }] : []),
      ...(rest > 0 ? [{ name: "Postage", quantity: 1, unit_amount: rest, tax_rate_bp: 0 }] : []),
    ],
  };
}

/** An invoice to another country of the EU says when it is delivered. */
export const deliveryOf = (type: string, given: Lines | undefined, now: number): RequestFields =>
  type === "invoice" && given === "to the EU"
    ? { invoice: { service_from: new Date(now).toISOString().slice(0, 10) } }
    : {};

/** Whether an invoice can be issued at `at` as far as its delivery goes: it is known if it must be, and some years away at most. */
export function isDeliverySound(payment: Payment | undefined, at: number): boolean {
  if (!payment) return false;
  const { type, lineItems, invoice } = payment;
  const day = invoice?.service_from ?? null;
  const isNear = day === null || Math.abs(at - Date.parse(day)) < 10 * 366 * 86_400_000;
  const isWanted = type === "invoice" && (lineItems ?? []).some((line) => line.tax_category === "K");
  return isNear && (day !== null || !isWanted);
}

/** The tax of a net amount, rounded half up. */
const taxOf = (net: number, rate: number): number => Math.floor((net * rate + 5_000) / 10_000);

/** Invariant 28, for taxes: all credit notes of an invoice that is credited in full together have its taxes. */
export function checkTaxes({ id, amount, lineItems }: Payment, valid: readonly Note[]): void {
  for (const { amount: credited, record } of valid) {
    const sum = record.taxes.reduce((total, one) => total + one.taxable_amount + one.tax_amount, 0);
    mustEqual([sum, record.gross_amount], [credited, credited], "28", `${record.number}: its taxes and its amount`);
    must(
      record.taxes.every((one) => one.tax_amount >= 0),
      "28",
      `${record.number} has a negative tax`,
    );
  }
  const tax = (lineItems ?? []).reduce(
    (total, one) => total + taxOf(one.quantity * one.unit_amount, one.tax_rate_bp ?? 0),
    0,
  );
  const credited = valid.reduce((total, note) => total + note.amount, 0);
  const found = valid.reduce((total, { record }) => total + record.tax_amount, 0);
  must(
    credited < (amount ?? 0) ? found <= tax : found === tax,
    "28",
    `${id} has the tax ${tax}, and ${found} is credited`,
  );
}
