// The accounts that a reader of transactions can choose among.
import { cache } from "react";
import { api, type Outputs } from "@/app/_trpc/server";
import { currentUser } from "@/app/_trpc/session";
import { limits } from "@/server/kit/limits";

export type Account = Outputs["accounts"]["list"]["data"][number];

const fallbackCurrency = "EUR";

/** All accounts of the organization to an admin, a member's own to a member; as many as one page has. */
export const accountsInSight = cache(async () => {
  const [user, caller] = await Promise.all([currentUser(), api()]);
  const asked = { limit: limits.page.max };
  const page = user?.role === "admin" ? await caller.accounts.list(asked) : await caller.accounts.own(asked);
  const own = page.data.find(({ account_id }) => account_id === user?.account_id) ?? page.data[0];
  return {
    accounts: page.data,
    isComplete: !page.has_more,
    own,
    /** In which amounts are typed until another currency is chosen. */
    currency: own?.preferences.default_currency ?? fallbackCurrency,
  };
});

/** What these accounts are called, by id; those out of sight have no name. */
export async function accountNames(ids: Iterable<string | null>): Promise<Readonly<Record<string, string>>> {
  const account_ids = [...new Set([...ids].filter((id) => id !== null))].slice(0, limits.selection);
  if (account_ids.length === 0) return {};
  const { data } = await (await api()).accounts.names({ account_ids });
  return Object.fromEntries(data.map(({ account_id, account_name }) => [account_id, account_name]));
}
