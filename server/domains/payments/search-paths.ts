// Along which indices payment requests are looked for: the paths that together lead to all that a search may find.
import { foldEmail } from "@/server/kit/fields";
import { isId } from "@/server/kit/ids";
import { limits } from "@/server/kit/limits";
import { wordsOf } from "@/server/kit/words";
import type { PaymentStatus } from "./rules";
import type { PaymentFilters } from "./schema";

export interface Search {
  organizationId: string;
  /** Only requests of these accounts; null for all of the organization. */
  accounts: readonly string[] | null;
  filters: PaymentFilters;
  /** Epoch ms: some statuses change with the time alone. */
  now: number;
}

/** What is searched for, taken apart. */
export interface Criteria extends Search {
  /** The searched text, where it is the id of a request or of one of its transactions. */
  id: string | undefined;
  transactionId: string | undefined;
  words: readonly string[];
  emailKey: string | undefined;
}

/** Criteria, and the one index in whose order the candidates are walked. No request is on two paths of a search. */
export interface Path extends Criteria {
  account: string | undefined;
  /** The stored status that is walked. */
  status: PaymentStatus | undefined;
  byReference: boolean;
  byEmail: boolean;
}

/** No path at all: every condition is checked. */
export const withoutIndex = { account: undefined, status: undefined, byReference: false, byEmail: false } as const;

export function criteriaOf(search: Search): Criteria {
  const text = search.filters.q?.trim() ?? "";
  const id = isId("pay", text) ? text : undefined;
  const transactionId = isId("txn", text) ? text : undefined;
  const { customer_email: email } = search.filters;
  return {
    ...search,
    ...{ id, transactionId },
    words: id || transactionId ? [] : wordsOf(text),
    emailKey: email === undefined ? undefined : foldEmail(email),
  };
}

/** The paths of the criteria; `timed` are the stored statuses that the time alone can change. */
export function pathsOf(criteria: Criteria, timed: readonly PaymentStatus[]): Path[] {
  const { accounts, filters, id, transactionId, emailKey } = criteria;
  const path: Path = { ...criteria, ...withoutIndex };
  if (accounts?.length === 0) return [];
  if (id !== undefined || transactionId !== undefined) return [path];
  if (accounts !== null && accounts.length <= limits.look.accounts) {
    // A reference is an account's own: one request of each has it.
    return accounts.map((account) => ({ ...path, account, byReference: filters.reference !== undefined }));
  }
  if (emailKey !== undefined) return [{ ...path, byEmail: true }];
  if (!filters.status) return [path];
  const walked = new Set([...filters.status, ...(filters.status.includes("expired") ? timed : [])]);
  return [...walked].map((status) => ({ ...path, status }));
}

/** Whether a candidate on the path may fail to match, so that finding some may take walking past many. */
export function isFiltered(path: Path, timed: readonly PaymentStatus[]): boolean {
  const { filters, id, transactionId, account, accounts, status, byReference, byEmail, emailKey, words } = path;
  if (id !== undefined || transactionId !== undefined || byReference) return false;
  return (
    (accounts !== null && account === undefined) ||
    (filters.status !== undefined && (status === undefined || timed.includes(status))) ||
    filters.reference !== undefined ||
    (emailKey !== undefined && !byEmail) ||
    words.length > 0 ||
    filters.type !== undefined ||
    filters.currency !== undefined
  );
}
