// The day of the next charge, wherever a customer or a merchant reads one: it is a day on which something is charged.
import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { mails } from "@/db/tables";
import { createCardLink } from "@/server/domains/subscriptions/operations/card-link";
import { viewCardPage } from "@/server/domains/subscriptions/operations/card-page";
import { updateSubscriptionFields } from "@/server/domains/subscriptions/operations/update";
import { dayMs } from "@/server/kit/limits";
import { anyone, card, tokenOf } from "../payer";
import { moveClock } from "../sandbox-clock";
import { commandsOf, cyclesOf, readOne, subscribe } from "../subscriber";
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

it("the page for another card names the subscription as it is now", async () => {
  const { id } = await begin({ description: "Basic plan" });
  await world.call(updateSubscriptionFields, actor(), { subscription_id: id, description: "Pro plan", amount: 2000 });
  const { url } = await world.call(createCardLink, actor(), { subscription_id: id });
  const { subscription } = await world.call(viewCardPage, anyone, { token: tokenOf(url) });
  expect(subscription).toMatchObject({ description: "Pro plan", amount: 2000 });
});
