// Throttles: the limit holds under concurrency, and windows end on their own.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { throttles } from "@/db/tables";
import { Failure } from "@/server/kit/errors";
import { openWorld, refusalOf, type World } from "@/test/world";
import { addressBucketOf, bucketOf, giveBack, removeEndedCounts, reserve, type Throttle } from "./throttle";

let world: World;
const windowMs = 15 * 60_000;
const throttle = (bucket: string, limit = 3): Throttle => ({ bucket, limit, windowMs });
const take = (...all: Throttle[]) => world.runtime.db.write((tx) => reserve(tx, world.clock.now(), all));
const give = (...all: Throttle[]) => world.runtime.db.write((tx) => giveBack(tx, world.clock.now(), all));
const countOf = async (bucket: string) => {
  const [row] = await world.runtime.db.read.select().from(throttles).where(eq(throttles.bucket, bucket));
  return row?.count ?? 0;
};

beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

describe("a throttle", () => {
  it("allows the limit and refuses the next with the seconds to wait", async () => {
    for (let i = 0; i < 3; i++) await take(throttle("a"));
    world.clock.advance(60_500);
    const refusal = await take(throttle("a")).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(Failure);
    expect(refusal).toMatchObject({ code: "rate_limited", status: 429, headers: { "Retry-After": "840" } });
  });

  it("restarts a window opened by a very fast clock, but not by a slightly fast one", async () => {
    const takeAt = (now: number) => world.runtime.db.write((tx) => reserve(tx, now, [throttle("ahead")]));
    const now = world.clock.now();
    for (let i = 0; i < 3; i++) await takeAt(now + 30_000);
    await expect(takeAt(now)).rejects.toMatchObject({ code: "rate_limited" });
    for (let i = 0; i < 3; i++) await takeAt(now + 3_600_000);
    for (let i = 0; i < 3; i++) await takeAt(now);
    await expect(takeAt(now)).rejects.toMatchObject({ code: "rate_limited" });
  });

  it("never asks for a wait longer than its window", async () => {
    const early = world.clock.now();
    world.clock.advance(5);
    for (let i = 0; i < 3; i++) await take(throttle("early"));
    const refusal = world.runtime.db.write((tx) => reserve(tx, early, [throttle("early")]));
    await expect(refusal).rejects.toMatchObject({ headers: { "Retry-After": "900" } });
  });

  it("opens again after its window, however many tries were refused", async () => {
    for (let i = 0; i < 3; i++) await take(throttle("b"));
    for (let minute = 1; minute < 15; minute++) {
      world.clock.advance(60_000);
      expect(await refusalOf(take(throttle("b")))).toBe("rate_limited");
    }
    world.clock.advance(60_000);
    await take(throttle("b"));
    expect(await countOf("b")).toBe(1);
  });

  it("counts none of several if one is full", async () => {
    for (let i = 0; i < 3; i++) await take(throttle("full"));
    expect(await refusalOf(take(throttle("empty"), throttle("full")))).toBe("rate_limited");
    expect(await countOf("empty")).toBe(0);
    expect(await countOf("full")).toBe(3);
  });

  it("gives back within the window, not below zero and not into the next window", async () => {
    await take(throttle("c"));
    await give(throttle("c"));
    await give(throttle("c"));
    expect(await countOf("c")).toBe(0);
    await take(throttle("c"));
    world.clock.advance(windowMs);
    await give(throttle("c"));
    expect(await countOf("c")).toBe(1);
  });

  it("keeps its limit under concurrency, in any order of buckets", async () => {
    const [one, two] = [throttle("d", 10), throttle("e", 1000)];
    const tries = Array.from({ length: 100 }, (_, i) => take(...(i % 2 ? [one, two] : [two, one])));
    const results = await Promise.allSettled(tries);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
    expect(await countOf("d")).toBe(10);
    expect(await countOf("e")).toBe(10);
  });

  it("is removed after its window, so that the table does not grow, by several processes at once", async () => {
    for (let i = 0; i < 20; i++) await take(throttle(`old ${i}`));
    world.clock.advance(windowMs);
    await Promise.all(Array.from({ length: 10 }, (_, i) => take(throttle(`new ${i}`))));
    expect(await removeEndedCounts(world.runtime, 5)).toBe(5);
    await Promise.all([1, 2, 3].map(() => removeEndedCounts(world.runtime, 100)));
    const rows = await world.runtime.db.read.select().from(throttles);
    expect(rows.filter(({ bucket }) => bucket.startsWith("old"))).toEqual([]);
    expect(rows.filter(({ bucket }) => bucket.startsWith("new"))).toHaveLength(10);
  });
});

describe("the name of a bucket", () => {
  it("contains no personal data, and counts a whole /64 as one address", () => {
    expect(bucketOf("login", "ada@example.com")).not.toContain("ada");
    expect(bucketOf("login", "ada@example.com")).not.toBe(bucketOf("login", "bob@example.com"));
    expect(addressBucketOf("login", "2001:db8::1")).toBe(addressBucketOf("login", "2001:db8::ffff:1"));
    expect(addressBucketOf("login", "203.0.113.7")).not.toBe(addressBucketOf("login", "203.0.113.8"));
  });
});
