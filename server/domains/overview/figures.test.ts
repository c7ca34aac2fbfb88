// Sums that are larger than what a number holds exactly.
import { expect, it } from "vitest";
import { limits } from "@/server/kit/limits";
import { Figures } from "./figures";
import { lastDays } from "./period";

const days = lastDays(Date.UTC(2026, 10, 23), 7, "UTC");
const at = days.at(-1)?.from ?? 0;
/** A window of the largest payments. */
const amount = limits.look.countWindow * limits.amount;
const largest = Number.MAX_SAFE_INTEGER;

it("show the largest exact amount, and that they are not complete", () => {
  const figures = new Figures(days);
  const window = { currency: "EUR", amount, count: limits.look.countWindow };
  figures.add("now", "received", window, at);
  figures.addOpen(window);
  figures.addRequested("now", window);
  expect(figures).toMatchObject({ isComplete: true, isOpenComplete: true, isRequestedComplete: true });
  expect(figures.sorted()[0]).toMatchObject({ now: { received: { amount } }, open: { amount, count: 5_000 } });
  for (const _ of [1, 2]) {
    figures.add("now", "received", window, at);
    figures.add("before", "received", window, null);
  }
  expect(figures).toMatchObject({ isComplete: false, isOpenComplete: true, isRequestedComplete: true });
  for (const _ of [1, 2]) figures.addOpen(window);
  expect(figures).toMatchObject({ isOpenComplete: false, isRequestedComplete: true });
  for (const _ of [1, 2]) figures.addRequested("now", window);
  expect(figures.isRequestedComplete).toBe(false);
  expect(figures.sorted()[0]).toMatchObject({
    now: { requested: { amount: largest, count: 15_000 }, received: { amount: largest, count: 15_000 } },
    before: { received: { amount: largest, count: 10_000 } },
    open: { amount: largest, count: 15_000 },
  });
  expect(figures.sorted()[0]?.days.at(-1)).toEqual({ received: largest, refunded: 0, disputed: 0 });
});
