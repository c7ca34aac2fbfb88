// The customers of transactions that an earlier version recorded without a payment request, found or made by a job.
import { isDeepStrictEqual } from "node:util";
import type { Tx } from "@/db/client";
import { isBlank } from "@/db/schema/values";
import { linkOlder } from "@/server/domains/customers/link-older";
import { inPasses } from "@/server/domains/jobs/passes";
import type { Later } from "@/server/domains/jobs/runner";
import type { Progress } from "@/server/domains/jobs/store";
import { limits } from "@/server/kit/limits";
import type { Runtime } from "@/server/process/runtime";
import { findAddresseesAfter, readAddressees } from "./addressees-store";
import { lockRows } from "./erasure-store";
import { setCustomer } from "./record-store";

const task = "transactions.customers";

type AddresseeRow = Awaited<ReturnType<typeof readAddressees>>[number];

/** The customer of the refunded payment, if the refund has the same snapshot, or one that identifies nobody. */
function inherited(row: AddresseeRow, found: ReadonlyMap<string, string>): string | null {
  const { parentTransactionId: parentId, parentCustomerId, parentCustomer, customer } = row;
  if (parentId === null || customer === null) return null;
  const isUnnamed = customer.name === null && customer.email === null && customer.reference === null;
  if (!isDeepStrictEqual(customer, parentCustomer) && (!isUnnamed || isBlank(customer))) return null;
  return parentCustomerId ?? found.get(parentId) ?? null;
}

/**
 * Finds or makes the customers of some batches of transactions that name none and count towards no payment request, of
 * all organizations, oldest first. Resolves to where it continues, until the last pass is over. Idempotent.
 */
export const linkCustomers = (
  runtime: Runtime,
  _objectId: string,
  signal: AbortSignal,
  saved: Progress,
): Promise<Later | undefined> => {
  const message = "transactions of an earlier version were given customers";
  return inPasses(runtime, { signal, saved, runs: limits.batch.customerRuns, message }, async (after) => {
    const rows = await findAddresseesAfter(runtime.db.read, after, limits.batch.customers);
    const unlinked = rows.filter((row) => row.customerId === null && row.customer !== null && row.paymentId === null);
    const ids = unlinked.map(({ id }) => id);
    const read = async (tx: Tx) => (await readAddressees(tx, ids)).filter(({ customerId }) => customerId === null);
    const lock = (tx: Tx) => lockRows(tx, ids);
    if (ids.length > 0) await linkOlder(runtime, { task, read, lock, link: setCustomer, inherited });
    return rows.at(-1)?.id;
  });
};
