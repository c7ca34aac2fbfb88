// Which erasure that has not ended will reach a payment request that names no customer.
import type { Reader } from "@/db/client";
import { emailKeyOf } from "@/server/domains/customers/rules";
import type { PaymentRow } from "@/server/domains/payments/store";
import { erasing } from "./erased";
import { erasuresSince } from "./erased-store";

/** The customer whose erasure will reach the payment request by its e-mail address; null without one. */
export async function erasingPayerOf(
  q: Reader,
  { accountId, createdAt, customer }: Pick<PaymentRow, "accountId" | "createdAt" | "customer">,
): Promise<string | null> {
  const emailKey = emailKeyOf(customer?.email ?? null);
  if (emailKey === null) return null;
  for (const progress of await erasuresSince(q, accountId, createdAt)) {
    const { emailKeys, customerIds } = erasing.parse(progress);
    if (emailKeys.includes(emailKey)) return customerIds[0] ?? null;
  }
  return null;
}
