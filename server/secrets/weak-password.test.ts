// Weak passwords: common ones in all usual spellings, and public words about the user.
import { describe, expect, it } from "vitest";
import { isWeakPassword } from "./weak-password";

const context = { email: "Ada.Lovelace@analytical-engines.example", organization: "Ada's Bakery" };

describe("a password", () => {
  it.each([
    ...["password", "PassWord", "12345678", "iloveyou", "qwertyuiop"],
    ...[
      "passw0rd!",
      "Password123!",
      "P@$$w0rd",
      "p4ssw0rd2024",
      "Dragon2024!",
      "m0nkey1234",
      "!!letmein!!",
      "1loveyou",
    ],
  ])("%s is weak: common, in any spelling", (password) => {
    expect(isWeakPassword(password, context)).toBe(true);
  });

  it.each([
    ...["quittance", "Quittance1", "qu1ttance!!", "quittancequittance", "adasbakery", "Ada's Bakery 2024", "bakery123"],
    ...["ada.lovelace@analytical-engines.example", "ADA.LOVELACE@ANALYTICAL-ENGINES.EXAMPLE", "AdaLovelace1815"],
    ...["lovelace99", "analytical-engines", "quittance-password", "l0velace!"],
  ])("%s is weak: public words", (password) => {
    expect(isWeakPassword(password, context)).toBe(true);
  });

  it.each([
    ...[
      "correct horse battery staple",
      "a long enough passphrase",
      "x8#kfT2v",
      "zwölf Boxkämpfer jagen",
      "日本語のパスワード",
    ],
    ...["ada walks the dog at noon", "bakery opens at dawn", "48215937620", "Engines roar loudly"],
  ])("%s is accepted", (password) => {
    expect(isWeakPassword(password, context)).toBe(false);
  });

  it("is checked without an organization", () => {
    expect(isWeakPassword("bakery123", { email: "ada@example.com" })).toBe(false);
    expect(isWeakPassword("ada@example.com", { email: "Ada@Example.com", organization: null })).toBe(true);
  });
});
