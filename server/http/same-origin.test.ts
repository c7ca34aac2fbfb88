// Requests from other sites are distinguished from our own.
import { expect, test } from "vitest";
import { isFromOtherSite, isSameOrigin } from "./same-origin";

const ours = "https://pay.example.com";

test.each([
  [{ "sec-fetch-site": "same-origin" }, true],
  [{ "sec-fetch-site": "same-origin", origin: ours }, true],
  [{ origin: ours }, true],
  [{ "sec-fetch-site": "same-site", origin: ours }, false],
  [{ "sec-fetch-site": "cross-site", origin: ours }, false],
  [{ "sec-fetch-site": "none" }, false],
  [{ origin: "https://evil.example" }, false],
  [{ origin: "https://pay.example.com.evil.example" }, false],
  [{ origin: "http://pay.example.com" }, false],
  [{ origin: "null" }, false],
  [{}, false],
])("%j: %s", (headers, isOurs) => {
  expect(isSameOrigin(new Headers(headers), ours)).toBe(isOurs);
});

test.each([
  ["cross-site", true],
  ["same-site", true],
  ["same-origin", false],
  ["none", false],
  [null, false],
])("a request with Sec-Fetch-Site %s is cross-site: %s", (site, isFrom) => {
  expect(isFromOtherSite(new Headers(site === null ? {} : { "sec-fetch-site": site }))).toBe(isFrom);
});
