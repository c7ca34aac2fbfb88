// Presents accounts on the wire.
import type { Reader } from "@/db/client";
import { iso, isoOrNull } from "@/server/process/clock";
import { type AccountBalance, accountBalances } from "./balances";
import type { Account } from "./schema";
import type { AccountRow } from "./store";

/** The account with its current balances. */
export async function presentAccount(q: Reader, row: AccountRow): Promise<Account> {
  const balances = await accountBalances()(q, [row.id]);
  return record(row, balances.get(row.id) ?? []);
}

/** A page of accounts, whose balances are read together. */
export async function presentAccounts(q: Reader, rows: AccountRow[]): Promise<Account[]> {
  const balances = await accountBalances()(
    q,
    rows.map((row) => row.id),
  );
  return rows.map((row) => record(row, balances.get(row.id) ?? []));
}

function record(row: AccountRow, balances: AccountBalance[]): Account {
  return {
    account_id: row.id,
    organization_id: row.organizationId,
    account_type: row.accountType,
    account_name: row.name,
    email: row.email,
    preferences: row.preferences,
    status: row.status,
    owner_user_id: row.ownerUserId,
    balances: balances.map(({ currency, available, pending, held }) => ({ currency, available, pending, held })),
    metadata: row.metadata,
    created_at: iso(row.createdAt),
    updated_at: iso(row.updatedAt),
    closed_at: isoOrNull(row.closedAt),
  };
}
