// The demo's subscriptions: in each currency, and in each state that a subscription can be in for a while.
import { cancelSubscription, pauseSubscription } from "@/server/domains/subscriptions/operations/change";
import { getSubscription } from "@/server/domains/subscriptions/operations/read";
import { dayMs, hourMs } from "@/server/kit/limits";
import { firms, japanese, kuwaiti, people } from "./bakery";
import type { Business, RequestFields } from "./business";
import { declinedLater, goodCards, jcb } from "./cards";
import type { Timeline } from "./timeline";

interface Story {
  business: Business;
  timeline: Timeline;
}

interface Plan {
  /** How many days before the end it begins. */
  begun: number;
  card: string;
  fields: Pick<RequestFields, "account_id" | "currency" | "description" | "amount" | "customer" | "subscription">;
  /** What becomes of it, and how many days before the end. */
  later?: { days: number; act(id: string): Promise<unknown> };
}

const weekly = { interval: "week" } as const;
const mornings = { interval: "day", cycles: 5 } as const;
const monthly = { interval: "month" } as const;
const [visa = "", mastercard = "", amex = "", debit = ""] = goodCards;

/** Plans every subscription. Each is paid, renewed and changed by the product. */
export function planSubscriptions(
  { business, timeline }: Story,
  end: number,
  shops: Record<"bakery" | "tokyo" | "kuwait", string>,
): void {
  const eur = { account_id: shops.bakery, currency: "EUR" };
  const jpy = { account_id: shops.tokyo, currency: "JPY" };
  const kwd = { account_id: shops.kuwait, currency: "KWD" };
  const breadBox = { ...eur, description: "Bread box, weekly", amount: 1_450, subscription: weekly };
  const office = { ...eur, description: "Coffee and rolls for the office", amount: 28_900, subscription: monthly };
  const club = { ...eur, description: "Cake club", amount: 2_400, subscription: { ...monthly, trial_days: 14 } };
  const stollen = { ...eur, description: "Stollen in four parcels", amount: 1_900 };
  const advent = { ...eur, description: "Advent breakfast, five mornings", amount: 950, subscription: mornings };
  const melonpan = { ...jpy, description: "Melonpan box, monthly", amount: 3_600, subscription: monthly };
  const class_ = { ...jpy, description: "Baking class, online", amount: 1_980 };
  const dates = { ...kwd, description: "Date cakes for the office", amount: 18_500, subscription: weekly };
  const brunch = { ...kwd, description: "Family brunch", amount: 32_250, subscription: monthly };

  const pause = (days: number) => (subscription_id: string) =>
    business.call(pauseSubscription, { subscription_id, resume_at: new Date(end + days * dayMs).toISOString() });
  const cancel = (at: "now" | "period_end") => (subscription_id: string) =>
    business.call(cancelSubscription, { subscription_id, at });

  const plans: Plan[] = [
    { begun: 84, card: visa, fields: { ...office, customer: firms[0] } },
    { begun: 66, card: mastercard, fields: { ...breadBox, customer: people[0] } },
    { begun: 72, card: jcb, fields: { ...melonpan, customer: japanese[0] } },
    { begun: 39, card: amex, fields: { ...dates, customer: kuwaiti[0] } },
    { begun: 5, card: debit, fields: { ...club, customer: people[10] } },
    { begun: 3, card: jcb, fields: { ...class_, customer: japanese[1], subscription: { ...monthly, trial_days: 7 } } },
    { begun: 9, card: declinedLater, fields: { ...breadBox, customer: people[4] } },
    { begun: 16, card: declinedLater, fields: { ...breadBox, customer: people[5] } },
    { begun: 47, card: visa, fields: { ...breadBox, customer: people[7] }, later: { days: 6, act: pause(15) } },
    {
      begun: 50,
      card: debit,
      fields: { ...brunch, customer: kuwaiti[1] },
      later: { days: 4, act: cancel("period_end") },
    },
    {
      begun: 58,
      card: mastercard,
      fields: { ...breadBox, customer: people[12] },
      later: { days: 20, act: cancel("now") },
    },
    { begun: 13, card: mastercard, fields: { ...advent, customer: people[16] } },
    { begun: 36, card: visa, fields: { ...stollen, customer: people[15], subscription: { ...weekly, cycles: 4 } } },
  ];
  for (const [i, { begun, card, fields, later }] of plans.entries()) {
    timeline.plan(end - begun * dayMs - i * hourMs, async () => {
      const request = await business.ask({ type: "subscription", ...fields });
      await business.pay(request, card);
      const id = await business.subscriptionOf(request);
      if (id === null) throw new Error(`No subscription began: ${fields.description}`);
      if (later) timeline.plan(end - later.days * dayMs, () => later.act(id));
      await renewOnTime({ business, timeline }, id);
    });
  }
}

/** Carries out each renewal of a subscription at its own instant, and not only at the end of the day. */
export async function renewOnTime({ business, timeline }: Story, id: string): Promise<void> {
  const { next_charge_at: next } = await business.call(getSubscription, { subscription_id: id });
  if (next === null) return;
  timeline.plan(Date.parse(next), async () => {
    await business.doDueJobs();
    await renewOnTime({ business, timeline }, id);
  });
}
