// Days of reminders as one types them.
import { expect, it } from "vitest";
import { reminderDaysOf } from "./reminder-days";

it("reads days before and after, in any order", () => {
  expect(reminderDaysOf("7, -3;0 -3")).toEqual([-3, 0, 7]);
  expect(reminderDaysOf("\u22123 \u20131 +2 -0")).toEqual([-3, -1, 0, 2]);
  expect(reminderDaysOf("  ")).toEqual([]);
});

it("refuses what is no list of days, or too many or too far", () => {
  for (const text of ["soon", "1.5", "61", "-61", "1 2 3 4 5 6 7 8 9 10 11", "--3"]) {
    expect(reminderDaysOf(text), text).toBeNull();
  }
});
