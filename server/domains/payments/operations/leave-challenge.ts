// Gives up an attempt that waits for the payer's confirmation, so that the payer can pay another way.
import * as z from "zod";
import { rules } from "@/server/access/rules";
import { schedule } from "@/server/domains/jobs/queue";
import { inTimeOf } from "@/server/domains/organizations/time";
import type { ChargeResult } from "@/server/domains/providers/provider";
import { askProvider } from "@/server/domains/providers/registry";
import { reserve } from "@/server/fairness/throttle";
import type { ReadContext, WriteContext } from "@/server/kit/context";
import { limits } from "@/server/kit/limits";
import { type Intent, saga } from "@/server/kit/operation";
import { type Challenged, challengedAttemptOf } from "../attempt-store";
import { findLinked } from "../linked";
import { formThrottle } from "../pay-throttles";
import { settleAttempt } from "../settle-attempt";
import { lockPayment } from "../store";

/** An attempt that its payer leaves. */
export interface Leaving extends Intent {
  payment: string;
  organizationId: string;
  transaction: string;
  provider: string;
  reference: string;
  livemode: boolean;
}

interface Recording {
  ctx: WriteContext;
  intent: Leaving;
  outcome: ChargeResult | null;
}

export const leaveChallenge = saga({
  id: "payments.leaveChallenge",
  summary: "Give up confirming a payment",
  access: rules["pay.link"],
  idempotent: false,
  input: z.strictObject({ token: z.string().max(limits.linkToken) }),
  output: z.strictObject({ payment_id: z.string() }),
  errors: { payment_not_found: 404 },
  async begin({
    ctx: call,
    input,
    fail,
  }): Promise<{ intent: Leaving } | { answer: { payment_id: string }; unchanged: true }> {
    const { ctx, payment } = (await findLinked(call, input.token)) ?? fail("payment_not_found");
    await lockPayment(ctx.db, payment.id);
    const attempt = await challengedAttemptOf(ctx.db, payment);
    const { organizationId } = payment;
    if (!attempt?.provider || !attempt.providerReference) {
      return { answer: { payment_id: payment.id }, unchanged: true };
    }
    const { id: transaction, provider, providerReference: reference, livemode } = attempt;
    const intent = { payment: payment.id, organizationId, transaction, provider, reference, livemode };
    await beginLeaving(ctx, intent, attempt);
    return { intent };
  },
  perform: leaveAttempt,
  finish: recordLeaving,
});

/** Records that the payer leaves the attempt, whose payment request is locked. */
export async function beginLeaving(
  ctx: WriteContext,
  { payment, organizationId, transaction }: Leaving,
  { createdAt, lookUp }: Pick<Challenged, "createdAt" | "lookUp">,
): Promise<void> {
  await reserve(ctx.db, ctx.realNow, [formThrottle(ctx, payment)]);
  ctx.audit({ target: payment, organizationId, detail: { transaction } });
  // If this call dies before the provider has answered, the look-up settles the attempt.
  const afterMs = Math.min(limits.charge.firstLookupMs, createdAt + limits.charge.confirmMs - ctx.now);
  await schedule(ctx, { kind: lookUp, organizationId, objectId: transaction, afterMs });
}

/** Tells the provider; null if it gave no answer in time. */
export async function leaveAttempt({ ctx: call, intent }: { ctx: ReadContext; intent: Leaving }) {
  const ctx = await inTimeOf(call, intent.organizationId);
  const { transaction: transactionId, provider, livemode } = intent;
  return askProvider<ChargeResult>(ctx.runtime, {
    transactionId,
    provider,
    livemode,
    what: "cancel",
    ask: (at, signal) => at.cancel(intent.reference, "requires_action", signal),
  });
}

/** Records what the provider answered. */
export async function recordLeaving({ ctx: call, intent, outcome }: Recording): Promise<{ payment_id: string }> {
  const ctx = await inTimeOf(call, intent.organizationId);
  if (outcome) await settleAttempt(ctx, intent.transaction, outcome);
  const { organizationId } = intent;
  ctx.audit({ target: intent.payment, organizationId, detail: { outcome: outcome?.status ?? null } });
  return { payment_id: intent.payment };
}
