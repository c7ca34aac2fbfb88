// Erases what saved views say about a customer.
import type { Tx } from "@/db/client";
import { type FilteredList, type UserRole, userRoles } from "@/db/schema/values";
import { roleMay } from "@/server/access/may";
import { readAccount } from "@/server/domains/accounts/store";
import { foldEmail } from "@/server/kit/fields";
import { wordsOf } from "@/server/kit/words";
import { deleteViews, type ViewRow, viewsAfter } from "./store";

/** By list, the filters that find a customer, or records of one, by e-mail address or reference. */
const typed: Partial<Record<FilteredList, readonly string[]>> = {
  payment_requests: ["q", "customer_email"],
  invoices: ["q", "customer_email"],
  subscriptions: ["q"],
  transactions: ["q", "customer_email", "customer_reference"],
  customers: ["q", "email", "reference"],
  mails: ["q"],
};

/** The roles that see every account of the organization. */
const rolesWithAll: readonly UserRole[] = userRoles.filter((role) => roleMay("accounts.list", role));

interface About {
  organizationId: string;
  /** The customer's account. */
  accountId: string;
  values: readonly string[];
}

/**
 * Removes those of up to `limit` views, after an id, that search for one of the values, which are e-mail addresses and
 * references of a customer, or whose name has one of the addresses. Only views of users who see the account: others
 * cannot have searched for the customer. Resolves to the ids of all that were looked at.
 */
export async function eraseViews(
  tx: Tx,
  { organizationId, accountId, values }: About,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const { ownerUserId } = await readAccount(tx, organizationId, accountId);
  const erased = values.map((value) => wordsOf(value)).filter((words) => words.length > 0);
  const rows = await viewsAfter(tx, { organizationId, roles: rolesWithAll, ownerUserId }, { after, limit });
  await deleteViews(
    tx,
    rows.filter((row) => doesSearch(row, erased) || hasAddress(row, values)).map(({ id }) => id),
  );
  return rows.map(({ id }) => id);
}

/** Whether a filter of the view has all words of one of the values, however they are spelled. */
function doesSearch({ list, filters }: Pick<ViewRow, "list" | "filters">, values: readonly string[][]): boolean {
  const searched = (typed[list] ?? []).map((name) => wordsOf(filters[name]));
  return searched.some((words) => values.some((value) => value.every((word) => words.includes(word))));
}

/** Whether the name of the view has one of the e-mail addresses. References do not count: one may be an everyday word. */
const hasAddress = ({ name }: Pick<ViewRow, "name">, values: readonly string[]): boolean =>
  values.some((value) => value.includes("@") && contains(foldEmail(name), value));

/** Whether the text contains the address, other than as a part of a longer address. */
function contains(text: string, address: string): boolean {
  for (let at = text.indexOf(address); at >= 0; at = text.indexOf(address, at + 1)) {
    const isLonger = /[\p{L}\p{N}._%+-]$/u.test(text.slice(0, at));
    if (!isLonger && !/^([\p{L}\p{N}_-]|\.[\p{L}\p{N}])/u.test(text.slice(at + address.length))) return true;
  }
  return false;
}
