// Every path has one accepted spelling; others are recognized.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isNormalPath, withoutOrigin } from "./path";

describe("a path in its normal form", () => {
  it.each([
    "/",
    "/v1",
    "/v1/",
    "/v1/payments/pay_01h",
    "/_next/static/chunks/0cz1d0mv5g_q7.js",
    "/.well-known/security.txt",
    "/a...b/..c",
    "/pay/caf%C3%A9",
    "/pay/a%20b",
    "/x/~!$&'()*+,=:@",
  ])("%s", (path) => expect(isNormalPath(path)).toBe(true));
});

describe("any other path", () => {
  it.each([
    ["no path", ""],
    ["the asterisk", "*"],
    ["no slash at the start", "v1/payments"],
    ["a dot segment", "/./v1"],
    ["a dot segment at the end", "/v1/."],
    ["a double dot segment", "/x/../v1"],
    ["an encoded dot segment", "/%2e/v1"],
    ["an encoded double dot segment", "/x/%2E%2e/v1"],
    ["a half encoded double dot segment", "/x/.%2e/v1"],
    ["an empty segment", "//v1"],
    ["an empty segment inside", "/v1//payments"],
    ["a backslash", "/x\\..\\v1"],
    ["an encoded backslash", "/x%5c..%5Cv1"],
    ["an encoded slash", "/v1%2fpayments"],
    ["a path parameter", "/v1;x=1/payments"],
    ["an encoded letter", "/%761/payments"],
    ["an encoded digit", "/v%31"],
    ["an encoded NUL", "/pay/%00"],
    ["an encoded line feed", "/pay/a%0Ab"],
    ["half an escape", "/pay/%4"],
    ["no UTF-8", "/pay/%ff"],
    ["an overlong slash", "/x/%c0%af"],
    ["a character outside ASCII", "/pay/é"],
    ["a fragment", "/v1#x"],
  ])("%s", (_what, path) => expect(isNormalPath(path)).toBe(false));
});

it("is unambiguous: the URL parser leaves an accepted path unchanged", () => {
  const piece = fc.constantFrom("/", ".", "..", "%2e", "%2F", "v1", "pay", "\\", ";", "%61", "%20", "@", "//", "é");
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const path = `/${pieces.join("")}`;
      fc.pre(isNormalPath(path));
      expect(new URL(`http://host${path}`).pathname).toBe(path);
      expect(decodeURIComponent(path).split("/")).toHaveLength(path.split("/").length);
    }),
    { numRuns: 2_000 },
  );
});

it("removes the origin from a target in absolute form", () => {
  expect(withoutOrigin("http://a.example/v1/x?y=http://b/")).toBe("/v1/x?y=http://b/");
  expect(withoutOrigin("HTTPS://a.example")).toBe("/");
  expect(withoutOrigin("/x")).toBe("/x");
  expect(withoutOrigin("ftp://a.example/x")).toBe("ftp://a.example/x");
});
