// Turns a caller's filters into search criteria, and those into paths, each of which walks along one index.
import { unpaidStatuses } from "@/db/schema/values";
import { foldEmail } from "@/server/kit/fields";
import { isId } from "@/server/kit/ids";
import { limits } from "@/server/kit/limits";
import { type SearchedAmount, searchedAmounts } from "@/server/kit/searched-amount";
import { wordsOf } from "@/server/kit/words";
import type { PaymentFilters } from "./filters";
import type { PaymentStatus } from "./rules";
import { recordableStatuses, refundStatuses, tabs } from "./status-tabs";

export interface Search {
  organizationId: string;
  /** Only payment requests of these accounts; null for the whole organization. */
  accounts: readonly string[] | null;
  filters: PaymentFilters;
  /** Only payment requests with these ids. */
  ids?: readonly string[] | undefined;
  /** Epoch ms: some statuses change with time alone. */
  now: number;
}

/** A search, with its text and e-mail address parsed. */
export interface Criteria extends Search {
  /** The search text, if it is the id of a payment request or of one of its transactions. */
  id: string | undefined;
  transactionId: string | undefined;
  words: readonly string[];
  /** What the text is as an amount: a payment request with one of these matches, whatever its words. */
  amounts: readonly SearchedAmount[];
  emailKey: string | undefined;
}

/** Criteria, and the index whose order the candidates follow. No payment request is on two paths of one search. */
export interface Path extends Criteria {
  account: string | undefined;
  /** The stored status whose index entries the path walks. */
  status: PaymentStatus | undefined;
  byReference: boolean;
  byEmail: boolean;
  /** The type whose entries in the index of due dates the path walks. */
  byDue: DueType | undefined;
  byCustomer: boolean;
  byParent: boolean;
  bySubscription: boolean;
  /** The index of few payment requests that the path walks. */
  byMark: Mark | undefined;
}

/** What only some payment requests are or have, so that an index holds no others: named as the filter that wants it. */
export type Mark =
  | ("reusable" | "over_limit" | "overpaid" | "disputed_lost")
  | ("paid_late" | "link_requested" | "reminder_waiting");

/** No index: every condition is checked on each row. */
export const withoutIndex = {
  account: undefined,
  status: undefined,
  byReference: false,
  byEmail: false,
  byDue: undefined,
  byCustomer: false,
  byParent: false,
  bySubscription: false,
  byMark: undefined,
} as const;

/** The search with its text and e-mail address parsed. */
export function criteriaOf(search: Search): Criteria {
  const text = search.filters.q?.trim() ?? "";
  const id = isId("pay", text) ? text : undefined;
  const transactionId = isId("txn", text) ? text : undefined;
  const { customer_email: email } = search.filters;
  return {
    ...search,
    id,
    transactionId,
    words: id || transactionId ? [] : wordsOf(text),
    // No payment request asks for a negative amount.
    amounts: searchedAmounts(text).filter(({ isNegative }) => !isNegative),
    emailKey: email === undefined ? undefined : foldEmail(email),
  };
}

/** The paths that together contain every match. `timed` are the stored statuses that time alone can change. */
export function pathsOf(criteria: Criteria, timed: readonly PaymentStatus[]): Path[] {
  const { accounts, filters, id, transactionId, emailKey } = criteria;
  const path: Path = { ...criteria, ...withoutIndex };
  if (accounts?.length === 0) return [];
  if (id !== undefined || transactionId !== undefined) return [path];
  // A customer belongs to one account.
  if (filters.customer_id !== undefined) return [{ ...path, byCustomer: true }];
  // Uses belong to the account of their link.
  if (filters.parent_payment_id !== undefined) return [{ ...path, byParent: true }];
  // Payment requests of a subscription belong to its account.
  if (filters.subscription_id !== undefined) return [{ ...path, bySubscription: true }];
  // So few in an organization that those of its accounts need no index.
  if (filters.over_limit) return [{ ...path, byMark: "over_limit" }];
  if (filters.overpaid) return [{ ...path, byMark: "overpaid" }];
  if (filters.disputed_lost) return [{ ...path, byMark: "disputed_lost" }];
  if (filters.paid_late) return [{ ...path, byMark: "paid_late" }];
  if (filters.link_requested) return [{ ...path, byMark: "link_requested" }];
  if (filters.reminder_waiting) return [{ ...path, byMark: "reminder_waiting" }];
  const byMark = filters.reusable || filters.paused || filters.many_declines ? ("reusable" as const) : undefined;
  if (accounts !== null && accounts.length <= limits.look.accounts) {
    // A reference is unique within its account.
    const byReference = filters.reference !== undefined;
    return accounts.map((account) => ({ ...path, account, ...(byReference ? { byReference } : { byMark }) }));
  }
  if (emailKey !== undefined) return [{ ...path, byEmail: true }];
  if (byMark) return [{ ...path, byMark }];
  if (filters.overdue) return overduePaths(path);
  const statuses = filters.status ?? statusesFor(filters);
  if (!statuses) return [path];
  const walked = new Set([...statuses, ...(statuses.includes("expired") ? timed : [])]);
  return [...walked].map((status) => ({ ...path, status }));
}

/** The only stored statuses in which payment requests match the filters; undefined if all may. */
function statusesFor({ open, recordable }: PaymentFilters): readonly PaymentStatus[] | undefined {
  if (open) return [...tabs.open, ...refundStatuses];
  return recordable ? recordableStatuses : undefined;
}

/** What falls due: invoices, and products that are paid by installments. */
const dueTypes = ["invoice", "product"] as const;

type DueType = (typeof dueTypes)[number];

/** The index of due dates has only unpaid statuses, so those after a refund are walked by their status. */
function overduePaths(path: Path): Path[] {
  const wanted = (status: PaymentStatus) => path.filters.status?.includes(status) ?? true;
  const types = unpaidStatuses.some(wanted) ? dueTypes : [];
  return [
    ...types.filter((type) => path.filters.type?.includes(type) ?? true).map((byDue) => ({ ...path, byDue })),
    ...refundStatuses.filter(wanted).map((status) => ({ ...path, status })),
  ];
}

/** Whether all payment requests that are stored with this status are open, or none is, as wanted. */
const decides = (status: PaymentStatus | undefined, isOpen: boolean, timed: readonly PaymentStatus[]): boolean =>
  status !== undefined && !timed.includes(status) && (tabs.open as readonly string[]).includes(status) === isOpen;

/** Whether candidates on the path may fail to match, so that a page may have to skip many. */
export function isFiltered(path: Path, timed: readonly PaymentStatus[]): boolean {
  const { filters, id, transactionId, account, accounts, status, byReference, byEmail, emailKey, words } = path;
  if (id !== undefined || transactionId !== undefined || byReference) return false;
  return (
    (accounts !== null && account === undefined) ||
    (filters.status !== undefined && (status === undefined || timed.includes(status))) ||
    (filters.open !== undefined && !decides(status, filters.open, timed)) ||
    filters.reference !== undefined ||
    (emailKey !== undefined && !byEmail) ||
    words.length > 0 ||
    filters.recordable !== undefined ||
    filters.overdue !== undefined ||
    (filters.reusable !== undefined && path.byMark !== "reusable") ||
    filters.paused !== undefined ||
    filters.many_declines !== undefined ||
    filters.over_limit !== undefined ||
    filters.requested !== undefined ||
    (filters.overpaid !== undefined && path.byMark !== "overpaid") ||
    (filters.disputed_lost !== undefined && path.byMark !== "disputed_lost") ||
    (filters.paid_late !== undefined && path.byMark !== "paid_late") ||
    filters.link_requested !== undefined ||
    filters.reminder_waiting !== undefined ||
    filters.credited !== undefined ||
    (filters.parent_payment_id !== undefined && !path.byParent) ||
    (filters.subscription_id !== undefined && !path.bySubscription) ||
    filters.ends_before !== undefined ||
    filters.type !== undefined ||
    filters.metadata !== undefined ||
    filters.currency !== undefined
  );
}
