// Edge cases of the wire fields: what they accept and refuse.
import { describe, expect, it } from "vitest";
import { addressIn } from "@/server/kit/address-fields";
import {
  currency,
  currentCurrency,
  email,
  instant,
  name,
  reference,
  searchedReference,
  text,
  timezone,
} from "@/server/kit/fields";
import { limits } from "@/server/kit/limits";

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

describe("a name", () => {
  it("stands on one line", () => {
    expect(name.parse("Ada\r\nBcc: eve@example.com")).toBe("Ada Bcc: eve@example.com");
    expect(name.parse("Ada\t\u2028Lovelace")).toBe("Ada Lovelace");
  });

  it.each(["\n", "Ada\u0000", "Ada\u001b[1m", "x".repeat(limits.name + 1)])("is not %j", (value) => {
    expect(name.safeParse(value).success).toBe(false);
  });
});

describe("a reference", () => {
  it("is one, composed or decomposed, also as a filter", () => {
    for (const schema of [reference, searchedReference]) {
      expect([schema.parse("Re\u0301f 7"), schema.parse("Réf 7"), schema.parse("RÉF 7")]).toEqual([
        ...["Réf 7", "Réf 7", "RÉF 7"],
      ]);
    }
  });

  it("is not longer than it may be, in either form", () => {
    // U+0958 has no composed form in NFC: one character becomes two.
    expect(reference.safeParse("\u0958".repeat(limits.reference)).success).toBe(false);
    expect(reference.safeParse("x".repeat(limits.reference + 1)).success).toBe(false);
  });
});

describe("a time zone", () => {
  it.each([
    ["europe/vienna", "Europe/Vienna"],
    ["EUROPE/VIENNA", "Europe/Vienna"],
    ["america/port_of_spain", "America/Port_of_Spain"],
    ["Asia/Kolkata", "Asia/Kolkata"],
    ["asia/kolkata", "Asia/Kolkata"],
    ["utc", "UTC"],
    ["us/eastern", "America/New_York"],
  ])("written %s is stored as %s", (written, stored) => {
    expect(timezone.parse(written)).toBe(stored);
  });

  it.each(["Europe/Atlantis", "", "Vienna"])("is not %j", (value) => {
    expect(timezone.safeParse(value).success).toBe(false);
  });
});

describe("a country", () => {
  it("may be written in any case, and be Kosovo", () => {
    expect(["at", "GB", "xk"].map((country) => addressIn.parse({ country }).country)).toEqual(["AT", "GB", "XK"]);
  });

  it.each(["XX", "ZZ", "UK", "EU", "SP", "AN"])("is not %s, which names none", (country) => {
    expect(addressIn.safeParse({ country }).error?.issues.map(({ message }) => message)).toEqual([
      `unknown country "${country}"`,
    ]);
  });
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
