// What responses show now of customers and snapshots that have been erased since.
import type { Reader } from "@/db/client";
import { type Customer, isBlank } from "@/db/schema/values";
import { shownCustomers } from "@/server/domains/customers/present";
import { findErasedCustomers, snapshotsOfPayments, snapshotsOfTransactions } from "./erased-store";

interface Ids {
  customers: readonly string[];
  payments: readonly string[];
  transactions: readonly string[];
}

/** By id: what a customer's record says now, and the snapshot of a payment request or transaction. */
export interface Erased {
  customers: ReadonlyMap<string, object>;
  snapshots: ReadonlyMap<string, object>;
}

/** The records among those with these ids whose personal data was erased. */
export async function erasedAmong(q: Reader, ids: Ids): Promise<Erased> {
  const people = await findErasedCustomers(q, ids.customers);
  const requests = await snapshotsOfPayments(q, ids.payments);
  const movements = await snapshotsOfTransactions(q, ids.transactions);
  return {
    customers: new Map((await shownCustomers(q, people)).map((record) => [record.customer_id, record])),
    snapshots: new Map([
      ...blank(requests, ({ customer, customerId }) => ({ ...customer, customer_id: customerId })),
      ...blank(movements, ({ customer }) => ({ ...customer })),
    ]),
  };
}

const blank = <Row extends { id: string; customer: Customer | null }>(
  rows: readonly Row[],
  present: (row: Row) => object,
): [string, object][] =>
  rows.filter(({ customer }) => customer !== null && isBlank(customer)).map((row) => [row.id, present(row)]);
