// The balances shown with an account. Transactions supply them, see steps.ts.
import type { Reader } from "@/db/client";
import { step } from "@/server/kit/step";

/** Minor units of one currency. */
export interface AccountBalance {
  currency: string;
  /** May be spent: the posted balance, less reserves. Below zero if a dispute takes back what was spent. */
  available: number;
  /** Processing payments and open card authorizations. Never part of available. */
  pending: number;
  /** Reserves for pending refunds and open disputes: the sum of the two below. */
  held: number;
  held_for_refunds: number;
  held_for_disputes: number;
}

/**
 * The balances of these accounts in their organizations' current mode, by currency in alphabetical order. Every given
 * account has an entry.
 */
type AccountBalances = (q: Reader, accountIds: readonly string[]) => Promise<Map<string, AccountBalance[]>>;

export const accountBalances = step<AccountBalances>("account balances");
