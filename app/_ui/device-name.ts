// The name of a session's device for people, from the User-Agent header of its sign-in. It proves nothing.
import { limits } from "@/server/kit/limits";

const browsers: readonly [string, RegExp][] = [
  ["Edge", /\bEdgA?\//],
  ["Opera", /\bOPR\//],
  ["Samsung Internet", /\bSamsungBrowser\//],
  ["Firefox", /\b(Firefox|FxiOS)\//],
  ["Chrome", /\b(Chrome|CriOS|HeadlessChrome)\//],
  ["Safari", /\bVersion\/\S+.*\bSafari\//],
];

const systems: readonly [string, RegExp][] = [
  ["iPhone", /\biPhone\b/],
  ["iPad", /\biPad\b/],
  ["Android", /\bAndroid\b/],
  ["Windows", /\bWindows\b/],
  ["macOS", /\bMac OS X\b/],
  ["ChromeOS", /\bCrOS\b/],
  ["Linux", /\bLinux\b/],
];

/** Browser and system, such as "Firefox, Linux"; of other programs the beginning of the header. Null if not sent. */
export function deviceName(userAgent: string | null): string | null {
  if (userAgent === null || userAgent.trim() === "") return null;
  const first = (known: readonly [string, RegExp][]) => known.find(([, pattern]) => pattern.test(userAgent))?.[0];
  const browser = first(browsers);
  if (browser === undefined) return userAgent.slice(0, limits.clientVersion);
  return [browser, first(systems)].filter(Boolean).join(", ");
}
