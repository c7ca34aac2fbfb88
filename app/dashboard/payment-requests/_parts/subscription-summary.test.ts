// What the form says that a subscription will charge.

import { expect, it } from "vitest";
import { blankLine } from "./line-values";
import { blankValues, type RequestValues } from "./request-values";
import { summaryOf } from "./subscription-summary";

const now = new Date(2026, 10, 26, 23, 59).getTime();
const typed = (given: Partial<RequestValues>): RequestValues => ({
  ...blankValues("EUR", "acct_1"),
  ...{ type: "subscription", amount: "12", ...given },
});
const of = (given: Partial<RequestValues>, locale = "en") => summaryOf(typed(given), locale, now);

it("is the price of each cycle, without an end", () => {
  expect(of({})).toEqual({ amount: 1200, count: 1, trial: null, end: null });
  expect(of({ amount: "12,50", intervalCount: "3" }, "de")).toMatchObject({ amount: 1250, count: 3 });
  expect(of({ currency: "JPY", amount: "1200" })).toMatchObject({ amount: 1200 });
});

it("follows the lines", () => {
  const line = { ...blankLine, name: "Box", quantity: "2", price: "4.50" };
  expect(of({ amount: "", lines: [line] })).toMatchObject({ amount: 900 });
});

it("names the day after the trial, and the sum of all cycles", () => {
  const { trial, end } = of({ trial: "14", cycles: "6" }) ?? {};
  expect(trial?.days).toBe(14);
  expect(trial?.firstCharge).toEqual(new Date(2026, 11, 10, 23, 59));
  expect(end).toEqual({ cycles: 6, total: 7200 });
  expect(of({ amount: "9999999999.99", cycles: "1200" })?.end?.total).toBe(1_199_999_999_998_800);
});

it("leaves out a trial where there can be none", () => {
  expect(of({ trial: "14", capture: "manual" })).toMatchObject({ trial: null });
  expect(of({ trial: "14", uses: "unlimited" })).toMatchObject({ trial: null });
});

it.each<[string, Partial<RequestValues>]>([
  ["there is no amount", { amount: "" }],
  ["the amount is not one", { amount: "12,5,0" }],
  ["the interval is missing", { intervalCount: "" }],
  ["the trial is not a number", { trial: "two weeks" }],
  ["there are too many cycles", { cycles: "1201" }],
  ["it is of another type", { type: "invoice" }],
])("says nothing while %s", (_, given) => {
  expect(of(given)).toBeNull();
});
