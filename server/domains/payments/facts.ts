// Loads the facts that decide what may happen to a payment request.
import type { Reader } from "@/db/client";
import type { PaymentFacts } from "./derive";
import { attemptsOf, type PaymentRow } from "./store";

type FactColumns = Pick<PaymentRow, "id" | "amount" | "draft" | "canceledAt" | "failedAt" | "expiresAt">;

/** The facts that decide what may happen to the payment request: see rules.ts. A writer locks the row first. */
export async function factsOf(q: Reader, row: FactColumns): Promise<PaymentFacts> {
  const { amount, draft, canceledAt, failedAt, expiresAt } = row;
  return { amount, draft, canceledAt, failedAt, expiresAt, attempts: await attemptsOf(q, row.id) };
}
