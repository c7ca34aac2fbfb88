// How the dates of an invoice contradict each other, or today.
import { expect, it } from "vitest";
import { endsBeforeDue, isDueTooEarly, issueDateProblem } from "./date-problems";
import { blankValues, type RequestValues } from "./request-values";

const today = "2026-11-27";
const invoice = (given: Partial<RequestValues>): RequestValues => ({
  ...blankValues("EUR", "acct_1"),
  type: "invoice",
  ...given,
});

it.each([
  ["", null],
  [today, null],
  ["2026-11-28", "ahead"],
  ["2025-11-26", null],
  ["2025-11-25", "tooOld"],
])("an issue date of %s: %s", (issueDate, problem) => {
  expect(issueDateProblem(invoice({ issueDate }), today)).toBe(problem);
  expect(issueDateProblem(invoice({ issueDate, type: "product" }), today)).toBeNull();
});

it("an invoice is not due before it is issued, which an empty date does not say of a draft", () => {
  expect(isDueTooEarly(invoice({ due: "2026-11-26" }), today)).toBe(true);
  expect(isDueTooEarly(invoice({ due: today }), today)).toBe(false);
  expect(isDueTooEarly(invoice({ due: "2026-11-26" }), null)).toBe(false);
  expect(isDueTooEarly(invoice({ due: "2026-11-19", issueDate: "2026-11-20" }), null)).toBe(true);
  expect(isDueTooEarly(invoice({ due: "2026-11-26", issueDate: "2026-11-20" }), today)).toBe(false);
});

it("an invoice is payable on its due date, unless installments have dates of their own", () => {
  const early = { due: "2026-12-11", expires: "2026-12-10" };
  expect(endsBeforeDue(invoice(early))).toBe(true);
  expect(endsBeforeDue(invoice({ ...early, expires: "2026-12-11" }))).toBe(false);
  expect(endsBeforeDue(invoice({ ...early, expires: "" }))).toBe(false);
  expect(endsBeforeDue(invoice({ ...early, parts: "installments" }))).toBe(false);
  expect(endsBeforeDue(invoice({ ...early, type: "product" }))).toBe(false);
});
