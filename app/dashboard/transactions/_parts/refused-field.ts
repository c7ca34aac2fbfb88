// Says at which field of a transaction's form a refusal is shown.
"use client";
import { refusalCode } from "@/app/_trpc/refusal";
import type { ErrorCode } from "@/server/kit/errors";

/** Fields by the names that the forms of transactions give them. */
const fields: Partial<Record<ErrorCode, string>> = {
  insufficient_balance: "amount",
  balance_limit_exceeded: "amount",
  amount_too_large: "amount",
  refund_exceeds_captured: "amount",
  currency_mismatch: "currency",
  duplicate_reference: "reference",
  payment_not_found: "request",
  payment_expired: "request",
  payment_already_paid: "request",
  payment_processing: "request",
  payment_not_payable: "request",
  same_account_transfer: "destination",
};

/** The field that the refusal is about; null if it is about none. The server says of which account it speaks. */
export function refusedField(error: unknown): string | null {
  const code = refusalCode(error);
  if (code === "account_not_found" || code === "account_closed") {
    return error instanceof Error && error.message.startsWith("destination_account_id:") ? "destination" : "account";
  }
  return (code && fields[code]) ?? null;
}
