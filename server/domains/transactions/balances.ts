// The balances of an account: available, pending and reserved; and whether there is room for more.
import type { Reader } from "@/db/client";
import type { AccountBalance } from "@/server/domains/accounts/balances";
import { type Book, type LedgerAccountName, ledgerAccountId, moneyWith } from "@/server/domains/ledger/rules";
import { balancesById } from "@/server/domains/ledger/store";
import { limits } from "@/server/kit/limits";
import { amountUnderWay, type BalancePart, balanceParts } from "./balance-store";

/** Which balances each part of an account's money counts towards. */
const partsOf: Readonly<Record<string, readonly Exclude<keyof AccountBalance, "currency">[]>> = {
  available: ["available"],
  held: ["held", "held_for_disputes"],
  refund_pending: ["held", "held_for_refunds"],
  "memo:auth_open": ["pending"],
  processing: ["pending"],
};

const nothing = { available: 0, pending: 0, held: 0, held_for_refunds: 0, held_for_disputes: 0 };

/**
 * The balances of these accounts in their organizations' current mode, by currency in alphabetical order. Every given
 * account has an entry.
 */
export async function balancesOf(q: Reader, accountIds: readonly string[]): Promise<Map<string, AccountBalance[]>> {
  const parts = await balanceParts(q, accountIds);
  return new Map(accountIds.map((id) => [id, gather(parts.filter((part) => part.accountId === id))]));
}

function gather(parts: readonly BalancePart[]): AccountBalance[] {
  const byCurrency = new Map<string, AccountBalance>();
  for (const { currency, name, amount } of parts) {
    const counted = partsOf[name];
    if (!counted) continue;
    const balance = byCurrency.get(currency) ?? { currency, ...nothing };
    for (const part of counted) balance[part] += amount;
    byCurrency.set(currency, balance);
  }
  return [...byCurrency.values()].sort((a, b) => (a.currency < b.currency ? -1 : 1));
}

/** A payment about to be requested from a provider. */
interface RequestedPayment extends Book {
  accountId: string;
  provider: string;
  amount: number;
  currency: string;
}

/**
 * Whether the account's balances have room for a payment in addition to everything in progress. Checked before the
 * provider is called, so that whatever it takes can be posted.
 */
export async function hasRoomFor(q: Reader, requested: RequestedPayment): Promise<boolean> {
  const { accountId, provider, amount, currency } = requested;
  const id = (account: LedgerAccountName) => ledgerAccountId(requested, account, currency);
  const authorized = id({ accountId, name: "memo:auth_open" });
  const ids = [id({ accountId, name: "available" }), id(moneyWith(provider, accountId)), authorized];
  const found = new Map((await balancesById(q, ids)).map((row) => [row.id, row.balance]));
  const open = (found.get(authorized) ?? 0) + (await amountUnderWay(q, accountId, currency));
  const largest = Math.max(...ids.map((one) => (one === authorized ? 0 : (found.get(one) ?? 0))));
  return largest + open + amount <= limits.balance.byRequest;
}
