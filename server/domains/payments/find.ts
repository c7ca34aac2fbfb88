// Whether a caller sees a payment request, and the facts that decide what may happen to one.
import type { Reader } from "@/db/client";
import type { ReadContext } from "@/server/kit/context";
import type { PaymentFacts } from "./derive";
import { findPayment, type PaymentRow, partsOf, transactionIdsOfOne } from "./store";

/** The ids of the payment request and its transactions; null if the caller does not see it. */
export async function idsOfVisiblePayment(ctx: ReadContext, id: string): Promise<string[] | null> {
  const row = await findPayment(ctx.db, ctx.scope, id);
  return row ? [row.id, ...(await transactionIdsOfOne(ctx.db, row.id))] : null;
}

type Request = Pick<PaymentRow, "id" | "amount" | "canceledAt" | "failedAt" | "expiresAt">;

/** The facts that decide what may happen to the payment request: see rules.ts. A writer locks the row first. */
export async function factsOf(q: Reader, row: Request): Promise<PaymentFacts> {
  const { amount, canceledAt, failedAt, expiresAt } = row;
  return { amount, canceledAt, failedAt, expiresAt, parts: await partsOf(q, row.id) };
}
