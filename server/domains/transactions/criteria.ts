// What transactions are looked for by, from a caller's filters: folded, taken apart, and split by the index that serves it.

import { type Beginning, beginning } from "@/db/prefix";
import type { transactionTypes } from "@/db/schema/values";
import { foldEmail } from "@/server/kit/fields";
import { isId } from "@/server/kit/ids";
import { limits } from "@/server/kit/limits";
import { wordsOf } from "@/server/kit/words";
import type { TransactionRow } from "./present";
import type { TransactionFilters } from "./schema";

export interface Search {
  organizationId: string;
  /** Only transactions of these accounts and transfers into them; null for all of the organization. */
  accounts: readonly string[] | null;
  filters: TransactionFilters;
  /** Only these of what matches. */
  ids?: readonly string[] | undefined;
  /** Epoch ms: some statuses change with the time alone. */
  now: number;
}

export interface Tag {
  scope: "metadata" | "customer";
  key: string;
  value: string;
}

/** What a transaction must meet, all of it. */
export interface Criteria {
  organizationId: string;
  /** Only transactions of these accounts and transfers into them. */
  accounts: readonly string[] | null;
  ids: readonly string[] | undefined;
  statuses: Statuses | undefined;
  types: readonly (typeof transactionTypes)[number][] | undefined;
  id: string | undefined;
  createdFrom: number | undefined;
  createdTo: number | undefined;
  customerEmailKey: string | undefined;
  customerReference: string | undefined;
  paymentId: string | undefined;
  /** The payment request that the searched text names. */
  requestId: string | undefined;
  parentTransactionId: string | undefined;
  currency: string | undefined;
  amountMin: number | undefined;
  amountMax: number | undefined;
  reference: string | undefined;
  words: readonly Beginning[];
  tags: readonly Tag[];
}

/** Values that an index of the organization leads from, newest first. Walking one of them replaces walking everything. */
export const leadNames = [
  "paymentId",
  "requestId",
  "parentTransactionId",
  "reference",
  "customerReference",
  "customerEmailKey",
] as const;
export type LeadName = (typeof leadNames)[number];

/** Criteria, and the one index in whose order the candidates are walked. No transaction is on two paths of a search. */
export interface Path extends Criteria {
  /** The account whose transactions are walked, or with `isInto` the transfers into it from accounts out of sight. */
  account: string | undefined;
  isInto: boolean;
  /** The stored status that is walked. */
  status: TransactionRow["status"] | undefined;
  /** Whether the index of this value is walked; at most one is. */
  by: Readonly<Record<LeadName | "tag" | "id", boolean>>;
}

/** An authorization that has lapsed is stored as authorized until the time is noted. */
interface Statuses {
  /** All stored statuses that may be meant. */
  walked: readonly TransactionRow["status"][];
  stored: readonly NonNullable<TransactionFilters["status"]>[number][];
  /** Authorizations that still hold. */
  isLive: boolean;
  /** Authorizations whose time is over. */
  isLapsed: boolean;
  now: number;
}

/** More accounts than this are looked for in the list of the whole organization. */
const mostAccounts = limits.look.accounts;

const byNothing: Path["by"] = Object.fromEntries(
  [...leadNames, "tag", "id"].map((name) => [name, false]),
) as Path["by"];

/** No path at all: every condition is checked. */
export const unled = {
  ...{ account: undefined, isInto: false, status: undefined },
  by: byNothing,
} satisfies Partial<Path>;

/** The paths that together lead to all that a search may find, each in the order of the list. */
export function pathsOf(criteria: Criteria): Path[] {
  const { accounts, statuses } = criteria;
  if (accounts?.length === 0) return [];
  const path: Path = { ...criteria, ...unled };
  const lead = leadOf(criteria);
  if (lead !== null) return [{ ...path, by: { ...byNothing, [lead]: true } }];
  if (accounts !== null && accounts.length <= mostAccounts) {
    return accounts.flatMap((account) => [
      { ...path, account },
      { ...path, account, isInto: true },
    ]);
  }
  return statuses ? statuses.walked.map((status) => ({ ...path, status })) : [path];
}

/** The value whose index is walked. Within accounts only those that few rows share: others may share the rest. */
function leadOf(criteria: Criteria): keyof Path["by"] | null {
  if (criteria.ids || criteria.id) return "id";
  const names = criteria.accounts === null ? leadNames : leadNames.slice(0, 3);
  const name = names.find((one) => criteria[one] !== undefined);
  return name ?? (criteria.accounts === null && criteria.tags.length > 0 ? "tag" : null);
}

/** Whether a candidate on the path may fail to match, so that finding some may take walking past many. */
export function isFiltered(path: Path): boolean {
  const { by, status, accounts, account, statuses } = path;
  if (by.id) return false;
  const isTimed = status === "authorized";
  const led = leadNames.filter((name) => by[name]).length;
  return (
    leadNames.filter((name) => path[name] !== undefined).length > led ||
    path.tags.length > (by.tag ? 1 : 0) ||
    path.words.length > 0 ||
    (statuses !== undefined && (status === undefined || isTimed)) ||
    (accounts !== null && account === undefined) ||
    [path.types, path.currency, path.amountMin, path.amountMax].some((one) => one !== undefined)
  );
}

/** The caller's filters, folded and taken apart. */
export function criteriaOf({ organizationId, accounts, filters, ids, now }: Search): Criteria {
  const { status, q } = filters;
  return {
    organizationId,
    accounts,
    ids,
    statuses: status && {
      walked: status.includes("expired") ? [...new Set([...status, "authorized" as const])] : status,
      stored: status.filter((one) => one !== "authorized"),
      isLive: status.includes("authorized"),
      isLapsed: status.includes("expired"),
      now,
    },
    types: filters.type,
    createdFrom: filters.created_from,
    createdTo: filters.created_to,
    customerEmailKey: filters.customer_email === undefined ? undefined : foldEmail(filters.customer_email),
    customerReference: filters.customer_reference,
    paymentId: filters.payment_id,
    parentTransactionId: filters.parent_transaction_id,
    currency: filters.currency,
    amountMin: filters.amount_min,
    amountMax: filters.amount_max,
    reference: filters.reference,
    ...searched(q),
    tags: [...tags("metadata", filters.metadata), ...tags("customer", filters.customer_metadata)],
  };
}

/** Every word of the text begins a word of the transaction, or the text is the id of it or of its payment request. */
function searched(q = ""): Pick<Criteria, "id" | "requestId" | "words"> {
  const text = q.trim();
  const id = isId("txn", text) ? text : undefined;
  const requestId = isId("pay", text) ? text : undefined;
  return { id, requestId, words: id || requestId ? [] : wordsOf(text).map(beginning) };
}

const tags = (scope: Tag["scope"], values: Record<string, string> = {}): Tag[] =>
  Object.entries(values).map(([key, value]) => ({ scope, key, value }));
