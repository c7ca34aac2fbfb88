// More than one call adds up or counts: figures of the newest, marked as incomplete, and counts that end early.
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { hourMs } from "@/server/kit/limits";
import { earn } from "@/test/money";
import { ask } from "@/test/payer";
import { openWorld, type TestOrganization, type World } from "@/test/world";
import { overviewAttention } from "./attention";
import { overviewFigures } from "./figures";

vi.mock("@/server/kit/limits", async (original) => {
  const { limits, ...rest } = await original<typeof import("@/server/kit/limits")>();
  const { look, overview } = limits;
  return {
    ...rest,
    limits: { ...limits, look: { ...look, countWindow: 1 }, overview: { ...overview, windows: 8, counted: 2 } },
  };
});

const read = vi.hoisted(() => ({ windows: 0 }));
vi.mock("../totals", async (original) => {
  const { totalThrough, ...rest } = await original<typeof import("../totals")>();
  const counting: typeof totalThrough = (call, sources, span, total, isEnough) => {
    const counted: typeof total = (source, stretch) => {
      read.windows++;
      return total(source, stretch);
    };
    return totalThrough(call, sources, span, counted, isEnough);
  };
  return { ...rest, totalThrough: counting };
});

let world: World;
let org: TestOrganization;
beforeAll(async () => {
  world = await openWorld();
  org = await world.organization();
});
afterAll(() => world.close());

const figures = () => world.call(overviewFigures, org.admin.actor, { days: 7, timezone: "UTC" });

it("adds up the newest rows only, window by window", async () => {
  for (const amount of [1, 10, 100]) {
    await earn(world, org.member, amount);
    await ask(world, org.member.actor, { type: "product", amount, currency: "EUR" });
    world.clock.advance(hourMs);
  }
  const three = { amount: 111, count: 3 };
  expect(await figures()).toMatchObject({
    ...{ is_complete: true, is_open_complete: true, is_requested_complete: true },
    currencies: [{ now: { received: three, requested: three }, open: three }],
  });
  for (const amount of [1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000]) {
    await earn(world, org.member, amount);
    await ask(world, org.member.actor, { type: "product", amount, currency: "EUR" });
    world.clock.advance(hourMs);
  }
  const newest = { amount: 111_111_110, count: 8 };
  expect(await figures()).toMatchObject({
    ...{ is_complete: false, is_open_complete: false, is_requested_complete: false },
    currencies: [{ now: { received: newest, requested: newest }, open: newest }],
  });
});

it("counts what expires soon up to the most that is shown, and reads no further", async () => {
  const expires_at = new Date(world.clock.now() + hourMs).toISOString();
  for (const amount of [1, 10, 100]) {
    await ask(world, org.member.actor, { type: "product", amount, currency: "EUR", expires_at });
  }
  read.windows = 0;
  expect(await world.call(overviewAttention, org.admin.actor, {})).toMatchObject({
    lapsing: 0,
    expiring: 2,
    is_complete: true,
  });
  // Five windows of overdue requests (two types with due dates, three statuses after refunds), one of authorized
  // requests, two of pending ones, and one each of reusable links, of uses beyond their limit,
  // of lost disputes, of late money, of requests for a new link, of reminders that wait, of subscriptions past due,
  // of those that wait and of those with missed periods, of the four statuses in which a provider may owe an answer, and
  // of disputed payments.
  expect(read.windows).toBe(22);
});

it("says that it could not look at all payment requests for those that expire soon", async () => {
  const { member, admin } = await world.organization("Many");
  const request = (after: number) =>
    ask(world, member.actor, {
      ...{ type: "product", amount: 100, currency: "EUR" },
      expires_at: new Date(world.clock.now() + after).toISOString(),
    });
  await request(hourMs);
  expect(await world.call(overviewAttention, admin.actor, {})).toMatchObject({ expiring: 1, is_complete: true });
  world.clock.advance(1);
  for (let i = 0; i < 9; i++) await request(30 * 24 * hourMs);
  expect(await world.call(overviewAttention, admin.actor, {})).toMatchObject({ expiring: 0, is_complete: false });
});

it("is complete again once the rows are older than the period and the one before", async () => {
  world.clock.advance(8 * 24 * hourMs);
  expect(await figures()).toMatchObject({ is_complete: false });
  world.clock.advance(8 * 24 * hourMs);
  await earn(world, org.member, 5);
  const current = { now: { received: { amount: 5, count: 1 } } };
  expect(await figures()).toMatchObject({ is_complete: true, currencies: [current] });
});
