// Codes of authenticator apps: the vectors of RFC 6238, drift, and one use of each step.
import { expect, test } from "vitest";
import { isTotpCode, matchingStep, stepOf, totpKey } from "./totp";

/** RFC 6238, appendix B, with SHA-1. Its codes have 8 digits, of which ours are the last 6. */
const secret = Buffer.from("12345678901234567890");
const vectors: [seconds: number, code: string][] = [
  [59, "94287082"],
  [1_111_111_109, "07081804"],
  [1_111_111_111, "14050471"],
  [1_234_567_890, "89005924"],
  [2_000_000_000, "69279037"],
  [20_000_000_000, "65353130"],
];

test.each(vectors)("at %d seconds the code is the RFC's", (seconds, code) => {
  expect(matchingStep(secret, code.slice(2), seconds * 1000, null)).toBe(Math.floor(seconds / 30));
});

test("a code is right one step early and late, and no further", () => {
  const at = 1_111_111_111_000;
  for (const [drift, isRight] of [
    [-60, false],
    [-30, true],
    [0, true],
    [30, true],
    [60, false],
  ] as const) {
    expect(matchingStep(secret, "050471", at + drift * 1000, null)).toBe(isRight ? stepOf(at) : null);
  }
});

test("a step that was used, or an earlier one, is not accepted", () => {
  const at = 1_111_111_111_000;
  expect(matchingStep(secret, "050471", at, stepOf(at) - 1)).toBe(stepOf(at));
  expect(matchingStep(secret, "050471", at, stepOf(at))).toBeNull();
  expect(matchingStep(secret, "050471", at, stepOf(at) + 1)).toBeNull();
});

test("only six digits are a code", () => {
  for (const text of ["", "12345", "1234567", "12345a", "１２３４５６"]) expect(isTotpCode(text)).toBe(false);
  expect(isTotpCode("012345")).toBe(true);
});

test("the key names issuer, user and secret in the form that apps read", () => {
  const { uri, key } = totpKey(secret, "Ada's bakery", "ada@example.com");
  expect(key).toBe("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
  expect(uri).toMatch(/^otpauth:\/\/totp\/Ada's%20bakery:ada%40example\.com\?/);
  const fields = Object.fromEntries(new URL(uri).searchParams);
  expect(fields).toEqual({ issuer: "Ada's bakery", algorithm: "SHA1", secret: key, period: "30", digits: "6" });
});
