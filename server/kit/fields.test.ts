// Edge cases of the wire fields: what they accept and refuse.
import { describe, expect, it } from "vitest";
import { currency, currentCurrency, email, instant, text } from "@/server/kit/fields";

describe("an e-mail address", () => {
  it.each(["ada@example.com", "ada+shop@mail.example.co.uk", "zoë@münchen.example"])("may be %s", (address) => {
    expect(email.parse(address)).toBe(address);
  });

  it.each([
    ["a control character", "ada\u0001@example.com"],
    ["a delete character", "ada\u007f@example.com"],
    ["a zero-width space", "a\u200bda@example.com"],
    ["a direction override", "ada\u202e@example.com"],
    ["a line break", "ada@example.com\n"],
  ])("has no %s", (_what, address) => {
    expect(email.safeParse(address).success).toBe(false);
  });
});

describe("a text", () => {
  it.each(["Ada's bakery", "שלום עולם", "مخبز", "line\nbreak", "👩‍🍳"])("may be %j", (value) => {
    expect(text(50).parse(value)).toBe(value);
  });

  it.each(["", "  ", "\u200b\u3164", "\u2800", "\ufe0f", "\u0000", "a\u202egnp", "\u2066a", "x".repeat(51)])(
    "is not %j",
    (value) => {
      expect(text(50).safeParse(value).success).toBe(false);
    },
  );
});

describe("a currency", () => {
  it("is accepted in any case", () => {
    expect(["eur", "Usd", "JPY"].map((code) => currency.parse(code))).toEqual(["EUR", "USD", "JPY"]);
  });

  it("that was withdrawn is known but refused for new payments", () => {
    expect([currency.parse("ang"), currency.parse("BGN"), currentCurrency.parse("xcg")]).toEqual(["ANG", "BGN", "XCG"]);
    for (const code of ["ANG", "bgn"]) {
      const [issue] = currentCurrency.safeParse(code).error?.issues ?? [];
      expect(issue?.message).toMatch(/has been withdrawn/);
    }
    expect(currentCurrency.safeParse("XXQ").error?.issues.map((issue) => issue.message)).toEqual([
      'unknown currency "XXQ"',
    ]);
  });

  it.each(["XXQ", "u\u017fd", "\u00dfd", "EU", ""])("is not %j", (code) => {
    expect(currency.safeParse(code).success).toBe(false);
  });
});

describe("an instant", () => {
  it("may have any offset", () => {
    expect(instant.parse("2026-11-20T14:05:00+02:00")).toBe(Date.parse("2026-11-20T12:05:00Z"));
  });

  it.each(["9999-12-31T23:59:59-00:01", "0000-01-01T00:00:00+00:01", "2026-02-29T00:00:00Z", "2026-11-20"])(
    "is not %s",
    (text) => {
      expect(instant.safeParse(text).success).toBe(false);
    },
  );
});
