// Presents accounts on the wire.
import type { ReadContext, WriteContext } from "@/server/kit/context";
import { iso, isoOrNull } from "@/server/process/clock";
import { type AccountBalance, accountBalances } from "./balances";
import { invoicePreferencesOf } from "./rules";
import type { Account } from "./schema";
import type { AccountRow } from "./store";

type Context = Pick<ReadContext | WriteContext, "db" | "runtime">;

/** The account with its current balances. */
export async function presentAccount(ctx: Context, row: AccountRow): Promise<Account> {
  const balances = await accountBalances()(ctx.db, [row.id]);
  return record(ctx, row, balances.get(row.id) ?? []);
}

/** A page of accounts, whose balances are read together. */
export async function presentAccounts(ctx: Context, rows: AccountRow[]): Promise<Account[]> {
  const balances = await accountBalances()(
    ctx.db,
    rows.map((row) => row.id),
  );
  return rows.map((row) => record(ctx, row, balances.get(row.id) ?? []));
}

function record({ runtime }: Context, row: AccountRow, balances: AccountBalance[]): Account {
  const { branding } = row.preferences;
  const logoUrl = branding.logo_url && runtime.env.appUrl + branding.logo_url;
  return {
    account_id: row.id,
    organization_id: row.organizationId,
    account_type: row.accountType,
    account_name: row.name,
    email: row.email,
    preferences: {
      ...row.preferences,
      branding: { ...branding, logo_url: logoUrl },
      invoice: invoicePreferencesOf(row),
    },
    status: row.status,
    owner_user_id: row.ownerUserId,
    balances: [...balances],
    metadata: row.metadata,
    created_at: iso(row.createdAt),
    updated_at: iso(row.updatedAt),
    closed_at: isoOrNull(row.closedAt),
  };
}
