// The countries of addresses.
import { expect, test } from "vitest";
import { countryCodes } from "./countries";

test("every code is there once, in order, and names a country", () => {
  expect(countryCodes).toHaveLength(250);
  expect(countryCodes).toEqual([...new Set(countryCodes)].sort());
  const names = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
  for (const code of countryCodes) expect([code, names.of(code)]).toEqual([code, expect.any(String)]);
});

test.each(["SP", "UK", "EU", "ZZ", "AN", "SU"])("%s is no country's code", (code) => {
  expect(countryCodes).not.toContain(code);
});
