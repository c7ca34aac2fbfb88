// What must be posted for a transaction.
import type { TransactionRow } from "@/server/domains/transactions/present";
import { creditMadeOf, type MoneyFacts, takenBackBy } from "./facts";
import * as spec from "./spec";

/** What a transaction's row implies for each ledger account. */
export function expectedPostings(row: TransactionRow, facts: MoneyFacts): Map<string, number> {
  const { type, status, accountId, amount, amountCaptured, provider, direction } = row;
  const place = provider === null ? "bank" : `provider:${provider}:clearing`;
  const sums = new Map<string, number>();
  const add = (name: string, change: number, account = accountId) => sums.set(`${account} ${name}`, change);
  const signed = direction === "in" ? amount : -amount;
  if (row.usesCredit) {
    add("available", signed);
    add("credit", -signed);
    return sums;
  }
  switch (type) {
    case "payment": {
      const held = status === "authorized" ? spec.holdOf(row) : 0;
      for (const name of ["memo:auth_open", "memo:auth_contra"]) add(name, held);
      const credited = creditMadeOf(facts, row.id)?.amount ?? 0;
      const { amountDisputed, disputeStatus } = row;
      const inDispute = disputeStatus === "open" ? amountDisputed : 0;
      add("available", amountCaptured - credited - amountDisputed);
      add("credit", credited);
      for (const name of ["held", "dispute:in_flight"]) add(name, inDispute);
      add(place, amountCaptured - amountDisputed);
      return sums;
    }
    case "refund": {
      const taken = takenBackBy(facts, row.id);
      if (status !== "failed") add("available", taken - amount);
      add("credit", -taken);
      if (status === "pending") add("refund_pending", amount);
      if (status === "succeeded") add(place, -amount);
      return sums;
    }
    case "credit":
      for (const name of ["available", "expense:goodwill"]) add(name, amount);
      return sums;
    case "adjustment":
      add("available", signed);
      add("suspense:adjust", -signed);
      return sums;
    case "transfer":
      add("available", -amount);
      add("available", amount, row.destinationAccountId ?? "");
      return sums;
  }
}
