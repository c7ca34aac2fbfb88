// A provider's event: a charge or refund has changed. Transactions handle it, see steps.ts.
import type { Tx } from "@/db/client";
import { step } from "@/server/kit/step";
import type { Clock } from "@/server/process/clock";

export interface ProviderEvent {
  /** Our idempotency key for the charge or refund: the id of its transaction. */
  idempotencyKey: string;
  /** How much later it arrives, in milliseconds of the organization's time. */
  delayMs: number;
}

export const providerEvent = step<(tx: Tx, event: ProviderEvent, clock: Clock) => Promise<void>>("provider event");
