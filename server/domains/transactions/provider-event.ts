// Handles a provider's event. The event says only that something changed, so a job asks the provider what.
import type { Tx } from "@/db/client";
import { schedule } from "@/server/domains/jobs/queue";
import type { ProviderEvent } from "@/server/domains/providers/event";
import { newId } from "@/server/kit/ids";
import { readTransaction } from "./store";

/** Schedules a look-up of the event's transaction. Ignores an event about a transaction that we do not have. */
export async function receiveProviderEvent(tx: Tx, { idempotencyKey, at }: ProviderEvent, now: number): Promise<void> {
  const transaction = await readTransaction(tx, idempotencyKey);
  if (!transaction) return;
  const { id: objectId, organizationId } = transaction;
  const ctx = { db: tx, now, id: (prefix: "job") => newId(prefix, now) };
  await schedule(ctx, { kind: "sandbox.event", organizationId, objectId, runAt: at });
}
