// The amount of a payment request that has one: of every one but a reusable link whose payers choose it.

/** Minor units. Throws for a reusable link whose payers choose the amount: nobody pays or is invoiced for that itself. */
export function fixedAmount({ amount }: { amount: number | null }): number {
  if (amount === null) throw new Error("The payers of the reusable link choose its amount.");
  return amount;
}
