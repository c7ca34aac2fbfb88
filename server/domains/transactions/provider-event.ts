// Handles a provider's event. The event says only that something changed, so a job asks the provider what.
import type { Tx } from "@/db/client";
import { schedule } from "@/server/domains/jobs/queue";
import type { ProviderEvent } from "@/server/domains/providers/event";
import { newId } from "@/server/kit/ids";
import { type Clock, realNow } from "@/server/process/clock";
import { readTransaction } from "./store";

/** Schedules a look-up of the event's transaction. Ignores an event about a transaction that we do not have. */
export async function receiveProviderEvent(
  tx: Tx,
  { idempotencyKey, delayMs }: ProviderEvent,
  clock: Clock,
): Promise<void> {
  const transaction = await readTransaction(tx, idempotencyKey);
  if (!transaction) return;
  const { id: objectId, organizationId } = transaction;
  const now = clock.nowIn ? await clock.nowIn(tx) : clock.now();
  const present = realNow(clock);
  const ctx = { db: tx, now, realNow: present, id: (prefix: "job") => newId(prefix, present) };
  await schedule(ctx, { kind: "sandbox.event", organizationId, objectId, dueAt: now + delayMs });
}
