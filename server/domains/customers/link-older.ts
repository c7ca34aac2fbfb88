// Links records of an earlier version, which name no customer, to the customers of their snapshots.
import { isDeepStrictEqual } from "node:util";
import type { Tx } from "@/db/client";
import { LostRace } from "@/db/errors";
import type { Customer } from "@/db/schema/values";
import { organizationsWith } from "@/server/domains/jobs/find-store";
import { inBackground } from "@/server/domains/records/in-background";
import type { EventRecord } from "@/server/kit/context";
import type { Runtime } from "@/server/process/runtime";
import { customerFor } from "./make";
import { keepCustomers } from "./store";

/** A record without a customer, and what it says about one. */
interface Unlinked {
  id: string;
  organizationId: string;
  accountId: string;
  customer: Customer | null;
  /** Epoch milliseconds. */
  createdAt: number;
}

/** How a batch of records of one kind is read and written. */
interface Batch<Row extends Unlinked> {
  /** What the audit log calls it. */
  task: string;
  /** Reads the records of the batch that are still to be linked, in id order. */
  read: (tx: Tx) => Promise<Row[]>;
  lock: (tx: Tx) => Promise<void>;
  link: (tx: Tx, id: string, customerId: string) => Promise<void>;
  /** The customer of the record that this one follows, if they have the same; `found` has those of the batch so far. */
  inherited?: (row: Row, found: ReadonlyMap<string, string>) => string | null;
}

/**
 * The records of the batch, without those of organizations that are erasing a customer: the erasure may not have reached
 * them yet. The next pass takes them.
 */
async function readBatch<Row extends Unlinked>(tx: Tx, { read }: Batch<Row>): Promise<Row[]> {
  const erasing = await organizationsWith(tx, "customers.erase");
  return (await read(tx)).filter(({ organizationId }) => !erasing.has(organizationId));
}

/**
 * Links a batch of records. Customers that this makes are as old as the first record about them. Nothing is made of what
 * a snapshot said before its customer was erased: the records are read again once they are locked.
 */
export async function linkOlder<Row extends Unlinked>(runtime: Runtime, batch: Batch<Row>): Promise<void> {
  await inBackground(runtime, batch.task, async ({ db, audit, emit }) => {
    const made = new Map<string, number>();
    const found = new Map<string, string>();
    const rows = await readBatch(db, batch);
    for (const row of rows) {
      const { id, organizationId, accountId, customer, createdAt: at } = row;
      const counting = (event: EventRecord) => {
        made.set(organizationId, (made.get(organizationId) ?? 0) + 1);
        emit(event);
      };
      const inherited = batch.inherited?.(row, found) ?? null;
      const addressee = customer && { organizationId, accountId, at, customer };
      const customerId = inherited ?? (addressee && (await customerFor({ db, emit: counting }, addressee)));
      if (customerId !== null) found.set(id, customerId);
    }
    await keepCustomers(db, [...new Set(found.values())]);
    await batch.lock(db);
    if (!isDeepStrictEqual(await readBatch(db, batch), rows)) throw new LostRace(new Error("A snapshot changed."));
    for (const [id, customerId] of found) await batch.link(db, id, customerId);
    for (const [organizationId, count] of made) {
      audit({ target: organizationId, organizationId, detail: { customers: count } });
    }
  });
}
