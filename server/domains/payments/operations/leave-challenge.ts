// Gives up an attempt that waits for the payer's confirmation, so that the payer can pay another way.
import * as z from "zod";
import { rules } from "@/server/access/rules";
import { schedule } from "@/server/domains/jobs/queue";
import { inTimeOf } from "@/server/domains/organizations/time";
import type { ChargeResult } from "@/server/domains/providers/provider";
import { askProvider } from "@/server/domains/providers/registry";
import { reserve } from "@/server/fairness/throttle";
import { limits } from "@/server/kit/limits";
import { type Intent, saga } from "@/server/kit/operation";
import { challengedAttemptOf } from "../attempt-store";
import { findLinked } from "../linked";
import { formThrottle } from "../pay-throttles";
import { settleAttempt } from "../settle-attempt";
import { lockPayment } from "../store";

interface Leaving extends Intent {
  payment: string;
  organizationId: string;
  transaction: string;
  provider: string;
  reference: string;
  livemode: boolean;
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
    await reserve(ctx.db, ctx.realNow, [formThrottle(ctx, payment.id)]);
    ctx.audit({ target: payment.id, organizationId, detail: { transaction: attempt.id } });
    const { id: transaction, provider, providerReference: reference, livemode } = attempt;
    // If this call dies before the provider has answered, the look-up settles the attempt.
    const afterMs = Math.min(limits.charge.firstLookupMs, attempt.createdAt + limits.charge.confirmMs - ctx.now);
    await schedule(ctx, { kind: attempt.lookUp, organizationId, objectId: transaction, afterMs });
    return { intent: { payment: payment.id, organizationId, transaction, provider, reference, livemode } };
  },
  async perform({ ctx: call, intent }): Promise<ChargeResult | null> {
    const ctx = await inTimeOf(call, intent.organizationId);
    const { transaction: transactionId, provider, livemode } = intent;
    return askProvider(ctx.runtime, {
      transactionId,
      provider,
      livemode,
      what: "cancel",
      ask: (at, signal) => at.cancel(intent.reference, "requires_action", signal),
    });
  },
  async finish({ ctx: call, intent, outcome }) {
    const ctx = await inTimeOf(call, intent.organizationId);
    if (outcome) await settleAttempt(ctx, intent.transaction, outcome);
    const { organizationId } = intent;
    ctx.audit({ target: intent.payment, organizationId, detail: { outcome: outcome?.status ?? null } });
    return { payment_id: intent.payment };
  },
});
