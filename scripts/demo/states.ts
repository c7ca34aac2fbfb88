// The states that the rest of the story leaves out: drafts, disputes, and requests that failed, expired or just began.
import { simulateEvent } from "@/server/domains/sandbox/operations/simulate";
import { dayMs, hourMs, limits } from "@/server/kit/limits";
import { cakes, catering, delivery, firms, people } from "./bakery";
import type { Business, RequestFields } from "./business";
import { challenged, goodCards, refused, troubled } from "./cards";
import type { Timeline } from "./timeline";

interface Story {
  business: Business;
  timeline: Timeline;
}

const [visa = "", mastercard = "", amex = ""] = goodCards;

/** Plans all of them in the last days before `end`, in epoch ms, for the bakery's account. */
export function planStates(story: Story, end: number, bakery: string): void {
  const { business, timeline } = story;
  const ask = (description: string, amount: number, more: Partial<RequestFields>) =>
    business.ask({ type: "product", account_id: bakery, currency: "EUR", description, amount, ...more });
  planDrafts(story, end, bakery);
  planDisputes(story, end, ask);
  // Nobody captures this one in time.
  timeline.plan(end - 9 * dayMs, async () => {
    const request = await ask("Deposit for six cake stands", 12_000, {
      customer: people[16],
      capture_method: "manual",
    });
    await business.pay(request, mastercard);
  });
  timeline.plan(end - 4 * dayMs, async () => {
    const request = await ask("Sourdough starter, by post", 1_800, { customer: people[17] });
    for (let attempt = 0; attempt < limits.failures.declined; attempt++) await business.pay(request, refused);
  });
  timeline.plan(end - 9 * dayMs, () => {
    const expires_at = iso(end - 6 * dayMs);
    return ask("Table for the harvest brunch", 6_400, { customer: people[18], expires_at });
  });
  timeline.plan(end - 3 * 60_000, async () => {
    const fields = { type: "subscription", customer: people[19], subscription: { interval: "week" } } as const;
    await business.pay(await ask("Bread box, weekly", 1_450, fields), challenged);
  });
  // The connection to the provider breaks, and the product asks for the outcome once the demo has begun.
  timeline.plan(end - 2_000, async () => {
    await business.pay(await ask("Two quiches for lunch", 3_150, { customer: people[20] }), troubled, "998");
  });
}

/** One draft of each kind; nobody has asked the customer yet. */
function planDrafts({ business, timeline }: Story, end: number, account_id: string): void {
  const draft = { account_id, currency: "EUR", draft: true } as const;
  timeline.plan(end - 3 * hourMs, async () => {
    const line_items = cakes.slice(0, 1).map((cake) => ({ ...cake, quantity: 2 }));
    await business.ask({
      ...draft,
      type: "product",
      description: "Anniversary cakes",
      customer: people[21],
      line_items,
    });
    const buffet = { description: "Staff party in December", customer: firms[1], due_at: iso(end + 14 * dayMs) };
    const items = [...catering.slice(0, 1).map((food) => ({ ...food, quantity: 45 })), { ...delivery, quantity: 1 }];
    await business.ask({ ...draft, type: "invoice", ...buffet, line_items: items });
  });
}

type Ask = (description: string, amount: number, more: Partial<RequestFields>) => ReturnType<Business["ask"]>;

/** Customers dispute three payments at their banks: the newest dispute is open, one was lost, and one was won. */
function planDisputes({ business, timeline }: Story, end: number, ask: Ask): void {
  const disputes = [
    { days: 12, what: "Chocolate tart, express", amount: 4_200, card: visa, decision: "dispute_lost" },
    { days: 11, what: "Gift basket for a christening", amount: 6_900, card: mastercard, decision: "dispute_won" },
    { days: 5, what: "Cupcakes, three dozen", amount: 8_700, card: amex, decision: null },
  ] as const;
  for (const [i, { days, what, amount, card, decision }] of disputes.entries()) {
    timeline.plan(end - days * dayMs, async () => {
      const request = await ask(what, amount, { customer: people[i] });
      await business.pay(request, card);
      const simulate = (event: "dispute" | "dispute_won" | "dispute_lost") =>
        business.call(simulateEvent, { payment_id: request.id, event });
      timeline.plan(end - (days - 2) * dayMs, () => simulate("dispute"));
      if (decision !== null) timeline.plan(end - (days - 8) * dayMs, () => simulate(decision));
    });
  }
}

const iso = (ms: number): string => new Date(ms).toISOString();
