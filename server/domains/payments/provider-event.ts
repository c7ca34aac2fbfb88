// Handles a provider's event. The event says only that something changed, so a job asks the provider what.
import type { Tx } from "@/db/client";
import { schedule } from "@/server/domains/jobs/queue";
import type { ProviderEvent } from "@/server/domains/providers/event";
import { readTransaction } from "@/server/domains/transactions/store";
import { isId, newId } from "@/server/kit/ids";
import { type Clock, realNow } from "@/server/process/clock";
import { readMethod } from "./methods/store";

/** Schedules a look-up of the event's transaction or stored card. Ignores an event about one that we do not have. */
export async function receiveProviderEvent(
  tx: Tx,
  { idempotencyKey, delayMs }: ProviderEvent,
  clock: Clock,
): Promise<void> {
  const read = isId("sme", idempotencyKey) ? readMethod : readTransaction;
  const found = await read(tx, idempotencyKey);
  if (!found) return;
  const { id: objectId, organizationId } = found;
  const now = clock.nowIn ? await clock.nowIn(tx) : clock.now();
  const present = realNow(clock);
  const ctx = { db: tx, now, realNow: present, id: (prefix: "job") => newId(prefix, present) };
  await schedule(ctx, { kind: "sandbox.event", organizationId, objectId, dueAt: now + delayMs });
}
