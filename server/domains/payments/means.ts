// How money of a payment request moved, as the customer's pages and mails say it.
import * as z from "zod";
import { offlineMethods, type PaymentMethod } from "@/db/schema/values";

export const means = z.strictObject({
  /** Whether it was paid out of the customer's credit, or refunded into it. */
  is_credit: z.boolean(),
  card: z.strictObject({ brand: z.string().nullable(), last4: z.string() }).nullable(),
  /** How money arrived outside the pay page, if that was recorded. */
  offline: z.enum(offlineMethods).nullable(),
});

export type Means = z.output<typeof means>;

/** How the money of a transaction moved. */
export function meansOf(row: { paymentMethod: PaymentMethod | null; usesCredit: boolean }): Means {
  const { type, brand = null, last4 = null } = row.paymentMethod ?? {};
  return {
    is_credit: row.usesCredit,
    card: last4 === null ? null : { brand, last4 },
    offline: offlineMethods.find((method) => method === type) ?? null,
  };
}
