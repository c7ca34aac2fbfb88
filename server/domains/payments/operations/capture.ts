// POST /v1/payments/{payment_id}/capture: captures an authorization hold in full, or a part and releases the rest.
import * as z from "zod";
import { rules } from "@/server/access/rules";
import { schedule } from "@/server/domains/jobs/queue";
import type { ChargeResult } from "@/server/domains/providers/provider";
import { askProvider } from "@/server/domains/providers/registry";
import { requestCapture } from "@/server/domains/transactions/record-store";
import { settle } from "@/server/domains/transactions/settle";
import * as fields from "@/server/kit/fields";
import { limits } from "@/server/kit/limits";
import { type Intent, saga } from "@/server/kit/operation";
import { type AttemptRow, openHoldsOf } from "../attempt-store";
import { holdToCapture, refusalToCapture } from "../capture-rules";
import { amountDue } from "../derive";
import { factsOf } from "../facts";
import { linkSecret } from "../link-secret";
import { lockOfOpenAccount } from "../locked-payment";
import { describeKind } from "../rules";
import { payment, paymentId } from "../schema";
import { shownPayment } from "../shown";
import { lockPayment } from "../store";
import { openHold } from "../totals";

/** The decided capture: its transaction, its provider, the provider's reference and the amount. */
interface Capture extends Intent {
  transaction: string;
  provider: string;
  reference: string;
  livemode: boolean;
  amount: number;
}

export const capturePayment = saga({
  id: "payments.capture",
  summary: "Capture an authorized payment",
  description:
    "Captures the full authorization, or `amount` of it and releases the rest. An authorization is captured once. If " +
    "the provider does not answer, the payment request stays `authorized` until a later try succeeds or is refused.",
  access: rules["payments.capture"],
  time: "organization",
  rest: { method: "POST", path: "/v1/payments/{payment_id}/capture", extension: true },
  input: z
    .strictObject({
      payment_id: paymentId,
      amount: fields.amount.nullish().meta({ description: "Minor units; the full authorization by default." }),
    })
    .meta({ id: "CapturePayment" }),
  output: payment,
  secret: linkSecret,
  errors: {
    invalid_request: 400,
    insufficient_permissions: 400,
    email_not_verified: 400,
    payment_not_found: 400,
    account_not_found: 400,
    account_closed: 400,
    payment_processing: 400,
    payment_not_capturable: 400,
    authorization_expired: 400,
    already_captured: 400,
    capture_exceeds_authorization: 400,
  },
  async begin({ ctx, input, fail }): Promise<{ intent: Capture }> {
    const { locked: row } = await lockOfOpenAccount(ctx, input.payment_id, fail);
    const facts = await factsOf(ctx.db, row);
    const refusal = refusalToCapture(facts, ctx.now);
    if (refusal !== null) return fail(refusal, describeKind(row));
    const attempt = holdToCapture(facts, ctx.now);
    const hold =
      (await openHoldsOf(ctx.db, row.id)).find(({ id }) => id === attempt?.id) ?? fail("payment_not_capturable");
    // A late charge may have paid a part of what the hold is for.
    const most = Math.min(openHold(hold), amountDue(row));
    const amount = input.amount ?? most;
    if (amount > most) return fail("capture_exceeds_authorization");
    await requestCapture(ctx.db, hold.id, amount, ctx.now);
    ctx.audit({ target: row.id, detail: { transaction: hold.id, amount } });
    // If this call dies before the provider has answered, the look-up carries out the capture.
    const { organizationId } = row;
    const afterMs = limits.charge.firstLookupMs;
    await schedule(ctx, { kind: "payments.lookup", organizationId, objectId: hold.id, afterMs });
    return { intent: { ...atProvider(hold), amount } };
  },
  async perform({ ctx, intent }): Promise<ChargeResult | null> {
    const { transaction: transactionId, provider, livemode } = intent;
    return askProvider(ctx.runtime, {
      transactionId,
      provider,
      livemode,
      what: "capture",
      ask: (at, signal) => at.capture(intent.reference, intent.amount, signal),
    });
  },
  async finish({ ctx, input, intent, outcome, failAfterCommit }) {
    if (outcome) await settle(ctx, intent.transaction, outcome);
    ctx.audit({ target: input.payment_id, detail: { captured: outcome?.amountCaptured ?? null } });
    if (outcome?.status === "canceled") return failAfterCommit("authorization_expired");
    const row = await lockPayment(ctx.db, input.payment_id);
    if (!row) throw new Error(`The payment request ${input.payment_id} no longer exists.`);
    return shownPayment(ctx, row);
  },
});

function atProvider({ id, provider, providerReference, livemode }: AttemptRow) {
  if (provider === null || providerReference === null) throw new Error(`No provider holds the authorization of ${id}.`);
  return { transaction: id, provider, reference: providerReference, livemode };
}
