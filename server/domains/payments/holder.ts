// The customer of a payment request as the holder of credit: an overpaid amount may become its credit, which pays others.
import type { Tx } from "@/db/client";
import { LostRace } from "@/db/errors";
import type { CreditHolder } from "@/server/domains/customers/credit-store";
import { survivorOf } from "@/server/domains/customers/make";
import { keepCustomers, readCustomer } from "@/server/domains/customers/store";
import { lockPayment, type PaymentRow } from "./store";

/**
 * Locks a payment request, and keeps its customer, or the one that it was merged into, from being merged or erased. The
 * holder is null if the payment request names no customer, or one that was erased.
 */
export async function lockWithHolder(
  tx: Tx,
  seen: PaymentRow,
): Promise<{ locked: PaymentRow | undefined; holder: CreditHolder | null }> {
  const customerId = await holderOf(tx, seen);
  await keepCustomers(tx, customerId === null ? [] : [customerId]);
  const locked = await lockPayment(tx, seen.id);
  if (locked && locked.customerId !== seen.customerId) throw new LostRace(new Error("The customer changed meanwhile."));
  const { currency, livemode } = seen;
  return { locked, holder: customerId === null ? null : { customerId, currency, livemode } };
}

/** The customer whose credit the payment request can use or make, if there is one. */
export async function holderOf(
  q: Parameters<typeof readCustomer>[0],
  { customerId, parentPaymentId }: Pick<PaymentRow, "customerId" | "parentPaymentId">,
): Promise<string | null> {
  // The payer of a reusable link may have typed the address of somebody else.
  if (customerId === null || parentPaymentId !== null) return null;
  const named = await readCustomer(q, customerId);
  const survivor = named && named.mergedInto !== null ? await readCustomer(q, survivorOf(named)) : named;
  return survivor && survivor.erasedAt === null ? survivor.id : null;
}
