// The fonts of papers, read once for all papers of a thread.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import PDFDocument from "pdfkit";

export type Face = "regular" | "bold";

const resolve = createRequire(import.meta.url).resolve;
const fontFile = (name: string) => readFileSync(resolve(`@expo-google-fonts/ibm-plex-sans/${name}.ttf`));

interface Font {
  layout(text: string): unknown;
}

/** Characters of nearly every paper. */
const usual = "abcdefghijklmnopqrstuvwxyz 0123456789.,";

/**
 * A font that pdfkit has read. Reading it takes longer than drawing a short paper, so all papers share it. The font
 * reads its ligatures and the kerning of a letter when it first needs them.
 */
function parsedFont(name: string): Font {
  const doc = new PDFDocument({ font: null } as object) as unknown as PDFKit.PDFDocument & { _font: { font: Font } };
  doc.registerFont(name, fontFile(name));
  doc.font(name);
  const { font } = doc._font;
  font.layout(usual);
  return font;
}

/** Latin, Greek and Cyrillic letters, with digits of one width. */
export const fonts: Record<Face, Font> = {
  regular: parsedFont("400Regular/IBMPlexSans_400Regular"),
  bold: parsedFont("600SemiBold/IBMPlexSans_600SemiBold"),
};
