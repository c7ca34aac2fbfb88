// A payment request in each state of the pay page, reached by what payers and merchants do.
import { eq } from "drizzle-orm";
import { accounts } from "@/db/tables";
import { refundPayment } from "@/server/domains/payments/operations/refund";
import { updatePaymentRequest } from "@/server/domains/payments/operations/update";
import type { PayPageState } from "@/server/domains/payments/operations/view";
import { lostAnswerCode, troubledCard } from "@/server/domains/providers/test-cards";
import { askMany, payUse } from "./link-payer";
import { cancelRequest } from "./merchant";
import type { PayPages } from "./pay-page";
import { ask, card, declineForGood, goodCard, type RequestFields } from "./payer";
import { simulate } from "./simulating";

type TestRequest = Awaited<ReturnType<PayPages["newRequest"]>>;

/** Creates a payment request in the state. */
export type Journeys = Record<PayPageState, () => Promise<TestRequest>>;

const lost = { card_number: troubledCard, expiry: "12/30", security_code: lostAnswerCode };

export function journeysOf(pages: PayPages): Journeys {
  const { world, acme } = pages;

  async function paidBy(typed: Record<string, string>, more: RequestFields = {}): Promise<TestRequest> {
    const request = await pages.newRequest(more);
    await pages.pay(request.token, typed);
    return request;
  }

  async function refunded(amount?: number): Promise<TestRequest> {
    const request = await paidBy(goodCard);
    const refund = { payment_id: request.payment.payment_id, ...(amount === undefined ? {} : { amount }) };
    await world.call(refundPayment, acme.member.actor, refund);
    return request;
  }

  /** A reusable link whose last place is paid by this card. */
  async function used(method: typeof goodCard): Promise<TestRequest> {
    const request = await askMany(world, acme.member.actor, { usage_limit: 2 });
    for (const each of [goodCard, method]) await payUse(world, request.token, each);
    return request;
  }

  return {
    open: () => pages.newRequest(),
    processing: () => paidBy(lost),
    requires_action: () => paidBy(card("4000002760003184")),
    paid: () => paidBy(goodCard),
    failed: async () => {
      const request = await pages.newRequest();
      await declineForGood(world, request.token);
      return request;
    },
    authorized: () => paidBy(goodCard, { capture_method: "manual" }),
    refunded: () => refunded(),
    partially_refunded: () => refunded(250),
    disputed: async () => {
      const request = await paidBy(goodCard);
      await simulate(world, acme, request.payment.payment_id, "dispute");
      return request;
    },
    expired: async () => {
      const request = await pages.newRequest({ expires_at: new Date(world.clock.now() + 1).toISOString() });
      world.clock.advance(1);
      return request;
    },
    canceled: async () => {
      const request = await pages.newRequest();
      await cancelRequest(world, acme.member.actor, request.payment.payment_id);
      return request;
    },
    used_up: () => used(goodCard),
    taken: () => used(card("4000002760003184")),
    link_paused: async () => {
      const request = await pages.newRequest({ usage_limit: null });
      const { payment_id } = request.payment;
      await world.call(updatePaymentRequest, acme.member.actor, { payment_id, paused: true });
      return request;
    },
    unavailable: async () => {
      const user = await world.user(acme.id);
      const request = await ask(world, user.actor);
      const closed = { status: "closed" as const, closedAt: world.clock.now() };
      await world.runtime.db.write(
        async (tx) => void (await tx.update(accounts).set(closed).where(eq(accounts.id, user.accountId))),
      );
      return request;
    },
  };
}
