// The events of an object in tests.
import { asc, eq } from "drizzle-orm";
import { expect } from "vitest";
import { events } from "@/db/tables";
import type { World } from "./world";

/** The types of the object's events, in their order, which has no gap. */
export async function eventTypesOf(world: World, objectId: string): Promise<string[]> {
  const rows = await world.runtime.db.read
    .select({ type: events.type, sequence: events.sequence })
    .from(events)
    .where(eq(events.objectId, objectId))
    .orderBy(asc(events.sequence));
  expect(rows.map((row) => row.sequence)).toEqual(rows.map((_, i) => i + 1));
  return rows.map((row) => row.type);
}
