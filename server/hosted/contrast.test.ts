// Whatever color an account chooses, text and outlines stay readable, in light and dark mode.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contrastOf, readableAs, readableOn } from "./contrast";
import { groundsOf, readTokens, styleSheet, styleWith } from "./style";

const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, "0")}`);
const grounds = groundsOf(readTokens());

describe("contrast", () => {
  it("is measured as WCAG defines it", () => {
    expect(contrastOf("#000000", "#ffffff")).toBeCloseTo(21, 5);
    expect(contrastOf("#ffffff", "#ffffff")).toBe(1);
    expect(contrastOf("#767676", "#ffffff")).toBeCloseTo(4.54, 2);
  });

  it("of a button's text is at least 4.5:1 on any color", () => {
    fc.assert(fc.property(color, (brand) => contrastOf(readableOn(brand), brand) >= 4.5));
  });

  it("of links, focus rings and borders is at least 4.5:1 on all our backgrounds", () => {
    fc.assert(
      fc.property(color, (brand) => {
        for (const each of [grounds.light, grounds.dark]) {
          const accent = readableAs(brand, each);
          for (const ground of each) expect(contrastOf(accent, ground)).toBeGreaterThanOrEqual(4.5);
        }
      }),
    );
  });

  it("leaves a readable color unchanged", () => {
    expect(readableAs("#004080", grounds.light)).toBe("#004080");
  });

  it("of the product's own colors is as high", () => {
    const [, light = "", dark = ""] = /--accent:light-dark\((#\w{6}), (#\w{6})\)/.exec(styleSheet(null).text) ?? [];
    for (const ground of grounds.light) expect(contrastOf(light, ground)).toBeGreaterThanOrEqual(4.5);
    for (const ground of grounds.dark) expect(contrastOf(dark, ground)).toBeGreaterThanOrEqual(4.5);
  });
});

describe("the style sheet", () => {
  it("ignores invalid colors", () => {
    expect(styleSheet("red;} body{display:none")).toBe(styleSheet(null));
  });

  it("is small", () => {
    expect(styleSheet("#123456").text.length).toBeLessThanOrEqual(8500);
  });

  it("requires every token that it names", () => {
    expect(() => styleWith(new Map())).toThrow("tokens.css has no");
  });
});
