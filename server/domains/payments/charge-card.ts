// Asks a provider for the money of an attempt that has begun, if it is not too late for that.

import { inTimeOf } from "@/server/domains/organizations/time";
import { type ChargeResult, neverMade } from "@/server/domains/providers/provider";
import { askProvider } from "@/server/domains/providers/registry";
import type { ReadContext, WriteContext } from "@/server/kit/context";
import { limits } from "@/server/kit/limits";
import type { Intent } from "@/server/kit/operation";
import { realNow } from "@/server/process/clock";
import type { Runtime } from "@/server/process/runtime";

/** An attempt that has begun. */
export interface PayIntent extends Intent {
  organization: string;
  payment: string;
  transaction: string;
  provider: string;
  livemode: boolean;
  amount: number;
  currency: string;
  captureMethod: "automatic" | "manual";
  /** Whether the provider keeps the card. Without an amount, that is all. */
  storesMethod: boolean;
  /** A time just before the attempt was written, by each clock of this process. */
  begunAt: number;
  begunWall: number;
  begunTicks: number;
}

interface Charging {
  ctx: ReadContext;
  input: Record<"card_number" | "expiry" | "security_code", string>;
  intent: PayIntent;
}

/** Asks the provider for the money of an attempt that has begun; null if it gave no answer in time. */
export async function chargeCard({ ctx: call, input, intent }: Charging): Promise<ChargeResult | null> {
  const ctx = await inTimeOf(call, intent.organization);
  const { transaction, amount, currency, captureMethod, storesMethod } = intent;
  const { card_number, expiry, security_code } = input;
  const details = { card_number, expiry, security_code };
  const request = { idempotencyKey: transaction, amount, currency, captureMethod, storesMethod, details };
  const { provider, livemode } = intent;
  return askProvider(ctx.runtime, {
    transactionId: transaction,
    provider,
    livemode,
    what: "charge",
    // Check the deadline last, right before the call: look-ups rely on no call starting after it.
    ask: (at, signal) =>
      sinceBegun(ctx, intent) < limits.charge.startMs ? at.start(request, signal) : Promise.resolve(neverMade),
  });
}

/** The same of a stored card, without the payer. The runtime has the organization's time. */
export function chargeStored(
  runtime: Runtime,
  intent: PayIntent,
  methodReference: string,
): Promise<ChargeResult | null> {
  const { transaction, amount, currency, provider, livemode } = intent;
  const request = { idempotencyKey: transaction, amount, currency, methodReference };
  return askProvider(runtime, {
    ...{ transactionId: transaction, provider, livemode, what: "charge" },
    // Check the deadline last, as above.
    ask: (at, signal) =>
      sinceBegun({ runtime }, intent) < limits.charge.startMs
        ? at.chargeStored(request, signal)
        : Promise.resolve(neverMade),
  });
}

/** The readings of this process's clocks: the runtime's, the system's and the monotonic clock. */
export const begunNow = ({ runtime }: WriteContext): Pick<PayIntent, "begunAt" | "begunWall" | "begunTicks"> => ({
  begunAt: realNow(runtime.clock),
  begunWall: Date.now(),
  begunTicks: performance.now(),
});

/**
 * Milliseconds since the attempt was written: the largest value of all clocks. Corrections never slow the monotonic
 * clock, but it may stop while the machine sleeps or a virtual machine is paused; the system clock then shows the time.
 */
const sinceBegun = ({ runtime }: Pick<ReadContext, "runtime">, { begunAt, begunWall, begunTicks }: PayIntent): number =>
  Math.max(realNow(runtime.clock) - begunAt, Date.now() - begunWall, performance.now() - begunTicks);
