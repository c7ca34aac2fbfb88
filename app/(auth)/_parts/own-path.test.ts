// The address after sign-in never leaves the app.
import { expect, test } from "vitest";
import { ownPath } from "./own-path";

test.each([
  ["/dashboard/transactions", "/dashboard/transactions"],
  ["/dashboard/payment-requests?cursor=a-b_c", "/dashboard/payment-requests?cursor=a-b_c"],
  ["/dashboard?q=%2F%2Fevil.example", "/dashboard?q=%2F%2Fevil.example"],
  ["/dashboard/../dashboard/transactions#x", "/dashboard/transactions"],
])("%s stays", (next, path) => {
  expect(ownPath(next)).toBe(path);
});

test.each([
  undefined,
  "",
  "dashboard",
  "//evil.example",
  "///evil.example",
  "/\\evil.example",
  "\\\\evil.example",
  "/\t/evil.example",
  "/\n/evil.example",
  " //evil.example",
  "/.//evil.example",
  "/x/..//evil.example",
  "https://evil.example",
  "https:evil.example",
  "javascript:alert(1)",
  "/%0d%0aLocation:/x\r\n",
  "/sign-in?next=/sign-in",
  "/second-factor?next=/second-factor",
  ["/dashboard", "//evil.example"],
])("%j leads to the dashboard", (next) => {
  expect(ownPath(next)).toBe("/dashboard");
});
