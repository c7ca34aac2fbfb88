// What an account has: spendable, on its way, set aside; now and at any past instant.
import type { Reader } from "@/db/client";
import { type OwnBalance, ownBalances, ownBalancesAt, processingAmounts } from "@/server/ledger/store";

/** Minor units of one currency. */
export interface AccountBalance {
  currency: string;
  /** What may be spent: posted, less reserves. */
  available: number;
  /** Payments in processing and open card authorizations; never part of available. */
  pending: number;
  /** Reserves, and refunds under way. */
  held: number;
}

/** Which part of a balance each ledger account of an account counts towards. */
const partOf: Readonly<Record<string, Exclude<keyof AccountBalance, "currency">>> = {
  available: "available",
  held: "held",
  refund_pending: "held",
  "memo:auth_open": "pending",
};

/** The balances of these accounts, by currency in alphabetic order; every given account has an entry. */
export async function accountBalances(
  q: Reader,
  accountIds: readonly string[],
): Promise<Map<string, AccountBalance[]>> {
  const posted = await ownBalances(q, accountIds);
  const processing = await processingAmounts(q, accountIds);
  const lines = processing.map(({ accountId, currency, amount }) => ({
    accountId,
    currency,
    part: "pending" as const,
    amount,
  }));
  return new Map(
    accountIds.map((id) => [
      id,
      gather([
        ...partsOf(posted.filter((row) => row.accountId === id)),
        ...lines.filter((line) => line.accountId === id),
      ]),
    ]),
  );
}

/** The same for one account as it was posted at an instant (epoch ms, inclusive); without payments in processing. */
export async function accountBalancesAt(q: Reader, accountId: string, at: number): Promise<AccountBalance[]> {
  return gather(partsOf(await ownBalancesAt(q, accountId, at)));
}

interface Part {
  currency: string;
  part: Exclude<keyof AccountBalance, "currency">;
  amount: number;
}

function partsOf(rows: readonly OwnBalance[]): Part[] {
  return rows.flatMap(({ name, currency, balance }) => {
    const part = partOf[name];
    return part ? [{ currency, part, amount: balance }] : [];
  });
}

function gather(parts: readonly Part[]): AccountBalance[] {
  const byCurrency = new Map<string, AccountBalance>();
  for (const { currency, part, amount } of parts) {
    const balance = byCurrency.get(currency) ?? { currency, available: 0, pending: 0, held: 0 };
    balance[part] += amount;
    byCurrency.set(currency, balance);
  }
  return [...byCurrency.values()].sort((a, b) => (a.currency < b.currency ? -1 : 1));
}
