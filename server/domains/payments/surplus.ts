// How much of a refund counts towards the surplus of its payment request.
import type { Tx } from "@/db/client";
import { amountOverpaid } from "./derive";
import { settledOf } from "./stale";
import { attemptsOf, readPayment } from "./store";
import { surplusRefunding } from "./surplus-store";
import { totalsOf } from "./totals";

/** How many of a refund's `amount` minor units refund surplus. The caller has locked the payment request. */
export async function surplusWithin(tx: Tx, paymentId: string, amount: number): Promise<number> {
  const row = await readPayment(tx, paymentId);
  if (!row || amountOverpaid(row, 0) === 0) return 0;
  const attempts = await attemptsOf(tx, row);
  const derived = { ...row, ...totalsOf({ ...row, attempts }) };
  const { amountOverpaid: surplus } = await settledOf(tx, derived, attempts);
  return Math.max(0, Math.min(amount, surplus - (await surplusRefunding(tx, paymentId))));
}
