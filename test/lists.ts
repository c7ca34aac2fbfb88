// The lists of payment requests and transactions, checked against a scan: any filters, on pages of any size.
import * as fc from "fast-check";
import { expect } from "vitest";
import { listEntries } from "@/server/domains/entries/operations/list";
import { countPayments } from "@/server/domains/payments/operations/counts";
import { listPaymentRequests } from "@/server/domains/payments/operations/list";
import { filtersOfTab, type Tab } from "@/server/domains/payments/status-tabs";
import { listTransactions } from "@/server/domains/transactions/operations/list";
import type { Transaction } from "@/server/domains/transactions/schema";
import type { Actor } from "@/server/kit/context";
import {
  matchesPayment,
  matchesTransaction,
  type Payment,
  type PaymentQuery,
  type TransactionQuery,
} from "@/test/filters";
import type { World } from "@/test/world";

/** Who reads: an admin, and an owner with the owner's accounts. */
export interface Readers {
  admin: Actor;
  owner: { actor: Actor; accountIds: readonly string[] } | null;
}

/** A page of a list, as both have them. */
interface Page<Row> {
  data: Row[];
  has_more: boolean;
  next_cursor: string | null;
  total_count: number | null;
}

/** The whole list, in pages of this size. Each page must be within its limit, and the total the same on all. */
async function walk<Row>(limit: number, page: (more: object) => Promise<Page<Row>>) {
  const rows: Row[] = [];
  let cursor: string | undefined;
  let total: number | null = null;
  do {
    const found = await page({ limit, cursor, include_total: cursor === undefined });
    expect(found.data.length).toBeLessThanOrEqual(limit);
    expect(found.has_more).toBe(found.next_cursor !== null);
    total ??= found.total_count;
    rows.push(...found.data);
    cursor = found.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return { rows, total };
}

/** Makes the call for a page, perhaps later. */
export type Around = <T>(page: () => Promise<T>) => Promise<T>;
const atOnce: Around = (page) => page();

/** The payment requests that a query finds. `around` makes the call for each page. */
export const paymentPages = (world: World, actor: Actor, query: PaymentQuery, limit: number, around = atOnce) =>
  walk(limit, (more) => around(() => world.call(listPaymentRequests, actor, { ...query, ...more })));

/** The transactions that a query finds. `around` makes the call for each page. */
export const transactionPages = (world: World, actor: Actor, query: TransactionQuery, limit: number, around = atOnce) =>
  walk(limit, (more) => around(() => world.call(listTransactions, actor, { ...query, ...more })));

/** The ledger entries that a query finds, and the instant before which they were final on the first page. */
export async function entryPages(world: World, actor: Actor, query: object, limit: number, around = atOnce) {
  let finalBefore = "";
  const { rows } = await walk(limit, async (more) => {
    const page = await around(() => world.call(listEntries, actor, { ...query, ...more }));
    finalBefore ||= page.final_before;
    return page;
  });
  return { rows, finalBefore };
}

/** Usually absent, so that a combination still finds something. */
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

/** Values that occur in the rows; none if there are no values. */
function from<Row, T>(rows: Row[], pick: (row: Row) => T | null): fc.Arbitrary<T | undefined> {
  const values = [...new Set(rows.flatMap((row) => pick(row) ?? []))];
  return fc.constantFrom(...(values.length > 0 ? values : [undefined]));
}
/** Up to four values that occur in the rows. */
const some = <Row, T>(rows: Row[], pick: (row: Row) => T) =>
  fc.uniqueArray(fc.constantFrom(...new Set(rows.map(pick))), { minLength: 1, maxLength: 4 });

const words = [
  "ada",
  "AD",
  "zoe",
  "ÅNG",
  "angstrom GRÉG",
  "李",
  "strasse",
  "inv-1",
  "march ada",
  "consult",
  "customer.1@ex",
  "2026",
  "x%",
];

function sharedFilters(rows: (Payment | Transaction)[]) {
  const instants = fc.oneof(
    from(rows, (row) => row.created_at),
    fc.constant("2026-11-21"),
  );
  return {
    account_id: maybe(from(rows, (row) => row.account_id)),
    created_from: maybe(instants),
    created_to: maybe(instants),
    customer_email: maybe(fc.constantFrom("customer.1@example.com", "CUSTOMER.2@example.com", "a@b.c")),
    currency: maybe(fc.constantFrom("eur", "USD", "JPY")),
    reference: maybe(from(rows, (row) => row.reference)),
  };
}

/** Queries for these payment requests, of which there is at least one. */
export const paymentQueries = (rows: Payment[]): fc.Arbitrary<PaymentQuery> =>
  fc.record({
    ...sharedFilters(rows),
    status: maybe(some(rows, (row) => row.status)),
    type: maybe(some(rows, (row) => row.type)),
    open: maybe(fc.boolean()),
    overdue: maybe(fc.boolean()),
    overpaid: maybe(fc.boolean()),
    credited: maybe(fc.boolean()),
    ends_before: maybe(from(rows, (row) => row.expires_at ?? row.capture_before)),
    q: maybe(
      fc.oneof(
        fc.constantFrom(...words),
        from(rows, (row) => row.payment_id),
        from(rows, (row) => ((row.amount ?? 0) / 100).toFixed(2)),
        from(rows, (row) => ((row.amount ?? 0) / 100).toFixed(2).replace(".", ",")),
      ),
    ),
  });

/** Queries for these transactions, of which there is at least one. */
export const transactionQueries = (rows: Transaction[]): fc.Arbitrary<TransactionQuery> =>
  fc.record({
    ...sharedFilters(rows),
    status: maybe(some(rows, (row) => row.status)),
    type: maybe(some(rows, (row) => row.type)),
    settled_from: maybe(from(rows, (row) => row.settled_at)),
    settled_to: maybe(from(rows, (row) => row.settled_at)),
    metadata: maybe(
      fc.record(
        { tier: fc.constantFrom("gold", "silver", "no"), batch: fc.constantFrom("1", "2") },
        { requiredKeys: [] },
      ),
    ),
    customer_metadata: maybe(fc.record({ country: fc.constantFrom("DE", "FR", "tier") })),
    customer_reference: maybe(fc.constantFrom("C-1", "C-2", "c-1")),
    customer_id: maybe(from(rows, (row) => row.customer_id)),
    customer_credit: maybe(fc.boolean()),
    card_last4: maybe(fc.constantFrom("4242", "0341")),
    payment_id: maybe(from(rows, (row) => row.payment_id)),
    parent_transaction_id: maybe(from(rows, (row) => row.parent_transaction_id)),
    amount_min: maybe(fc.integer({ min: 0, max: 1400 })),
    amount_max: maybe(fc.integer({ min: 0, max: 1400 })),
    q: maybe(
      fc.oneof(
        fc.constantFrom(...words),
        from(rows, (row) => row.transaction_id),
      ),
    ),
  });

const allTabs = Object.keys(filtersOfTab) as Tab[];
const queryOfTab = (tab: Tab) => filtersOfTab[tab] as PaymentQuery;

/** Throws unless each of all payment requests is listed in exactly one tab, and the tabs count them. */
export async function expectTabs(world: World, reader: Actor, all: readonly Payment[]): Promise<void> {
  const listed: [string, string][] = [];
  const counts = await world.call(countPayments, reader, {});
  for (const tab of allTabs) {
    const { rows } = await paymentPages(world, reader, queryOfTab(tab), 100);
    expect([tab, counts[tab]]).toEqual([tab, rows.length]);
    listed.push(...rows.map((row): [string, string] => [row.payment_id, tab]));
  }
  const tabsOf = (id: string) => listed.filter(([one]) => one === id).map(([, tab]) => tab);
  const lost = all.filter((row) => tabsOf(row.payment_id).length !== 1);
  expect(lost.map((row) => [row.payment_id, row.status, tabsOf(row.payment_id)])).toEqual([]);
  expect(listed).toHaveLength(all.length);
}

export const anySize = fc.constantFrom(2, 7, 100);

/** Throws unless the query finds those of all payment requests that match it, and counts them. Returns how many. */
export async function expectPayments(
  world: World,
  { admin, owner }: Readers,
  all: readonly Payment[],
  [query, limit]: [PaymentQuery, number],
): Promise<number> {
  const idsOf = (rows: readonly Payment[]) => rows.map((row) => row.payment_id);
  const now = world.clock.now();
  const expected = all.filter((row) => matchesPayment(row, query, now));
  const found = await paymentPages(world, admin, query, limit);
  expect(idsOf(found.rows)).toEqual(idsOf(expected));
  expect(found.total).toBe(expected.length);
  const { status, open, ...rest } = query;
  const counted = all.filter((row) => matchesPayment(row, rest, now));
  const counts = await world.call(countPayments, admin, rest);
  for (const tab of allTabs) {
    expect([tab, counts[tab]]).toEqual([
      tab,
      counted.filter((row) => matchesPayment(row, queryOfTab(tab), now)).length,
    ]);
  }
  expect(counts.all).toBe(counted.length);
  expect(counts.overdue).toBe(all.filter((row) => matchesPayment(row, { ...rest, overdue: true }, now)).length);
  if (owner && (query.account_id === undefined || owner.accountIds.includes(query.account_id))) {
    const own = await paymentPages(world, owner.actor, query, limit);
    expect(idsOf(own.rows)).toEqual(idsOf(expected.filter((row) => owner.accountIds.includes(row.account_id))));
  }
  return expected.length;
}

/** Throws unless the query finds those of all transactions that match it. Returns how many. */
export async function expectTransactions(
  world: World,
  { admin, owner }: Readers,
  all: readonly Transaction[],
  [query, limit]: [TransactionQuery, number],
): Promise<number> {
  const idsOf = (rows: readonly Transaction[]) => rows.map((row) => row.transaction_id);
  const expected = all.filter((row) => matchesTransaction(row, query));
  const found = await transactionPages(world, admin, query, limit);
  expect(idsOf(found.rows)).toEqual(idsOf(expected));
  expect(found.total).toBe(expected.length);
  const isOwn = (id: string | null) => id !== null && owner?.accountIds.includes(id) === true;
  const isOwnCustomer = all.some((row) => row.customer_id === query.customer_id && isOwn(row.account_id));
  const mayAsk =
    (query.account_id === undefined || isOwn(query.account_id)) && (query.customer_id === undefined || isOwnCustomer);
  if (owner && mayAsk) {
    const own = await transactionPages(world, owner.actor, query, limit);
    const mine = expected.filter((row) => isOwn(row.account_id) || isOwn(row.destination_account_id));
    expect(idsOf(own.rows)).toEqual(idsOf(mine));
  }
  return expected.length;
}
