// Which status the dashboard shows of a payment request.
import { expect, test } from "vitest";
import { shownStatus } from "./shown-status";

const plain = { status: "pending", amount_lost: 0, paused: false } as const;

test("a link that was paused while it was open is shown as paused", () => {
  expect(shownStatus({ ...plain, paused: true })).toBe("paused");
  expect(shownStatus(plain)).toBe("pending");
});

test.each(["paid", "expired", "canceled"] as const)("a pause does not hide that a link is %s", (status) => {
  expect(shownStatus({ ...plain, paused: true, status })).toBe(status);
});

test("a dispute is shown as lost once it took something", () => {
  expect(shownStatus({ ...plain, status: "disputed", amount_lost: 1 })).toBe("dispute_lost");
  expect(shownStatus({ ...plain, status: "disputed" })).toBe("disputed");
});
