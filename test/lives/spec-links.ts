// The rules of reusable links a second time, for tests.
import type { PaymentRow } from "@/server/domains/payments/store";
import type { TransactionRow } from "@/server/domains/transactions/present";

/** A use of a link, with its payments. */
interface Use {
  row: PaymentRow;
  payments: readonly TransactionRow[];
  /** The internet connection from which it was begun; undefined if nobody knows. */
  connection?: string | undefined;
}

export interface Link {
  terms: Pick<
    PaymentRow,
    "usageLimit" | "canceledAt" | "expiresAt" | "pausedAt" | "amount" | "lineItems" | "customAmount"
  >;
  uses: readonly Use[];
}

const isPaid = ({ payments }: Pick<Use, "payments">) => payments.some((one) => one.amountCaptured > 0);

/** So many cards that were declined or never confirmed slow strangers down in lives. */
export const declinesBeforeBrake = 3;

/** Whether so many cards were declined or never confirmed on the link, at any time, that strangers may have to wait. */
export const maySlow = (link: Link): boolean =>
  link.uses.flatMap(({ payments }) => payments).filter(({ status }) => status === "failed").length >=
  declinesBeforeBrake;

/** A place is held as long as money may still come, and never given back once some has. */
export function placeOf(payments: readonly TransactionRow[]): "held" | "taken" | null {
  if (isPaid({ payments })) return "taken";
  const isOpen = ({ status }: TransactionRow) => ["processing", "requires_action", "authorized"].includes(status);
  return payments.some(isOpen) ? "held" : null;
}

const total = (link: Link, pick: (one: TransactionRow) => number): number =>
  link.uses.flatMap(({ payments }) => payments).reduce((sum, one) => sum + pick(one), 0);

/** What the row of the link keeps about its uses. */
export const countsOf = (link: Link) => ({
  usesCount: link.uses.filter(isPaid).length,
  usesReserved: link.uses.filter(({ payments }) => placeOf(payments) === "held").length,
  amountPaid: total(link, (one) => one.amountCaptured),
  amountRefunded: total(link, (one) => one.amountRefunded),
});

/** Whether no place is left for anybody who has none. */
export function isFull(link: Link): boolean {
  const { usesCount, usesReserved } = countsOf(link);
  return link.terms.usageLimit !== null && usesCount + usesReserved >= link.terms.usageLimit;
}

export function statusOf(link: Link, at: number): "canceled" | "paid" | "expired" | "pending" {
  const { usageLimit, canceledAt, expiresAt } = link.terms;
  if (canceledAt !== null) return "canceled";
  if (usageLimit !== null && link.uses.filter(isPaid).length >= usageLimit) return "paid";
  return expiresAt !== null && at >= expiresAt ? "expired" : "pending";
}

/** Whether somebody may begin a use. */
export const mayUse = (link: Link, at: number): boolean =>
  statusOf(link, at) === "pending" && link.terms.pausedAt === null && !isFull(link);

/** Whether the link may end at `until` instead. */
export function mayExtend(link: Link, at: number, until: number): boolean {
  const { expiresAt } = link.terms;
  const isOpen = ["pending", "expired"].includes(statusOf(link, at));
  return isOpen && expiresAt !== null && until > expiresAt && until > at && until <= at + 366 * 86_400_000;
}

const isUnconfirmed = ({ status }: TransactionRow) => status === "processing" || status === "requires_action";

/** The uses that hold a place and may still charge a card. */
export const usesInDoubt = (link: Link): Use[] =>
  link.uses.filter(({ payments }) => placeOf(payments) === "held" && payments.some(isUnconfirmed));

/** Who wants to pay: by an address, from an internet connection. */
interface Payer {
  /** Null once it is erased. */
  email: string | null;
  connection: string;
}

/** How many places of a limited link one connection may hold without having paid: few, and never all of them. */
export const mostHeld = (usageLimit: number): number =>
  Math.max(Math.min(2, usageLimit - 1), Math.floor(usageLimit / 10));

/** How long nobody knows about a charge whether its provider has got it. */
const startMs = 10_000;

/**
 * How many places the connection holds without having paid. Each authorization with a card of its own is another
 * payer's.
 */
function heldBy(link: Link, connection: string, at: number): number {
  const byCard = new Map<string, Set<string>>();
  for (const use of link.uses) {
    if (use.connection !== connection || placeOf(use.payments) !== "held") continue;
    for (const { status, paymentMethod, createdAt } of use.payments) {
      const isAnswered = status === "requires_action" || status === "authorized";
      if (!isAnswered && (status !== "processing" || createdAt > at - startMs)) continue;
      const key = JSON.stringify([status, paymentMethod]);
      byCard.set(key, (byCard.get(key) ?? new Set()).add(use.row.id));
    }
  }
  const counted = [...byCard].filter(([key, { size }]) => size > 1 || !key.startsWith('["authorized"'));
  return counted.reduce((sum, [, { size }]) => sum + size, 0);
}

/**
 * Whether the payer must not begin a payment: another one with the same address from the same connection may still
 * charge, or the connection holds all places of a limited link that it may hold.
 */
export function isHeldBack(link: Link, { email, connection }: Payer, at: number): boolean {
  const { usageLimit } = link.terms;
  const isTheirs = (use: Use) =>
    use.connection === connection && use.row.customer?.email?.toLowerCase() === email?.toLowerCase();
  if (email !== null && usesInDoubt(link).some(isTheirs)) return true;
  return usageLimit !== null && heldBy(link, connection, at) >= mostHeld(usageLimit);
}

/** What a payer chooses, by the index of the line, and as an amount of his or her own; null for what is no number. */
export interface Chosen {
  quantities: readonly { line: number; quantity: number | null }[];
  amount: number | null;
}

/** What a use costs with this choice, in minor units, whatever the bounds; null if something is no number. */
export function sumOf({ terms: { amount, customAmount, lineItems } }: Pick<Link, "terms">, chosen: Chosen) {
  if (customAmount !== null) return chosen.amount;
  if (lineItems.length === 0) return amount;
  let sum = 0;
  for (const [line, { quantity, unit_amount, adjustable_quantity: range }] of lineItems.entries()) {
    const given = chosen.quantities.find((one) => one.line === line);
    const count = range && given ? given.quantity : quantity;
    if (count === null) return null;
    sum += count * unit_amount;
  }
  return sum;
}

/** The same; null if it cannot be chosen. */
export function priceOf(link: Pick<Link, "terms">, chosen: Chosen): number | null {
  const { customAmount, lineItems } = link.terms;
  const isWithin = (value: number | null, range: { minimum: number; maximum: number }) =>
    value !== null && value >= range.minimum && value <= range.maximum;
  const isOffered = customAmount
    ? isWithin(chosen.amount, customAmount)
    : chosen.quantities.every(({ line, quantity }) => {
        const range = lineItems[line]?.adjustable_quantity;
        return !range || isWithin(quantity, range);
      });
  return isOffered ? sumOf(link, chosen) : null;
}

/** How many payers there are beyond the limit. */
export const excessOf = (link: Link): number =>
  link.terms.usageLimit === null ? 0 : Math.max(0, countsOf(link).usesCount - link.terms.usageLimit);
