// What lists of accounts need to know of transactions: see accounts/debts.ts.
import type { mayBeInDebt } from "@/server/domains/accounts/debts";
import { isDisputedAccount } from "./disputed-store";

/** The condition that an account may be in debt: only one with a dispute that is open, or was lost. */
export const mayOwe: ReturnType<typeof mayBeInDebt> = isDisputedAccount;
