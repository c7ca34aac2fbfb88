// What is wrong with line items whose texts can each be read.
import { expect, it } from "vitest";
import { blankLine, isDiscountTooLarge, lineNetOf, sumProblemOf } from "./line-values";

const line = (price: string, discount = "", quantity = "1") => ({
  ...blankLine,
  name: "Cake",
  price,
  discount,
  quantity,
});

it("a discount is at most what the line costs", () => {
  expect(isDiscountTooLarge(line("10", "20.01", "2"), "EUR", "en")).toBe(true);
  expect(isDiscountTooLarge(line("10", "20", "2"), "EUR", "en")).toBe(false);
  expect(isDiscountTooLarge(line("10", "much"), "EUR", "en")).toBe(false);
});

it("a line costs its quantity of the price less its discount, before tax", () => {
  expect(lineNetOf({ ...line("10", "0.50", "2"), tax: "19" }, "EUR", "en")).toBe(1950);
  expect(lineNetOf(line("10", "20"), "EUR", "en")).toBeNull();
  expect(lineNetOf(line(""), "EUR", "en")).toBeNull();
  expect(lineNetOf(line("9999999999.99", "", "2"), "EUR", "en")).toBeNull();
  expect(lineNetOf(line("10", "0"), "EUR", "en")).toBe(1000);
});

it("lines add up to an amount above zero that can be paid", () => {
  expect(sumProblemOf([line("10", "10"), line("5", "5")], "EUR", "en")).toBe("zero");
  expect(sumProblemOf([line("10", "10"), line("5", "4")], "EUR", "en")).toBeNull();
  expect(sumProblemOf([line("9999999999.99"), line("0.01")], "EUR", "en")).toBe("tooLarge");
  // Each of these has a problem of its own.
  expect(sumProblemOf([line("10", "20")], "EUR", "en")).toBeNull();
  expect(sumProblemOf([line("")], "EUR", "en")).toBeNull();
});
