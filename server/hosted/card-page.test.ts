// The page of a card link over HTTP: opening it changes nothing, and its form is accepted only from the page itself.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { storedMethods } from "@/db/tables";
import { cancelSubscription } from "@/server/domains/subscriptions/operations/change";
import { cardFormToken, cardLink } from "@/test/card-links";
import { askHosted } from "@/test/hosted";
import { card, goodCard } from "@/test/payer";
import { readOne, subscribe } from "@/test/subscriber";
import { openWorld, type TestOrganization, type World } from "@/test/world";

let world: World;
let org: TestOrganization;
let id: string;
let token: string;
let path: string;
beforeAll(async () => {
  world = await openWorld({ PAY_FAILURES_PER_LINK: "3" });
});
afterAll(() => world.close());
beforeEach(async () => {
  org = await world.organization();
  const begun = await subscribe(world, org.member.actor, { description: "Bread <box>", locale: "fr" });
  id = begun.id;
  token = await cardLink(world, org.member.actor, id);
  path = `/card/${token}`;
});

const last4 = async () => (await readOne(world, org.member.actor, id)).payment_method?.last4;
const post = async (typed: object, how = {}) =>
  askHosted(world, "POST", path, { form_token: await cardFormToken(world, token), ...typed }, how);
const other = card("5555555555554444");

it("shows the subscription in the language of its payment request, and changes nothing when opened", async () => {
  const page = await askHosted(world, "GET", path);
  expect(page.status).toBe(200);
  for (const text of ["Changer de carte", "Bread &lt;box&gt;", "12,50", "4242"]) expect(page.body).toContain(text);
  expect(page.body).not.toContain("<box>");
  expect(page.headers["Cache-Control"]).toBe("no-store");
  expect((await askHosted(world, "GET", `${path}?lang=ar`)).body).toContain('dir="rtl"');
  const methods = await world.runtime.db.read
    .select()
    .from(storedMethods)
    .where(eq(storedMethods.organizationId, org.id));
  expect(methods.map(({ cardLink: by }) => by)).toEqual([null]);
});

it("stores the card of its own form, and says so", async () => {
  expect((await post(other, { site: "cross-site" })).status).toBe(403);
  expect((await askHosted(world, "POST", path, { ...other, form_token: "none" })).headers.Location).toBe(
    `${path}?problem=form_expired`,
  );
  expect(await last4()).toBe("4242");
  const digits = { ...other, card_number: "５５５５ ５５５５ ５５５５ ４４４４" };
  const sent = await post(digits);
  expect([sent.status, sent.headers.Location]).toEqual([303, path]);
  expect(await last4()).toBe("4444");
  expect((await askHosted(world, "GET", `${path}?lang=en`)).body).toContain("Your card was changed");
});

it("never shows a card that was typed, and names what is wrong with it", async () => {
  const sent = await post({ ...other, expiry: "1" });
  expect(sent.headers.Location).toBe(`${path}?problem=expiry_invalid`);
  const page = await askHosted(world, "GET", `${path}?problem=expiry_invalid&lang=en`);
  expect(page.body).toContain("Enter the expiry date as month and year");
  expect(page.body).not.toContain("5555");
});

it("leads to the bank and back, and lets the card be given up", async () => {
  const sent = await post(card("4000000000003220"));
  expect(sent.headers.Location).toMatch(/\/sandbox\/challenge\//);
  const waiting = await askHosted(world, "GET", `${path}?lang=en`);
  expect(waiting.body).toContain("Confirm with your bank");
  const leave = /name="form_token" value="([^"]+)"/.exec(String(waiting.body))?.[1] ?? "";
  await askHosted(world, "POST", path, { act: "leave", form_token: "none" });
  expect((await askHosted(world, "GET", `${path}?lang=en`)).body).toContain("Confirm with your bank");
  await askHosted(world, "POST", path, { act: "leave", form_token: leave });
  expect((await askHosted(world, "GET", `${path}?lang=en`)).body).toContain("Use this card");
});

it("is throttled, and says so without losing the form", async () => {
  const statuses: number[] = [];
  for (let attempt = 1; attempt <= 4; attempt++) {
    world.clock.advance(1);
    statuses.push((await post(card("4000000000000002"))).status);
  }
  expect(statuses).toEqual([303, 303, 303, 429]);
  world.clock.advance(3_600_000);
  expect((await post(goodCard)).headers.Location).toBe(path);
});

it("is not found once the subscription is over, and for an unknown token, alike", async () => {
  await world.call(cancelSubscription, org.member.actor, { subscription_id: id, at: "now" });
  const over = await askHosted(world, "GET", path);
  const unknown = await askHosted(world, "GET", "/card/unknown");
  expect([over.status, unknown.status, over.body]).toEqual([404, 404, unknown.body]);
  expect((await askHosted(world, "POST", "/card/unknown", { form_token: "none", ...goodCard })).status).toBe(303);
});
