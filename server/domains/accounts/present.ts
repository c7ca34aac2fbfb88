// Presents accounts on the wire.
import type { ReadContext, WriteContext } from "@/server/kit/context";
import { iso, isoOrNull } from "@/server/process/clock";
import { type AccountBalance, accountBalances } from "./balances";
import { findConflicts } from "./numbering-store";
import { invoicePreferencesOf, proposedPrefix } from "./rules";
import type { Account } from "./schema";
import { type AccountRow, findAccount } from "./store";

type Context = Pick<ReadContext | WriteContext, "db" | "runtime" | "scope">;
type Conflict = NonNullable<Account["preferences"]["invoice"]["prefix_conflict"]>;

/** The account with its current balances. */
export async function presentAccount(ctx: Context, row: AccountRow): Promise<Account> {
  const [account] = await presentAccounts(ctx, [row]);
  if (!account) throw new Error(`The account ${row.id} was not presented.`);
  return account;
}

/** A page of accounts of one organization, whose balances are read together. */
export async function presentAccounts(ctx: Context, rows: AccountRow[]): Promise<Account[]> {
  const balances = await accountBalances()(
    ctx.db,
    rows.map((row) => row.id),
  );
  const conflicts = await findConflicts(ctx.db, rows);
  const presented: Account[] = [];
  for (const row of rows) {
    const other = conflicts.get(row.id);
    const conflict = other === undefined ? null : await conflictWith(ctx, row, other);
    presented.push(record(ctx, row, balances.get(row.id) ?? [], conflict));
  }
  return presented;
}

async function conflictWith({ db, scope }: Context, row: AccountRow, otherId: string): Promise<Conflict> {
  const other = await findAccount(db, scope, otherId);
  return {
    account_id: other?.id ?? null,
    account_name: other?.name ?? null,
    proposed_prefix: proposedPrefix(row.id, invoicePreferencesOf(row).number_prefix),
  };
}

function record({ runtime }: Context, row: AccountRow, balances: AccountBalance[], conflict: Conflict | null): Account {
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
      invoice: { ...invoicePreferencesOf(row), prefix_conflict: conflict },
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
