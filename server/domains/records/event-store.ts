// Rows of the event log: what changed, numbered per object without gaps.
import { eq, max } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { prepared, preparedOne, slot, slotsOf } from "@/db/prepared";
import { events } from "@/db/tables";

type EventRow = typeof events.$inferInsert;

const newest = preparedOne("events.newest", (tx: Tx) =>
  tx
    .select({ sequence: max(events.sequence) })
    .from(events)
    .where(eq(events.objectId, slot("objectId"))),
);

const insert = prepared("events.insert", (tx: Tx) => tx.insert(events).values(slotsOf(events)));

/** The number of the object's next event. The caller has locked the object's row, so no two events get the same. */
export async function nextSequence(tx: Tx, objectId: string): Promise<number> {
  const row = await newest(tx, { objectId });
  return (row?.sequence ?? 0) + 1;
}

/** Inserts an event, which can never be changed or removed. */
export async function insertEvent(tx: Tx, row: EventRow): Promise<void> {
  await insert(tx, { ...row });
}
