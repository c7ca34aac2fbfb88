// The table of characters agrees with the fonts that PDF files embed.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import PDFDocument from "pdfkit";
import { describe, expect, it } from "vitest";
import { missingGlyph, printable } from "./glyphs";

const resolve = createRequire(import.meta.url).resolve;
const lastCode = 0x10ffff;
const surrogates = [0xd800, 0xdfff] as const;

describe("missingGlyph", () => {
  it("knows exactly the characters that both fonts have", () => {
    const doc = new PDFDocument({ font: undefined } as object) as unknown as {
      registerFont(name: string, file: Buffer): void;
      font(name: string): void;
      _font: { font: { characterSet: number[] } };
    };
    const sets = ["400Regular/IBMPlexSans_400Regular", "600SemiBold/IBMPlexSans_600SemiBold"].map((name) => {
      doc.registerFont(name, readFileSync(resolve(`@expo-google-fonts/ibm-plex-sans/${name}.ttf`)));
      doc.font(name);
      return new Set(doc._font.font.characterSet);
    });
    const wrong: number[] = [];
    for (let code = 0; code <= lastCode; code++) {
      if (code >= surrogates[0] && code <= surrogates[1]) continue;
      const character = String.fromCodePoint(code);
      const isKnown = /\s/u.test(character) || sets.every((set) => set.has(code));
      if ((missingGlyph(character) === null) !== isKnown) wrong.push(code);
    }
    expect(wrong).toEqual([]);
  });

  it("names the first one", () => {
    expect(missingGlyph("Bäckerei Ω Ж €")).toBeNull();
    expect(missingGlyph("Cake 🎂 山")).toBe("🎂");
    expect(missingGlyph("שלום")).toBe("ש");
  });
});

it("prints a plain space for every space that the fonts lack", () => {
  expect(printable("a\tb\u3000c\r\nd\u00a0e")).toBe("a b c\nd\u00a0e");
});
