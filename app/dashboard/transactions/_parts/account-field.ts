// The filter by account: a choice by name where the reader can see all names, else an id.
import type { FilterField, FilterOption } from "@/app/_ui/filter-field";
import { limits } from "@/server/kit/limits";

interface Labels {
  account: string;
  accountId: string;
}

/** No field if there is nothing to choose. `accounts` is null if there are too many to choose from. */
export function accountFields({ account, accountId }: Labels, accounts: readonly FilterOption[] | null): FilterField[] {
  if (accounts === null) return [{ name: "account_id", label: accountId, kind: "text", maxLength: limits.id }];
  return accounts.length > 1 ? [{ name: "account_id", label: account, kind: "select", options: accounts }] : [];
}
