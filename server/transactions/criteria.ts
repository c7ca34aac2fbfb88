// What transactions are looked for by, from a caller's filters: folded, taken apart, and split by the index that serves it.

import { type Beginning, beginning } from "@/db/prefix";
import type { transactionTypes } from "@/db/schema/values";
import { foldEmail } from "@/server/kit/fields";
import { isId } from "@/server/kit/ids";
import { wordsOf } from "@/server/kit/words";
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
  accounts: readonly string[] | null;
  /** Transfers into these accounts from others, instead of the accounts' own transactions. */
  isInto: boolean;
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

/** An authorization that has lapsed is stored as authorized until the time is noted. */
interface Statuses {
  stored: readonly NonNullable<TransactionFilters["status"]>[number][];
  /** Authorizations that still hold. */
  isLive: boolean;
  /** Authorizations whose time is over. */
  isLapsed: boolean;
  now: number;
}

/**
 * Criteria that no transaction meets two of, and that together give what is in sight. An account's own transactions and
 * the transfers into it have an index each: a condition over both would have either engine sort everything. Accounts are
 * of one organization, and so is what belongs to them: naming it too would have SQLite walk through all of its rows.
 */
export function partsOf(search: Search): Criteria[] {
  const { accounts } = search;
  if (accounts?.length === 0) return [];
  const criteria = criteriaOf(search);
  return accounts === null ? [criteria] : [criteria, { ...criteria, isInto: true }];
}

function criteriaOf({ organizationId, accounts, filters, ids, now }: Search): Criteria {
  const { status, q } = filters;
  return {
    organizationId,
    accounts,
    isInto: false,
    ids,
    statuses: status && {
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
