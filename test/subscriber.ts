// A subscriber in tests: a payment request of type subscription, paid on its page, and the subscription that it began.
import { eq } from "drizzle-orm";
import { sandboxOperations, subscriptionCycles, subscriptions } from "@/db/tables";
import { answerChallenge } from "@/server/domains/payments/operations/challenge";
import {
  cancelSubscription,
  pauseSubscription,
  resumeSubscription,
} from "@/server/domains/subscriptions/operations/change";
import { getSubscription } from "@/server/domains/subscriptions/operations/read";
import { updateSubscriptionFields } from "@/server/domains/subscriptions/operations/update";
import type { SubscriptionRow } from "@/server/domains/subscriptions/store";
import type { Actor } from "@/server/kit/context";
import { anyone, ask, goodCard, openPage, payWith, type RequestFields, transactionsOf } from "./payer";
import type { World } from "./world";

export const monthly = { interval: "month", interval_count: 1 } as const;

/** Pays a payment request of type subscription, and returns the id of the subscription that begins. */
export async function subscribe(
  world: World,
  actor: Actor,
  fields: RequestFields = {},
  method: Parameters<typeof payWith>[2] = goodCard,
) {
  const asked = await ask(world, actor, { type: "subscription", subscription: monthly, ...fields });
  await payWith(world, asked.token, method);
  const row = await subscriptionOf(world, asked.payment.payment_id);
  if (!row) throw new Error("No subscription began.");
  return { ...asked, id: row.id };
}

/** The subscription that the payment request began. */
export async function subscriptionOf(world: World, paymentId: string): Promise<SubscriptionRow | undefined> {
  const rows = await world.runtime.db.read
    .select()
    .from(subscriptions)
    .where(eq(subscriptions.firstPaymentId, paymentId))
    .orderBy(subscriptions.createdAt);
  return rows.at(-1);
}

export const readOne = (world: World, actor: Actor, id: string) =>
  world.call(getSubscription, actor, { subscription_id: id });

/** The commands on subscriptions, as the actor gives them at that time. */
export const commandsOf = (world: () => World, actor: () => Actor) => ({
  cancel: (id: string, at: "now" | "period_end" = "now") =>
    world().call(cancelSubscription, actor(), { subscription_id: id, at }),
  pause: (id: string, resume_at: string | null = null) =>
    world().call(pauseSubscription, actor(), { subscription_id: id, resume_at }),
  resume: (id: string) => world().call(resumeSubscription, actor(), { subscription_id: id }),
  keep: (id: string) => world().call(resumeSubscription, actor(), { subscription_id: id, cancel_at_period_end: false }),
  amount: (id: string, amount: number) =>
    world().call(updateSubscriptionFields, actor(), { subscription_id: id, amount }),
});

/** The cycles of a subscription, oldest first. */
export const cyclesOf = (world: World, id: string) =>
  world.runtime.db.read
    .select()
    .from(subscriptionCycles)
    .where(eq(subscriptionCycles.subscriptionId, id))
    .orderBy(subscriptionCycles.cycle);

/** Confirms the attempt that waits on the page, as its payer does with the bank. */
export async function confirmOn(world: World, token: string): Promise<void> {
  const { action_url: url } = await openPage(world, token);
  const reference = url?.split("/").at(-1) ?? "";
  await world.call(answerChallenge, anyone, { reference, answer: "complete" });
}

/** Makes the bank refuse further charges of the card that paid the payment request: it was stolen. */
export async function refuseForGood(world: World, paymentId: string): Promise<void> {
  const [first] = await transactionsOf(world, paymentId);
  const decline = { code: "stolen_card", message: "The card was reported stolen." };
  await world.runtime.db.write(async (tx) => {
    const of = eq(sandboxOperations.reference, first?.providerReference ?? "");
    const [row] = await tx.select().from(sandboxOperations).where(of);
    await tx
      .update(sandboxOperations)
      .set({ outcome: { ...row?.outcome, stored: { decline } } })
      .where(of);
  });
}
