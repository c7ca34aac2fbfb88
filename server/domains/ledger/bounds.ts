// Which balances a posting may lead to.
import { limits } from "@/server/kit/limits";
import type { JournalEvent } from "./rules";

const withoutDebt = new Set(["available", "held", "refund_pending", "memo:auth_open"]);

/**
 * Whether a journal may not take the ledger account below zero, nor further below it: nobody spends, returns or releases
 * what is not there. A dispute is the exception, because the provider takes the money whether or not it was spent.
 */
export const keepsAboveZero = (name: string, event: JournalEvent): boolean =>
  (withoutDebt.has(name) || name.startsWith("cust:")) && !(name === "available" && event === "dispute_opened");

/**
 * The largest absolute balance that a posting may lead to, in minor units. Facts from a provider (`isFact`) may reach
 * the largest exact number. Callers' requests stop just under half of it, and transfers from other accounts well before
 * that, so that nobody can use up the room that an account needs for its own payments.
 */
export function balanceLimit(event: JournalEvent, isFact: boolean): number {
  if (isFact) return Number.MAX_SAFE_INTEGER;
  return event === "transfer_posted" ? limits.balance.byTransfer : limits.balance.byRequest;
}
