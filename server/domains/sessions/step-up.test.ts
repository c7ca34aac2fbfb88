// Step-up for money: the sum that a dashboard session moves in an hour, also under concurrent calls.
import * as fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Actor } from "@/server/kit/context";
import { create } from "@/test/money";
import { openWorld, refusalOf, type TestOrganization, type TestUser, type World } from "@/test/world";
import { type Move, withMove } from "./step-up";

const minute = 60_000;

describe("moves of the last hour", () => {
  it("add up exactly, with a window accurate to a minute, and stay few", () => {
    const steps = fc.array(
      fc.record({ wait: fc.nat({ max: 20 * minute }), amount: fc.integer({ min: 1, max: 1000 }) }),
    );
    fc.assert(
      fc.property(steps, (given) => {
        let moves: Move[] = [];
        const all: Move[] = [];
        let at = 0;
        for (const { wait, amount } of given) {
          at += wait;
          all.push([at, amount]);
          moves = withMove(moves, at, amount);
          const sum = moves.reduce((total, [, each]) => total + each, 0);
          const sumSince = (ms: number) =>
            all.filter(([then]) => at - then < ms).reduce((total, [, each]) => total + each, 0);
          expect(sum).toBeLessThanOrEqual(sumSince(60 * minute));
          expect(sum).toBeGreaterThanOrEqual(sumSince(59 * minute));
          expect(moves.length).toBeLessThanOrEqual(61);
        }
      }),
    );
  });
});

describe("a dashboard session", () => {
  let world: World;
  let org: TestOrganization;
  let stale: Actor;

  /** A dashboard session of the user with a fresh sign-in. */
  const browserOf = (user: TestUser): Actor => ({
    ...(user.actor as Extract<Actor, { type: "user" }>),
    sessionId: world.id("ses"),
    sessionKind: "cookie",
    authenticatedAt: world.clock.now(),
  });
  const transfer = (actor: Actor, amount: number, currency = "EUR") =>
    create(world, actor, {
      type: "transfer",
      amount,
      currency,
      account_id: org.admin.accountId,
      destination_account_id: org.member.accountId,
    });

  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    org = await world.organization();
    for (const currency of ["EUR", "JPY", "SEK"]) {
      const credit = { type: "credit", amount: 100_000_000, currency, account_id: org.admin.accountId } as const;
      await create(world, org.admin.actor, credit);
    }
    stale = browserOf(org.admin);
    world.clock.advance(11 * minute);
  });

  it("moves up to the currency's amount in an hour, then needs a fresh sign-in", async () => {
    await transfer(stale, 60_000);
    world.clock.advance(30 * minute);
    await transfer(stale, 40_000);
    expect(await refusalOf(transfer(stale, 1))).toBe("reauthentication_required");
    await transfer(browserOf(org.admin), 500_000);
    world.clock.advance(30 * minute);
    await transfer(stale, 60_000);
    expect(await refusalOf(transfer(stale, 1))).toBe("reauthentication_required");
  });

  it("needs a fresh sign-in for every amount of a currency without an entry", async () => {
    expect(await refusalOf(transfer(stale, 1, "SEK"))).toBe("reauthentication_required");
    expect(await refusalOf(transfer(stale, 1, "JPY"))).toBe("reauthentication_required");
    await transfer(browserOf(org.admin), 1, "SEK");
  });

  it("counts refunds, credits and adjustments alike, but not incoming money", async () => {
    const account_id = org.admin.accountId;
    const money = { amount: 60_000, currency: "EUR", account_id };
    const paid = await create(world, stale, { type: "payment", ...money, amount: 900_000 });
    const parent_transaction_id = paid.transaction_id;
    const moves = [
      { type: "refund", parent_transaction_id, amount: 60_000 },
      { type: "credit", ...money },
      { type: "adjustment", direction: "out", reason: "correction", ...money },
    ] as const;
    for (const move of moves) {
      const browser = { ...stale, sessionId: world.id("ses") };
      await create(world, browser, move);
      expect(await refusalOf(create(world, browser, move))).toBe("reauthentication_required");
    }
  });

  it("cannot exceed the amount with concurrent calls", async () => {
    const calls = Array.from({ length: 12 }, () => transfer(stale, 30_000));
    const results = await Promise.allSettled(calls);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
  });

  it("is the only credential that needs step-up: access tokens and API keys do not", async () => {
    await transfer(org.admin.actor, 500_000);
    world.clock.advance(60 * minute);
    await transfer(org.admin.actor, 500_000);
  });
});
