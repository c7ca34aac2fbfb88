// Keeps the card that was stored together with a payment, and has those forgotten that nobody kept.
import type { TransactionRow } from "@/server/domains/transactions/present";
import type { WriteContext } from "@/server/kit/context";
import { isPaidUp } from "../derive";
import type { PaymentRow } from "../store";
import { forgetLater } from "./forget-later";
import { insertMethod, keptOnPageOf, type MethodRow, storedOn, storingChargesOf } from "./store";

/** The card that the payment request's page stored; null if none was. The caller has locked the payment request. */
export async function keepMethod(ctx: WriteContext, payment: PaymentRow): Promise<MethodRow | null> {
  if (payment.isTrial) return (await storedOn(ctx.db, payment.id)) ?? null;
  const charges = await storingChargesOf(ctx.db, payment.id);
  const newest = charges.findLast(({ charge }) => charge.amountCaptured > 0);
  return newest ? (newest.method ?? record(ctx, payment, newest.charge)) : null;
}

/**
 * Has all cards forgotten that the payment request has stored, except the one that its subscription charges: those of
 * attempts that were paid beside another one, too late, or not at all. The caller has locked it. Idempotent.
 */
export async function forgetOthers(ctx: WriteContext, payment: PaymentRow, usedId: string | null): Promise<void> {
  const cards = payment.isTrial ? await keptOnPageOf(ctx.db, payment.id) : await cardsOfCharges(ctx, payment);
  for (const card of cards) if (card.id !== usedId && card.providerReference !== null) await forgetLater(ctx, card);
}

/** The cards of its charges that have ended. One that took money may still be kept while the payment request is open. */
async function cardsOfCharges(ctx: WriteContext, payment: PaymentRow): Promise<MethodRow[]> {
  const isOver = isPaidUp(payment) || payment.canceledAt !== null;
  const cards: MethodRow[] = [];
  for (const { charge, method } of await storingChargesOf(ctx.db, payment.id)) {
    if (charge.settledAt === null || (charge.amountCaptured > 0 && !isOver)) continue;
    cards.push(method ?? (await record(ctx, payment, charge)));
  }
  return cards;
}

/** Inserts the row of the card that the charge stored. */
function record(ctx: WriteContext, payment: PaymentRow, charge: TransactionRow): Promise<MethodRow> {
  if (charge.provider === null) throw new Error(`${charge.id} has no provider.`);
  return insertMethod(ctx.db, {
    ...{ id: ctx.id("sme"), organizationId: payment.organizationId, accountId: payment.accountId },
    ...{ customerId: payment.customerId, paymentId: payment.id, transactionId: charge.id, status: "stored" },
    ...{ provider: charge.provider, providerReference: charge.storedMethod, paymentMethod: charge.paymentMethod },
    ...{ livemode: payment.livemode, settledAt: ctx.now, updatedAt: ctx.now },
    // Like that of a card that was stored without money, when its attempt began.
    createdAt: charge.createdAt,
  });
}
