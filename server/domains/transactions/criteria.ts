// Turns a caller's filters into search criteria, and those into paths, each of which walks along one index.

import type { Beginning } from "@/db/prefix";
import type { transactionTypes } from "@/db/schema/values";
import { foldEmail } from "@/server/kit/fields";
import { limits } from "@/server/kit/limits";
import type { TransactionRow } from "./present";
import type { TransactionFilters } from "./schema";
import { amountsOf, searchedWordsOf, type TextAmount } from "./search-text";

export interface Search {
  organizationId: string;
  /** Only transactions of these accounts and transfers into them; null for the whole organization. */
  accounts: readonly string[] | null;
  filters: TransactionFilters;
  /** Only matches with these ids. */
  ids?: readonly string[] | undefined;
  /** Epoch ms: some statuses change with time alone. */
  now: number;
}

export interface Tag {
  scope: "metadata" | "customer";
  key: string;
  value: string;
}

/** Conditions that a transaction must all meet. */
export interface Criteria {
  organizationId: string;
  /** As in {@link Search}. */
  accounts: readonly string[] | null;
  ids: readonly string[] | undefined;
  statuses: Statuses | undefined;
  types: readonly (typeof transactionTypes)[number][] | undefined;
  id: string | undefined;
  createdFrom: number | undefined;
  createdTo: number | undefined;
  settledFrom: number | undefined;
  settledTo: number | undefined;
  customerEmailKey: string | undefined;
  customerReference: string | undefined;
  /** The customer to whom the transactions, or the payment requests that they count towards, belong. */
  customerId: string | undefined;
  usesCredit: boolean | undefined;
  isDisputed: boolean | undefined;
  unanswered: Unanswered | undefined;
  paymentId: string | undefined;
  /** The id of a payment request, given as search text. */
  searchedPaymentId: string | undefined;
  parentTransactionId: string | undefined;
  currency: string | undefined;
  amountMin: number | undefined;
  amountMax: number | undefined;
  reference: string | undefined;
  cardLast4: string | undefined;
  /** The amount that matches must have: one of those that the search text can be. */
  amount: TextAmount | undefined;
  /** Amounts that matches must not have, because other paths find them. */
  otherAmounts: readonly TextAmount[];
  words: readonly Beginning[];
  tags: readonly Tag[];
}

/** Values with an index per organization, newest first. Walking that index replaces walking every transaction. */
export const leadNames = [
  "paymentId",
  "searchedPaymentId",
  "parentTransactionId",
  "reference",
  "customerReference",
  "customerEmailKey",
  "cardLast4",
] as const;
type LeadName = (typeof leadNames)[number];

/** Criteria, and the index whose order the candidates follow. No transaction is on two paths of one search. */
export interface Path extends Criteria {
  /**
   * The account whose transactions the path walks; with `isInto`, transfers into it from accounts outside the search.
   */
  account: string | undefined;
  isInto: boolean;
  /** The stored status whose index entries the path walks. */
  status: TransactionRow["status"] | undefined;
  /** Whether the path walks this value's index; true for at most one. */
  by: Readonly<Record<LeadName | "tag" | "id" | "dispute" | "amount", boolean>>;
}

/** A lapsed authorization stays stored as `authorized` until a job records that it lapsed. */
interface Statuses {
  /** The stored statuses that can match. */
  walked: readonly TransactionRow["status"][];
  stored: readonly NonNullable<TransactionFilters["status"]>[number][];
  /** Authorizations that have not lapsed. */
  isLive: boolean;
  /** Authorizations that have lapsed. */
  isLapsed: boolean;
  now: number;
}

/** Transactions about which a provider owes an answer, or all others. */
interface Unanswered {
  isWanted: boolean;
  /** What has not changed since then waits for too long. Epoch ms. */
  unchangedSince: number;
  /** A confirmation that was asked for before then should have ended. Epoch ms. */
  askedBefore: number;
}

/** The stored statuses in which a provider may owe an answer: few transactions have one of them at a time. */
const answerable = ["pending", "processing", "requires_action", "authorized"] as const;

/** A search over more accounts than this walks the whole organization instead of each account. */
const mostAccounts = limits.look.accounts;

const byNothing: Path["by"] = Object.fromEntries(
  [...leadNames, "tag", "id", "dispute", "amount"].map((name) => [name, false]),
) as Path["by"];

/** No index: every condition is checked on each row. */
export const withoutIndex = {
  account: undefined,
  isInto: false,
  status: undefined,
  by: byNothing,
} satisfies Partial<Path>;

/** The paths that together contain every match, each in the list's order. */
export function pathsOf(criteria: Criteria): Path[] {
  const { accounts, statuses } = criteria;
  if (accounts?.length === 0) return [];
  const path: Path = { ...criteria, ...withoutIndex };
  const lead = leadOf(criteria);
  if (lead !== null) return [{ ...path, by: { ...byNothing, [lead]: true } }];
  // So few in an organization that those of its accounts need no index.
  if (criteria.isDisputed) return [{ ...path, by: { ...byNothing, dispute: true } }];
  if (criteria.unanswered?.isWanted) return answerable.map((status) => ({ ...path, status }));
  if (accounts !== null && accounts.length <= mostAccounts) {
    return accounts.flatMap((account) => [
      { ...path, account },
      { ...path, account, isInto: true },
    ]);
  }
  return statuses ? statuses.walked.map((status) => ({ ...path, status })) : [path];
}

/**
 * The value whose index is walked. A search within accounts uses ids only: other accounts may share the other values.
 */
function leadOf(criteria: Criteria): keyof Path["by"] | null {
  if (criteria.ids || criteria.id) return "id";
  const names = criteria.accounts === null ? leadNames : leadNames.slice(0, 3);
  const name = names.find((one) => criteria[one] !== undefined);
  if (name !== undefined || criteria.accounts !== null) return name ?? null;
  if (criteria.tags.length > 0) return "tag";
  return criteria.amount === undefined ? null : "amount";
}

/** Whether candidates on the path may fail to match, so that a page may have to skip many. */
export function isFiltered(path: Path): boolean {
  const { by, status, accounts, account, statuses } = path;
  if (by.id) return false;
  const isTimed = status === "authorized";
  const led = leadNames.filter((name) => by[name]).length;
  return (
    leadNames.filter((name) => path[name] !== undefined).length > led ||
    path.tags.length > (by.tag ? 1 : 0) ||
    path.words.length > 0 ||
    path.amount !== undefined ||
    path.otherAmounts.length > 0 ||
    (statuses !== undefined && (status === undefined || isTimed)) ||
    (accounts !== null && account === undefined) ||
    [
      path.settledFrom,
      path.settledTo,
      path.customerId,
      path.usesCredit,
      by.dispute ? undefined : path.isDisputed,
      path.unanswered,
      path.types,
      path.currency,
      path.amountMin,
      path.amountMax,
    ].some((one) => one !== undefined)
  );
}

/** The caller's filters as criteria: case-folded, and split into words and tags. */
export function criteriaOf({ organizationId, accounts, filters, ids, now }: Search): Criteria {
  const { status, q } = filters;
  return {
    organizationId,
    accounts,
    ids,
    statuses: status && {
      // A status may be named twice, and no path may be walked twice.
      walked: [...new Set(status.includes("expired") ? [...status, "authorized" as const] : status)],
      stored: status.filter((one) => one !== "authorized"),
      isLive: status.includes("authorized"),
      isLapsed: status.includes("expired"),
      now,
    },
    types: filters.type,
    createdFrom: filters.created_from,
    createdTo: earliest(filters.created_to, filters.settled_to && filters.settled_to + limits.clockSkewMs),
    settledFrom: filters.settled_from,
    settledTo: filters.settled_to,
    customerEmailKey: filters.customer_email === undefined ? undefined : foldEmail(filters.customer_email),
    customerReference: filters.customer_reference,
    customerId: filters.customer_id,
    usesCredit: filters.customer_credit,
    isDisputed: filters.disputed,
    unanswered: filters.unanswered === undefined ? undefined : unanswered(filters.unanswered, now),
    paymentId: filters.payment_id,
    parentTransactionId: filters.parent_transaction_id,
    currency: filters.currency,
    amountMin: filters.amount_min,
    amountMax: filters.amount_max,
    reference: filters.reference,
    cardLast4: filters.card_last4,
    amount: undefined,
    otherAmounts: [],
    ...searchedWordsOf(q),
    tags: [...tags("metadata", filters.metadata), ...tags("customer", filters.customer_metadata)],
  };
}

/** What settled before an instant was created before it, but for what the clocks of processes differ. */
const earliest = (...instants: (number | undefined)[]): number | undefined => {
  const given = instants.filter((one) => one !== undefined);
  return given.length === 0 ? undefined : Math.min(...given);
};

const unanswered = (isWanted: boolean, now: number): Unanswered => {
  const { unansweredMs, confirmMs } = limits.charge;
  return { isWanted, unchangedSince: now - unansweredMs, askedBefore: now - confirmMs - unansweredMs };
};

const tags = (scope: Tag["scope"], values: Record<string, string> = {}): Tag[] =>
  Object.entries(values).map(([key, value]) => ({ scope, key, value }));

/**
 * The searches that together find what the text finds, none of it twice: by its words, and by each amount that it can
 * be, with whatever sign lists show it.
 */
export function readingsOf(search: Search): Criteria[] {
  const criteria = criteriaOf(search);
  const amounts = criteria.words.length === 0 ? [] : amountsOf(search.filters.q);
  return [...amounts.map((amount) => ({ ...criteria, words: [], amount })), { ...criteria, otherAmounts: amounts }];
}
