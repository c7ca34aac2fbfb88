// A provider's event: a charge or refund has changed. Transactions handle it, see steps.ts.
import type { Tx } from "@/db/client";
import { step } from "@/server/kit/step";

export interface ProviderEvent {
  /** Our idempotency key for the charge or refund: the id of its transaction. */
  idempotencyKey: string;
  /** When it arrives, epoch ms. */
  at: number;
}

export const providerEvent = step<(tx: Tx, event: ProviderEvent, now: number) => Promise<void>>("provider event");
