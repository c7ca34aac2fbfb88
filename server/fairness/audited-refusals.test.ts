// Which refusals have an entry of their own: ten a minute from one address block, sixty in total.
import { expect, it } from "vitest";
import { limits, minuteMs } from "@/server/kit/limits";
import { Refusals } from "./audited-refusals";

const { perBlock, inAll } = limits.refusalEntries;
const now = Date.UTC(2026, 10, 20, 12);

/** How many of so many refusals from the address are admitted. */
const admitted = (refusals: Refusals, address: string, count: number, at = now): number =>
  Array.from({ length: count }, () => refusals.admits(address, at)).filter(Boolean).length;

it("ten of one address, and of an IPv6 /64, in a minute; the others are counted", () => {
  const refusals = new Refusals();
  expect(admitted(refusals, "192.0.2.1", 15)).toBe(10);
  expect(admitted(refusals, "2001:db8::1", 8) + admitted(refusals, "2001:db8::2", 8)).toBe(perBlock);
  expect(refusals.takeCounts(now + minuteMs)).toEqual([
    { minute: now, block: "192.0.2.1", count: 5 },
    { minute: now, block: "2001:db8:0:0::/64", count: 6 },
  ]);
  expect(admitted(refusals, "192.0.2.1", 15, now + minuteMs)).toBe(perBlock);
});

it("sixty in total in a minute, however many addresses there are, and all others are counted", () => {
  const refusals = new Refusals();
  let total = 0;
  for (let i = 0; i < 250; i++) total += admitted(refusals, `198.51.100.${i}`, 2);
  expect([inAll, total]).toEqual([60, 60]);
  const counted = refusals.takeCounts(now + minuteMs).reduce((sum, { count }) => sum + count, 0);
  expect(counted).toBe(500 - total);
  expect(admitted(refusals, "198.51.100.1", 1, now + minuteMs)).toBe(1);
});
