// Equal monthly installments: they add up, differ by at most one minor unit, and fall on the same day of each month.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { limits } from "@/server/kit/limits";
import { monthlyInstallments } from "./installment-split";

test("the rest goes to the first installments", () => {
  expect(monthlyInstallments(100, 3, "2027-01-15")).toEqual([
    { amount: 34, due_at: "2027-01-15" },
    { amount: 33, due_at: "2027-02-15" },
    { amount: 33, due_at: "2027-03-15" },
  ]);
});

test("a day that a month does not have is its last one, and the next month has it again", () => {
  const days = (first: string) => monthlyInstallments(100, 4, first).map((one) => one.due_at);
  expect(days("2027-01-31")).toEqual(["2027-01-31", "2027-02-28", "2027-03-31", "2027-04-30"]);
  expect(days("2027-11-30")).toEqual(["2027-11-30", "2027-12-30", "2028-01-30", "2028-02-29"]);
});

test("installments add up, and ascend", () => {
  const count = fc.integer({ min: limits.installments.least, max: limits.installments.most });
  const day = fc.date({ min: new Date("2026-01-01"), max: new Date("2099-12-31"), noInvalidDate: true });
  fc.assert(
    fc.property(fc.integer({ min: 36, max: limits.amount }), count, day, (amount, most, first) => {
      const split = monthlyInstallments(amount, most, first.toISOString().slice(0, 10));
      const amounts = split.map((one) => one.amount);
      expect(amounts.reduce((sum, one) => sum + one, 0)).toBe(amount);
      expect(Math.max(...amounts) - Math.min(...amounts)).toBeLessThanOrEqual(1);
      for (const [i, { due_at }] of split.entries())
        if (i > 0) expect(due_at > (split[i - 1]?.due_at ?? "")).toBe(true);
    }),
  );
});
