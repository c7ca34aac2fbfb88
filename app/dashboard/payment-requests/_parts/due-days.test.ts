// When an invoice is due by the usual terms of payment.
import { expect, it } from "vitest";
import { dueDays, movedDueDay, usualDueDay } from "./due-days";

it("counts the days of each term from the day of the invoice", () => {
  expect(dueDays("2026-12-20")).toEqual([
    { days: 14, day: "2027-01-03" },
    { days: 30, day: "2027-01-19" },
    { days: 60, day: "2027-02-18" },
  ]);
  expect(usualDueDay("2028-02-20")).toBe("2028-03-05");
});

it("knows no day while that of the invoice is typed", () => {
  expect(usualDueDay("")).toBe("");
});

it("moves the due day of a term with the day of the invoice, and no other", () => {
  expect(movedDueDay("2027-01-19", "2026-12-20", "2027-02-01")).toBe("2027-03-03");
  expect(movedDueDay("2027-01-20", "2026-12-20", "2027-02-01")).toBe("2027-01-20");
  expect(movedDueDay("", "", "2027-02-01")).toBe("");
});
