// The card that was stored while a payment request was paid, or at the begin of a trial.
import type { WriteContext } from "@/server/kit/context";
import type { PaymentRow } from "../store";
import { insertMethod, type MethodRow, storedOn, storingChargeOf } from "./store";

/** The card that the payment request's page stored; null if none was. The caller has locked the payment request. */
export async function keepMethod(ctx: WriteContext, payment: PaymentRow): Promise<MethodRow | null> {
  const known = (await storedOn(ctx.db, payment.id)) ?? null;
  if (payment.isTrial) return known;
  const charge = await storingChargeOf(ctx.db, payment.id);
  if (!charge || charge.provider === null || known?.transactionId === charge.id) return known;
  return insertMethod(ctx.db, {
    ...{ id: ctx.id("sme"), organizationId: payment.organizationId, accountId: payment.accountId },
    ...{ customerId: payment.customerId, paymentId: payment.id, transactionId: charge.id, status: "stored" },
    ...{ provider: charge.provider, providerReference: charge.storedMethod, paymentMethod: charge.paymentMethod },
    ...{ livemode: payment.livemode, settledAt: ctx.now, updatedAt: ctx.now },
    // Like that of a card that was stored without money, when its attempt began.
    createdAt: charge.createdAt,
  });
}
