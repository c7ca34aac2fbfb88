// Loads the facts that decide what may happen to a payment request.
import type { Reader } from "@/db/client";
import type { PaymentFacts } from "./derive";
import { isReusable, type Usage, usageOf } from "./links/usage";
import { attemptsOf, type PaymentRow } from "./store";

type FactColumns = Pick<
  PaymentRow,
  | "id"
  | "amount"
  | "amountReopened"
  | "amountLost"
  | "draft"
  | "isTrial"
  | "canceledAt"
  | "failedAt"
  | "expiresAt"
  | "extendedAt"
  | "invoiceNumber"
  | keyof Usage
>;

/** The facts that decide what may happen to the payment request: see rules.ts. A writer locks the row first. */
export async function factsOf(q: Reader, row: FactColumns): Promise<PaymentFacts> {
  const { amount, amountReopened, amountLost, isTrial, draft, invoiceNumber } = row;
  const { canceledAt, failedAt, expiresAt, extendedAt } = row;
  const attempts = isReusable(row) ? [] : await attemptsOf(q, row);
  const usage = usageOf(row);
  const times = { canceledAt, failedAt, expiresAt, extendedAt };
  return { amount, amountReopened, amountLost, draft, ...times, invoiceNumber, usage, isTrial, attempts };
}
