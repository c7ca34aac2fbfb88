// The accounts that a reader of transactions can choose from.
import { cache } from "react";
import { accountsFor } from "@/app/_trpc/accounts";
import { api } from "@/app/_trpc/server";
import { currentUser } from "@/app/_trpc/session";
import type { FilterOption } from "@/app/_ui/filter-field";
import { limits } from "@/server/kit/limits";

const fallbackCurrency = "EUR";

/** All accounts of the organization for an admin, their own for a member; at most one page of them. */
export const visibleAccounts = cache(async () => {
  const user = await currentUser();
  const page = await accountsFor(user, { limit: limits.page.max });
  const own = page.data.find(({ account_id }) => account_id === user?.account_id) ?? page.data[0];
  return {
    accounts: page.data,
    isComplete: !page.has_more,
    own,
    /** The currency of typed amounts until the reader chooses another. */
    currency: own?.preferences.default_currency ?? user?.organization.default_currency ?? fallbackCurrency,
  };
});

/** The accounts as the options of a filter; null if there are too many to choose from. */
export async function accountOptions(): Promise<FilterOption[] | null> {
  const { accounts, isComplete } = await visibleAccounts();
  return isComplete ? accounts.map(({ account_id: value, account_name: label }) => ({ value, label })) : null;
}

/** The names of the accounts of transfers among these transactions, by id. */
export const transferNames = (rows: readonly { account_id: string; destination_account_id: string | null }[]) =>
  accountNames(
    rows.flatMap((row) => (row.destination_account_id === null ? [] : [row.account_id, row.destination_account_id])),
  );

/** The names of these accounts, by id; those that the reader may not see have none. */
export async function accountNames(ids: Iterable<string | null>): Promise<Readonly<Record<string, string>>> {
  const account_ids = [...new Set([...ids].filter((id) => id !== null))].slice(0, limits.selection);
  if (account_ids.length === 0) return {};
  const { data } = await (await api()).accounts.names({ account_ids });
  return Object.fromEntries(data.map(({ account_id, account_name }) => [account_id, account_name]));
}
