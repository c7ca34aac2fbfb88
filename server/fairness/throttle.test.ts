// Throttles: never more than the limit however many try at once, windows that end by themselves.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { throttles } from "@/db/tables";
import { Failure } from "@/server/kit/errors";
import { openWorld, refusalOf, type World } from "@/test/world";
import { addressBucketOf, bucketOf, giveBack, reserve, type Throttle } from "./throttle";

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
  it("lets the limit through and refuses the next with the seconds to wait", async () => {
    for (let i = 0; i < 3; i++) await take(throttle("a"));
    world.clock.advance(60_500);
    const refusal = await take(throttle("a")).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(Failure);
    expect(refusal).toMatchObject({ code: "rate_limited", status: 429, headers: { "Retry-After": "840" } });
  });

  it("starts anew when it was opened by a clock that was far ahead, and not for one that was ahead a little", async () => {
    const takeAt = (now: number) => world.runtime.db.write((tx) => reserve(tx, now, [throttle("ahead")]));
    const now = world.clock.now();
    for (let i = 0; i < 3; i++) await takeAt(now + 30_000);
    await expect(takeAt(now)).rejects.toMatchObject({ code: "rate_limited" });
    for (let i = 0; i < 3; i++) await takeAt(now + 3_600_000);
    for (let i = 0; i < 3; i++) await takeAt(now);
    await expect(takeAt(now)).rejects.toMatchObject({ code: "rate_limited" });
  });

  it("tells nobody to wait longer than its window, also not who read the clock before it opened", async () => {
    const early = world.clock.now();
    world.clock.advance(5);
    for (let i = 0; i < 3; i++) await take(throttle("early"));
    const refusal = world.runtime.db.write((tx) => reserve(tx, early, [throttle("early")]));
    await expect(refusal).rejects.toMatchObject({ headers: { "Retry-After": "900" } });
  });

  it("opens again when its window is over, however often it was tried in between", async () => {
    for (let i = 0; i < 3; i++) await take(throttle("b"));
    for (let minute = 1; minute < 15; minute++) {
      world.clock.advance(60_000);
      expect(await refusalOf(take(throttle("b")))).toBe("rate_limited");
    }
    world.clock.advance(60_000);
    await take(throttle("b"));
    expect(await countOf("b")).toBe(1);
  });

  it("counts none of several when one is full", async () => {
    for (let i = 0; i < 3; i++) await take(throttle("full"));
    expect(await refusalOf(take(throttle("empty"), throttle("full")))).toBe("rate_limited");
    expect(await countOf("empty")).toBe(0);
    expect(await countOf("full")).toBe(3);
  });

  it("gives back within the window, never below nothing, never into the next", async () => {
    await take(throttle("c"));
    await give(throttle("c"));
    await give(throttle("c"));
    expect(await countOf("c")).toBe(0);
    await take(throttle("c"));
    world.clock.advance(windowMs);
    await give(throttle("c"));
    expect(await countOf("c")).toBe(1);
  });

  it("holds against many at once, in any order of buckets", async () => {
    const [one, two] = [throttle("d", 10), throttle("e", 1000)];
    const tries = Array.from({ length: 100 }, (_, i) => take(...(i % 2 ? [one, two] : [two, one])));
    const results = await Promise.allSettled(tries);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
    expect(await countOf("d")).toBe(10);
    expect(await countOf("e")).toBe(10);
  });

  it("makes way after its window for those that open, so that the table does not grow", async () => {
    for (let i = 0; i < 20; i++) await take(throttle(`old ${i}`));
    world.clock.advance(windowMs);
    await Promise.all(Array.from({ length: 10 }, (_, i) => take(throttle(`new ${i}`))));
    const rows = await world.runtime.db.read.select().from(throttles);
    expect(rows.filter(({ bucket }) => bucket.startsWith("old"))).toEqual([]);
    expect(rows.filter(({ bucket }) => bucket.startsWith("new"))).toHaveLength(10);
  });
});

describe("a bucket", () => {
  it("holds no personal data, and takes a whole /64 as one address", () => {
    expect(bucketOf("login", "ada@example.com")).not.toContain("ada");
    expect(bucketOf("login", "ada@example.com")).not.toBe(bucketOf("login", "bob@example.com"));
    expect(addressBucketOf("login", "2001:db8::1")).toBe(addressBucketOf("login", "2001:db8::ffff:1"));
    expect(addressBucketOf("login", "203.0.113.7")).not.toBe(addressBucketOf("login", "203.0.113.8"));
  });
});
