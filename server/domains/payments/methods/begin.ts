// Records that an attempt to store a card without money begins with a card link of a subscription, which is locked, and so
// is the payment request that began it.
import { schedule } from "@/server/domains/jobs/queue";
import type { WriteContext } from "@/server/kit/context";
import { limits } from "@/server/kit/limits";
import { realNow } from "@/server/process/clock";
import { begunNow, type PayIntent } from "../charge-card";
import type { PaymentRow } from "../store";
import { insertMethod } from "./store";

interface Beginning {
  provider: string;
  attemptKey: string;
  /** The hash of the card link. */
  cardLink: string;
  /** The customer of the subscription. */
  customerId: string | null;
}

/** Records that an attempt begins, and schedules its look-up. */
export async function beginStoring(ctx: WriteContext, first: PaymentRow, given: Beginning): Promise<PayIntent> {
  const { organizationId, accountId, currency, livemode } = first;
  // Read before the deadline is written, as for a charge: see begin-attempt.ts.
  const begun = begunNow(ctx);
  const row = { id: ctx.id("sme"), organizationId, accountId, paymentId: first.id, livemode, ...given };
  const more = { status: "processing" as const, createdAt: ctx.now, updatedAt: ctx.now };
  const { id } = await insertMethod(ctx.db, { ...row, ...more }, limits.charge.startMs);
  await schedule(ctx, {
    ...{ kind: "payments.look_up_method", organizationId, objectId: id },
    afterMs: realNow(ctx.runtime.clock) - ctx.realNow + limits.charge.firstLookupMs,
  });
  return {
    ...{ organization: organizationId, account: accountId, payment: first.id, transaction: id },
    ...{ provider: given.provider, livemode, amount: 0, currency, captureMethod: "automatic", storesMethod: true },
    ...begun,
  };
}
