// Rows of the event log: what changed, numbered per object without gaps.
import { and, eq, gte, max } from "drizzle-orm";
import { bySize, groupsOf, upTo } from "@/db/batches";
import type { Tx } from "@/db/client";
import { prepared, preparedOne, slot, slotsOf } from "@/db/prepared";
import { events } from "@/db/tables";
import { limits } from "@/server/kit/limits";

export type EventRow = typeof events.$inferInsert;

const newest = preparedOne("events.newest", (tx: Tx) =>
  tx
    .select({ sequence: max(events.sequence) })
    .from(events)
    .where(eq(events.objectId, slot("objectId"))),
);

const insert = bySize((size) =>
  prepared(`events.insert_${size}`, (tx: Tx) => tx.insert(events).values(upTo(size).map((i) => slotsOf(events, i)))),
);

/** The number of the object's next event. The caller has locked the object's row, so no two events get the same. */
export async function nextSequence(tx: Tx, objectId: string): Promise<number> {
  const row = await newest(tx, { objectId });
  return (row?.sequence ?? 0) + 1;
}

const since = preparedOne("events.since", (tx: Tx) =>
  tx
    .select({ sequence: events.sequence })
    .from(events)
    .where(
      and(eq(events.objectId, slot("objectId")), eq(events.type, slot("type")), gte(events.createdAt, slot("since"))),
    )
    .limit(1),
);

/** Whether the object has an event of this type that was written at `at` (epoch ms) or later. */
export const hasEvent = async (tx: Tx, objectId: string, type: string, at: number): Promise<boolean> =>
  (await since(tx, { objectId, type, since: at })) !== undefined;

const ofType = prepared("events.of_type", (tx: Tx) =>
  tx
    .select({ data: events.data })
    .from(events)
    .where(and(eq(events.objectId, slot("objectId")), eq(events.type, slot("type")))),
);

/** What the object's events of this type say. */
export const eventData = async (tx: Tx, objectId: string, type: string): Promise<EventRow["data"][]> =>
  (await ofType(tx, { objectId, type })).map(({ data }) => data);

/** Inserts events, which can never be changed or removed. */
export async function insertEvents(tx: Tx, rows: readonly EventRow[]): Promise<void> {
  for (const group of groupsOf(rows, limits.batch.events)) await insert(group.length)(tx, group);
}
