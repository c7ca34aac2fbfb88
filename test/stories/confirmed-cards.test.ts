// Cards that a customer confirms on the page for another card: only those that fail count against the customer's address.
import { afterAll, beforeAll, expect, it } from "vitest";
import { answerBank, cardLink, changeCardTo } from "@/test/card-links";
import { card } from "@/test/payer";
import { subscribe } from "@/test/subscriber";
import { openWorld, refusalOf, type TestUser, type World } from "@/test/world";

const limit = 3;

let world: World;
let member: TestUser;
beforeAll(async () => {
  world = await openWorld({ PAY_FAILURES_PER_LINK: String(limit) });
  member = (await world.organization()).member;
});
afterAll(() => world.close());

const challenged = card("4000000000003220");

/** Opens a new card link of the subscription and answers for the bank. */
async function change(subscription: string, answer: "complete" | "fail"): Promise<void> {
  const { action_url } = await changeCardTo(world, await cardLink(world, member.actor, subscription), challenged);
  await answerBank(world, action_url, answer);
}

it("a card that was confirmed gives its place back", async () => {
  const { id } = await subscribe(world, member.actor);
  for (let i = 0; i < 2 * limit; i++) await change(id, "complete");
});

it("a card whose confirmation failed keeps it", async () => {
  const { id } = await subscribe(world, member.actor);
  for (let i = 0; i < limit; i++) await change(id, "fail");
  expect(await refusalOf(change(id, "complete"))).toBe("rate_limited");
});
