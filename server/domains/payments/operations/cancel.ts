// POST /v1/payments/{payment_id}/cancel: cancels a payment request and releases an open authorization hold.
import * as z from "zod";
import { rules } from "@/server/access/rules";
import { schedule } from "@/server/domains/jobs/queue";
import type { ChargeResult } from "@/server/domains/providers/provider";
import { askProvider } from "@/server/domains/providers/registry";
import { settle } from "@/server/domains/transactions/settle";
import type { WriteContext } from "@/server/kit/context";
import * as fields from "@/server/kit/fields";
import { limits } from "@/server/kit/limits";
import { saga } from "@/server/kit/operation";
import { type AttemptRow, openHoldsOf } from "../attempt-store";
import { factsOf } from "../facts";
import { linkSecret } from "../link-secret";
import { cancelUses } from "../links/cancel-uses";
import { isReusable } from "../links/usage";
import { lockOfOpenAccount } from "../locked-payment";
import { refreshPayment } from "../refresh";
import { refusalToCancel } from "../rules";
import { payment, paymentId } from "../schema";
import { shownPayment } from "../shown";
import { lockPayment, type PaymentRow } from "../store";

/** The authorization hold to release: its transaction, its provider and the provider's reference. */
interface Hold {
  [name: string]: string | boolean;
  transaction: string;
  provider: string;
  reference: string;
  livemode: boolean;
}

export const cancelPayment = saga({
  id: "payments.cancel",
  summary: "Cancel a payment request",
  description:
    "It can no longer be paid. An open authorization is released; those of a reusable link's uses stay, to be captured or canceled one by one.",
  access: rules["payments.cancel"],
  time: "organization",
  rest: { method: "POST", path: "/v1/payments/{payment_id}/cancel", extension: true },
  input: z
    .strictObject({
      payment_id: paymentId,
      reason: fields
        .text(limits.reason)
        .nullish()
        .meta({ description: "Why it is canceled, for its page. Payers never see it." }),
    })
    .meta({ id: "CancelPayment" }),
  output: payment,
  secret: linkSecret,
  errors: {
    invalid_request: 400,
    insufficient_permissions: 400,
    payment_not_found: 400,
    account_not_found: 400,
    account_closed: 400,
    payment_not_cancelable: 400,
    payment_processing: 400,
  },
  async begin({ ctx, input, fail }): Promise<{ intent: Hold } | { answer: z.input<typeof payment> }> {
    const { locked } = await lockOfOpenAccount(ctx, input.payment_id, fail);
    const refusal = refusalToCancel(await factsOf(ctx.db, locked), ctx.now);
    if (refusal !== null) return fail(refusal);
    const canceled = { canceledAt: ctx.now, cancellationReason: input.reason ?? null };
    const row = await refreshPayment(ctx, locked.id, canceled);
    if (isReusable(row)) await cancelUses(ctx, row);
    // Not the reason, which may name a person: audit entries cannot be erased.
    ctx.audit({ target: row.id, detail: { previous_status: locked.status } });
    const [hold] = await openHoldsOf(ctx.db, locked.id);
    // Look-ups release all holds. The look-up of this hold is delayed: it is needed only if this process dies before
    // the provider answers.
    if (hold) await scheduleLookup(ctx, hold, limits.charge.firstLookupMs);
    if (!hold?.provider || !hold.providerReference) return { answer: await answerOf(ctx, row) };
    const intent: Hold = {
      transaction: hold.id,
      provider: hold.provider,
      reference: hold.providerReference,
      livemode: hold.livemode,
    };
    return { intent };
  },
  async perform({ ctx, intent }): Promise<ChargeResult | null> {
    const { transaction: transactionId, provider, livemode } = intent;
    return askProvider(ctx.runtime, {
      transactionId,
      provider,
      livemode,
      what: "release",
      ask: (at, signal) => at.cancel(intent.reference, "authorized", signal),
    });
  },
  async finish({ ctx, input, intent, outcome }) {
    if (outcome) await settle(ctx, intent.transaction, outcome);
    ctx.audit({ target: intent.transaction, detail: { released: outcome?.status ?? null } });
    const row = await lockPayment(ctx.db, input.payment_id);
    if (!row) throw new Error(`The payment request ${input.payment_id} no longer exists.`);
    return answerOf(ctx, row);
  },
});

const scheduleLookup = (
  ctx: WriteContext,
  { id: objectId, organizationId }: AttemptRow,
  afterMs: number,
): Promise<void> => schedule(ctx, { kind: "payments.lookup", organizationId, objectId, afterMs });

async function answerOf(ctx: WriteContext, row: PaymentRow) {
  return shownPayment(ctx, row);
}
