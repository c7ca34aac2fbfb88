// Which payment requests are overdue.
import { expect, test } from "vitest";
import { hasExpiry, isOverdue } from "./overdue";

const now = Date.parse("2026-11-22T12:00:00Z");
const late = { status: "pending", due_at: "2026-11-21T23:00:00Z", amount_due: 100 } as const;

test("unpaid payment requests are overdue once their due date has passed", () => {
  expect(isOverdue(late, now)).toBe(true);
  expect(isOverdue({ ...late, status: "partially_paid" }, now)).toBe(true);
  for (const status of ["partially_refunded", "refunded"] as const)
    expect(isOverdue({ ...late, status }, now)).toBe(true);
  expect(isOverdue({ ...late, due_at: "2026-11-22T23:00:00Z" }, now)).toBe(false);
  expect(isOverdue({ ...late, due_at: null }, now)).toBe(false);
});

test.each(["paid", "authorized", "processing", "canceled", "expired"] as const)("%s is never overdue", (status) => {
  expect(isOverdue({ ...late, status }, now)).toBe(false);
});

test("what is paid or was ended can no longer expire", () => {
  for (const status of ["pending", "authorized", "partially_refunded", "expired"] as const) {
    expect([status, hasExpiry({ ...late, usage_limit: 1, status })]).toEqual([status, true]);
    expect([status, hasExpiry({ ...late, usage_limit: 1, status, amount_due: 0 })]).toEqual([status, false]);
  }
  // Nothing is due of a reusable link, which can be used until it expires.
  const link = { ...late, usage_limit: null, amount_due: 0 };
  expect(["pending", "paid"].map((status) => hasExpiry({ ...link, status: status as "paid" }))).toEqual([true, false]);
  expect(hasExpiry({ ...late, usage_limit: 1, status: "canceled" })).toBe(false);
  // Too many failed attempts close its page to cards, not to other money.
  expect(hasExpiry({ ...late, usage_limit: 1, status: "failed" })).toBe(true);
});

test("nothing left to pay is not overdue", () => {
  expect(isOverdue({ ...late, amount_due: 0 }, now)).toBe(false);
});
