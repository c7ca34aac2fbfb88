// The day of the next charge, wherever a customer or a merchant reads one: it is a day on which something is charged.
import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { mails } from "@/db/tables";
import { markPaid } from "@/server/domains/payments/operations/mark-paid";
import { createCardLink } from "@/server/domains/subscriptions/operations/card-link";
import { viewCardPage } from "@/server/domains/subscriptions/operations/card-page";
import { updateSubscriptionFields } from "@/server/domains/subscriptions/operations/update";
import { runSubscription } from "@/server/domains/subscriptions/run";
import { dayMs } from "@/server/kit/limits";
import { runJobs } from "../jobs";
import { anyone, ask, card, tokenOf } from "../payer";
import { planFault } from "../provider-faults";
import { moveClock } from "../sandbox-clock";
import { commandsOf, cyclesOf, monthly, readOne, refuseForGood, subscribe, subscriptionOf } from "../subscriber";
import { openWorld, type TestOrganization, type World } from "../world";

let world: World;
let acme: TestOrganization;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  acme = await world.organization();
});
afterAll(() => world.close());

const actor = () => acme.member.actor;
const command = commandsOf(() => world, actor);
const advance = (duration: string) => moveClock(world, acme.admin.actor, duration);
const begin = (fields: Parameters<typeof subscribe>[2] = {}, method?: Parameters<typeof subscribe>[3]) =>
  subscribe(world, actor(), { customer: { email: `grace.${acme.id}@example.com` }, ...fields }, method);
const weekly = { subscription: { interval: "week", interval_count: 1 } } as const;
const refused = card("4000000000000341");
const shown = (id: string) => readOne(world, actor(), id);
/** The texts of the customer's mails of a kind, oldest first. */
async function told(kind: (typeof mails.$inferSelect)["kind"]): Promise<string[]> {
  const ofKind = and(eq(mails.organizationId, acme.id), eq(mails.kind, kind));
  const rows = await world.runtime.db.read.select().from(mails).where(ofKind);
  return rows.sort((a, b) => a.createdAt - b.createdAt).map(({ text }) => text ?? "");
}
const day = (at: number) => new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" }).format(at);
/** Pauses for 82 days from the begin of the period, which is not the begin of another one. */
async function pauseForLong(id: string): Promise<void> {
  const { current_period_start: start } = await shown(id);
  await command.pause(id, new Date(Date.parse(start ?? "") + 82 * dayMs).toISOString());
}

describe("during a pause that ends by itself", () => {
  it("the mail about a new price names the begin of the first period after it", async () => {
    const { id } = await begin();
    await advance("P5D");
    await pauseForLong(id);
    await command.amount(id, 2500);
    await advance("P120D");
    const first = (await cyclesOf(world, id)).find(({ amount }) => amount === 2500);
    expect((await told("amount_changed"))[0]).toContain(`First charged on: ${day(first?.periodStart ?? 0)}`);
  });

  it("the mail that it does not end names the same day", async () => {
    const { id } = await begin();
    await advance("P5D");
    await command.cancel(id, "period_end");
    await pauseForLong(id);
    await command.keep(id);
    await advance("P120D");
    const [, next] = await cyclesOf(world, id);
    expect((await told("subscription_kept"))[0]).toContain(`Next charge: ${day(next?.periodStart ?? 0)}`);
  });
});

it("while a renewal is not paid, the mail about a new price names no day", async () => {
  const { id } = await begin(weekly, refused);
  await advance("P10D");
  await command.amount(id, 2500);
  const [text] = await told("amount_changed");
  expect(text).toContain("€25.00");
  expect(text).not.toContain("First charged on");
  expect(text).toContain("If you do not agree, reply to this e-mail to reach");
});

it("during a pause without an end, the mail about a new price asks nobody to reply before a day", async () => {
  const { id } = await begin(weekly);
  await command.pause(id);
  await command.amount(id, 2500);
  const [text] = await told("amount_changed");
  expect(text).not.toMatch(/First charged on|before then/);
  await command.resume(id);
  await command.amount(id, 2600);
  const dated = (await told("amount_changed")).find((one) => one.includes("€26.00"));
  for (const said of ["First charged on", "before then"]) expect(dated).toContain(said);
});

describe("a subscription that ends with its period", () => {
  it("is charged no more, says the API, the card page and the mail that leads to it", async () => {
    const { id } = await begin();
    const { next_charge_at } = await shown(id);
    await command.cancel(id, "period_end");
    expect((await shown(id)).next_charge_at).toBeNull();
    const { url } = await world.call(createCardLink, actor(), { subscription_id: id, send: true });
    const page = await world.call(viewCardPage, anyone, { token: tokenOf(url) });
    expect(page.subscription?.next_charge_at).toBeNull();
    expect((await told("card_link"))[0]).not.toContain(day(Date.parse(next_charge_at ?? "")));
    await command.keep(id);
    expect((await shown(id)).next_charge_at).toBe(next_charge_at);
  });

  it("has a new price that no mail announces", async () => {
    const { id } = await begin();
    await command.cancel(id, "period_end");
    await command.amount(id, 2500);
    expect(await told("amount_changed")).toEqual([]);
  });

  it("asks for the unpaid renewal only, and names the tries before its end and none after it", async () => {
    const { id } = await begin(weekly, refused);
    await advance("P9D");
    await command.cancel(id, "period_end");
    const { current_period_end: end, next_charge_at } = await shown(id);
    expect(Date.parse(next_charge_at ?? "")).toBeLessThan(Date.parse(end ?? ""));
    await advance("P4D");
    const last = (await told("renewal_failed")).at(-1) ?? "";
    expect(last).toContain("ends with this period");
    expect(last).toContain(`Ends on: ${day(Date.parse(end ?? ""))}`);
    expect(last).not.toMatch(/To keep it|next periods|(Next|Last) try/);
    expect((await shown(id)).next_charge_at).toBeNull();
  });
});

describe("a subscription that is canceled at the end of a period that is not paid", () => {
  const isOpen = "The current period is not paid yet, so the stored card may still be charged for it.";
  const endingOf = async (id: string) => {
    await command.cancel(id, "period_end");
    return (await told("subscription_ending"))[0] ?? "";
  };

  it("names the next try of its renewal, and does not say that nothing more is charged", async () => {
    const { id } = await begin({}, refused);
    await advance("P32D");
    const ending = await endingOf(id);
    const { current_period_end: end, next_charge_at: next } = await shown(id);
    expect(ending).toContain(isOpen);
    expect(ending).toContain("No further period is charged.");
    expect(ending).toContain(`Next try with the stored card: ${day(Date.parse(next ?? ""))}`);
    expect(ending).toContain(`Ends on: ${day(Date.parse(end ?? ""))}`);
    expect(ending).not.toContain("Nothing more is charged");
  });

  it("warns before the last try that the subscription ends at once, or else on its day", async () => {
    const { id } = await begin({}, refused);
    await advance("P32D");
    const end = (await shown(id)).current_period_end ?? "";
    await command.cancel(id, "period_end");
    await advance("P4D");
    const failed = await told("renewal_failed");
    expect(failed.filter((text) => text.includes("ends at once"))).toHaveLength(1);
    await command.keep(id);
    await command.cancel(id, "period_end");
    const last = day(Date.parse((await shown(id)).next_charge_at ?? ""));
    const endings = await told("subscription_ending");
    for (const text of [...failed, ...endings].filter((one) => one.includes("ends at once"))) {
      expect(text).toContain(`Last try with the stored card: ${last}`);
      expect(text).toContain(`Otherwise, it ends on ${day(Date.parse(end))} as planned.`);
      expect(text).not.toContain("Ends on:");
    }
    expect(endings.filter((text) => text.includes("ends at once"))).toHaveLength(1);
    await advance("P5D");
    const over = await shown(id);
    expect(over).toMatchObject({ status: "ended", end_reason: "payment_failed" });
    expect(day(Date.parse(over.ended_at ?? ""))).toBe(last);
  });

  it("says that nothing more is charged if no try comes before its end", async () => {
    const { id } = await begin(weekly, refused);
    await advance("P13D");
    const ending = await endingOf(id);
    expect((await shown(id)).next_charge_at).toBeNull();
    expect(ending).toContain("Nothing more is charged.");
    expect(ending).not.toMatch(/ends at once|try with/);
  });

  it.each([
    ["may still be charged after a pause that ends before it", 10, true],
    ["is charged no more if the pause ends after it", 40, false],
  ] as const)("%s", async (_, days, isCharged) => {
    const { id, clock } = { ...(await begin({}, refused)), clock: await advance("P32D") };
    await command.pause(id, new Date(clock + days * dayMs).toISOString());
    const ending = await endingOf(id);
    expect(ending.includes(isOpen)).toBe(isCharged);
    expect(ending.includes("Nothing more is charged")).toBe(!isCharged);
    const tries = (await told("renewal_failed")).length;
    await advance("P60D");
    expect((await told("renewal_failed")).length > tries).toBe(isCharged);
  });

  it("may still be charged if nobody knows yet what became of the charge", async () => {
    const { id } = await begin(weekly);
    await runJobs(world);
    world.clock.advance(7 * dayMs);
    const cut = planFault("chargeStored", "reset", "after");
    await runSubscription(world.runtime, id);
    await cut;
    expect(await endingOf(id)).toContain(isOpen);
  });
});

it("the page for another card names the subscription as it is now", async () => {
  const { id } = await begin({ description: "Basic plan" });
  await world.call(updateSubscriptionFields, actor(), { subscription_id: id, description: "Pro plan", amount: 2000 });
  const { url } = await world.call(createCardLink, actor(), { subscription_id: id });
  const { subscription } = await world.call(viewCardPage, anyone, { token: tokenOf(url) });
  expect(subscription).toMatchObject({ description: "Pro plan", amount: 2000 });
});

describe("a renewal for which no card can be charged", () => {
  const noTry = "There is no further try with a stored card.";
  const none = /(Next|Last) try|last try/;
  /** The day on which the subscription has ended. */
  async function endOf(id: string): Promise<string> {
    await advance("P8D");
    const { status, end_reason, ended_at } = await shown(id);
    expect([status, end_reason]).toEqual(["ended", "payment_failed"]);
    return day(Date.parse(ended_at ?? ""));
  }

  it("names no try of a card that the bank has refused for good, but the day on which it ends", async () => {
    const { id, payment } = await begin();
    await refuseForGood(world, payment.payment_id);
    await advance("P1M");
    await advance("P2D");
    const ending = await endOf(id);
    const failed = await told("renewal_failed");
    expect(failed).toHaveLength(4);
    for (const text of failed) {
      expect(text).toContain(`${noTry} Unless you pay before then`);
      expect(text).toContain(ending);
      expect(text).not.toMatch(none);
    }
  });

  it("names no try if no card is stored, because the first payment was recorded", async () => {
    const customer = { email: `grace.${acme.id}@example.com` };
    const { payment } = await ask(world, actor(), { type: "subscription", subscription: monthly, customer });
    const { payment_id } = payment;
    await world.call(markPaid, actor(), { payment_id, method: "cash", reason: "At the counter" });
    await advance("P32D");
    const [failed = ""] = await told("renewal_failed");
    expect(failed).toContain(noTry);
    expect(failed).not.toMatch(none);
    expect(failed).toContain(await endOf((await subscriptionOf(world, payment_id))?.id ?? ""));
  });

  it("names the earlier of both days if the subscription is canceled at the end of its period", async () => {
    const month = await begin();
    await refuseForGood(world, month.payment.payment_id);
    await advance("P32D");
    await command.cancel(month.id, "period_end");
    const [ending = ""] = await told("subscription_ending");
    expect(ending).toContain(noTry);
    expect(ending).not.toMatch(/the stored card may still be charged|Ends on|Next try/);
    expect(ending).toContain(await endOf(month.id));
    const days = await begin({ subscription: { interval: "day", interval_count: 5 } });
    await refuseForGood(world, days.payment.payment_id);
    await command.cancel(days.id, "period_end");
    await command.keep(days.id);
    await advance("P6D");
    await command.cancel(days.id, "period_end");
    const last = (await told("subscription_ending")).at(-1) ?? "";
    expect(last).toContain(`Ends on: ${day(Date.parse((await shown(days.id)).current_period_end ?? ""))}`);
    expect(last).not.toContain(noTry);
  });
});
