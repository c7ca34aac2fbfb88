// A short instant leaves out what the organization's day tells.
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, expect, it, vi } from "vitest";
import { dayMs } from "@/server/kit/limits";
import { Instant } from "./instant";

afterEach(() => void vi.useRealTimers());

it("compares with the day of the organization, whose clock may have been moved", () => {
  vi.useFakeTimers({ now: new Date("2026-11-22T12:00:00Z") });
  const shown = (aheadMs: number) => {
    const at = { at: "2026-12-22T22:08:00Z", isShort: true, locale: "en-GB", timeZone: "UTC" };
    return renderToStaticMarkup(createElement(Instant, { ...at, aheadMs })).replace(/<[^>]*>/g, "");
  };
  expect(shown(0)).toBe("22 Dec");
  expect(shown(30 * dayMs)).toBe("22:08");
  expect(shown(60 * dayMs)).toBe("22 Dec 2026");
});
