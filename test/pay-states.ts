// A payment request in each state of the pay page, reached by what payers and merchants do.
import { eq } from "drizzle-orm";
import { accounts } from "@/db/tables";
import { refundPayment } from "@/server/domains/payments/operations/refund";
import type { PayPageState } from "@/server/domains/payments/operations/view";
import { lostAnswerCode, troubledCard } from "@/server/domains/providers/test-cards";
import { cancelRequest } from "./merchant";
import type { PayPages } from "./pay-page";
import { ask, card, declineForGood, type Asked as Fields, goodCard } from "./payer";

type Asked = Awaited<ReturnType<PayPages["asked"]>>;

/** Creates a payment request in the state. */
export type Journeys = Record<PayPageState, () => Promise<Asked>>;

const lost = { card_number: troubledCard, expiry: "12/30", security_code: lostAnswerCode };

export function journeysOf(pages: PayPages): Journeys {
  const { world, acme } = pages;

  async function paidBy(typed: Record<string, string>, more: Fields = {}): Promise<Asked> {
    const asked = await pages.asked(more);
    await pages.pay(asked.token, typed);
    return asked;
  }

  async function refunded(amount?: number): Promise<Asked> {
    const asked = await paidBy(goodCard);
    const refund = { payment_id: asked.payment.payment_id, ...(amount === undefined ? {} : { amount }) };
    await world.call(refundPayment, acme.member.actor, refund);
    return asked;
  }

  return {
    open: () => pages.asked(),
    processing: () => paidBy(lost),
    requires_action: () => paidBy(card("4000002760003184")),
    paid: () => paidBy(goodCard),
    failed: async () => {
      const asked = await pages.asked();
      await declineForGood(world, asked.token);
      return asked;
    },
    authorized: () => paidBy(goodCard, { capture_method: "manual" }),
    refunded: () => refunded(),
    partially_refunded: () => refunded(250),
    expired: async () => {
      const asked = await pages.asked({ expires_at: new Date(world.clock.now() + 1).toISOString() });
      world.clock.advance(1);
      return asked;
    },
    canceled: async () => {
      const asked = await pages.asked();
      await cancelRequest(world, acme.member.actor, asked.payment.payment_id);
      return asked;
    },
    unavailable: async () => {
      const user = await world.user(acme.id);
      const asked = await ask(world, user.actor);
      const closed = { status: "closed" as const, closedAt: world.clock.now() };
      await world.runtime.db.write(
        async (tx) => void (await tx.update(accounts).set(closed).where(eq(accounts.id, user.accountId))),
      );
      return asked;
    },
  };
}
