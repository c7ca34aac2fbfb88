// The PDF of a paper: what a reader, a screen reader and a printer get.
import { getDocumentProxy } from "unpdf";
import { describe, expect, it } from "vitest";
import { draw } from "./draw";
import { type Paper, paperSizeOf, type Table } from "./paper";

const lines = (count: number): Table => ({
  title: "Items",
  columns: [
    { title: "Item", share: 0.46 },
    { title: "Quantity", share: 0.14, isNumber: true },
    { title: "Unit price", share: 0.2, isNumber: true },
    { title: "Amount", share: 0.2, isNumber: true },
  ],
  rows: Array.from({ length: count }, (_, at) => [
    `Loaf ${at + 1}`,
    "999,999",
    "KWD 9,999,999.999",
    "¥999,999,999,999",
  ]),
  sums: [
    { term: "Tax 19%", value: "€159,663,865.41", isTotal: false },
    { term: "Total", value: "€999,999,999,999.99", isTotal: true },
  ],
});

const paperOf = (changes: Partial<Paper> = {}): Paper => ({
  language: "de-AT",
  size: "A4",
  title: "Receipt from Bäckerei Müller",
  at: "2026-11-25T10:00:00.000Z",
  heading: "Receipt",
  sender: { name: "Bäckerei Müller", lines: ["hello@example.com"], logo: null, color: "#0b7285" },
  test: null,
  voided: null,
  amount: "€999,999,999,999.99",
  state: "Paid",
  description: "Κέικ γάμου и свадебный торт",
  facts: [{ term: "For", value: "Grégoire Łukasiewicz" }],
  tables: [lines(1)],
  notes: ["Only the first are listed."],
  pageOf: "Page {page} of {pages}",
  ...changes,
});

async function bytesOf(paper: Paper): Promise<Uint8Array<ArrayBuffer>> {
  const drawn = await draw(paper);
  if ("missing" in drawn) throw new Error(`No glyph for ${drawn.missing}`);
  return drawn.bytes;
}

/** The file as a viewer reads it. The viewer takes the bytes for itself. */
const opened = async (paper: Paper) => getDocumentProxy((await bytesOf(paper)).slice());

type Opened = Awaited<ReturnType<typeof opened>>;

interface Text {
  str: string;
  width: number;
  transform: number[];
}

async function textsOf(file: Opened, page: number): Promise<Text[]> {
  const { items } = await (await file.getPage(page)).getTextContent();
  return items.filter((item) => "str" in item && item.str.trim() !== "") as Text[];
}

interface Node {
  role?: string;
  alt?: string;
  children?: Node[];
}

/** The roles of the page's elements with their content, such as `H1` and `TR(TD TD)`. */
function outlineOf({ role = "", children = [] }: Node): string {
  const inner = children.filter((child) => child.role !== undefined).map(outlineOf);
  return inner.length === 0 ? role : `${role}(${inner.join(" ")})`;
}

describe("the file", () => {
  it("has a title, a language, bookmarks, and a tag for everything that it says", async () => {
    const file = await opened(paperOf());
    const { info } = await file.getMetadata();
    expect(info).toMatchObject({ Title: "Receipt from Bäckerei Müller", Author: "Bäckerei Müller", Language: "de-AT" });
    expect(await file.getMarkInfo()).toMatchObject({ Marked: true });
    expect((await file.getOutline()).map(({ title }: { title: string }) => title)).toEqual(["Receipt", "Items"]);
    const tree = (await (await file.getPage(1)).getStructTree()) as Node;
    expect(outlineOf(tree)).toBe(
      "Root(Document(P P H1 P P P P(Span Span) H2 Table(TR(TH TH TH TH) TR(TD TD TD TD)) P(Span Span) P(Span Span) P))",
    );
  });

  it("says everything, in Latin, Greek and Cyrillic letters", async () => {
    const text = (await textsOf(await opened(paperOf({ test: "TEST" })), 1)).map(({ str }) => str).join(" ");
    for (const part of [
      ...["TEST", "Bäckerei Müller", "hello@example.com", "Receipt", "€999,999,999,999.99", "Paid"],
      ...["Κέικ γάμου и свадебный торт", "Grégoire Łukasiewicz", "Loaf 1", "999,999", "KWD 9,999,999.999"],
      ...["¥999,999,999,999", "Tax 19%", "Only the first are listed.", "Page 1 of 1"],
    ]) {
      expect(text).toContain(part);
    }
  });

  it("is the same, byte for byte, when it is drawn again", async () => {
    const paper = paperOf({ tables: [lines(30)] });
    expect(Buffer.from(await bytesOf(paper)).equals(await bytesOf(paper))).toBe(true);
    // Whatever was drawn in between: all papers share what was read of the fonts.
    const first = Buffer.from(await bytesOf(paper));
    await bytesOf(paperOf({ description: "Ωмега, Żółw", tables: [lines(3)] }));
    expect(first.equals(await bytesOf(paper))).toBe(true);
    const later = await bytesOf({ ...paper, at: "2026-11-25T10:00:01.000Z" });
    expect(Buffer.from(later).equals(await bytesOf(paper))).toBe(false);
  });

  it.each([1, 30, 100])("takes at most 60 KB for %i lines", async (count) => {
    expect((await bytesOf(paperOf({ tables: [lines(count)] }))).length).toBeLessThan(60_000);
  });

  it("names the first character that no font has", async () => {
    expect(await draw(paperOf({ description: "Cake 🎂" }))).toEqual({ missing: "🎂" });
    expect(await draw(paperOf({ facts: [{ term: "For", value: "山田" }] }))).toEqual({ missing: "山" });
    expect(await draw(paperOf({ tables: [{ ...lines(1), rows: [["שלום", "", "", ""]] }] }))).toEqual({ missing: "ש" });
  });

  it("shows a logo, which screen readers call by the sender's name", async () => {
    const logo = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    const sender = { ...paperOf().sender, logo };
    const tree = (await (await (await opened(paperOf({ sender }))).getPage(1)).getStructTree()) as Node;
    expect(tree.children?.[0]?.children?.[0]).toMatchObject({ role: "Figure", alt: "Bäckerei Müller" });
  });
});

describe("long content", () => {
  it("continues a table on the next pages, under a repeated head, and numbers the pages", async () => {
    const file = await opened(paperOf({ tables: [lines(100)] }));
    expect(file.numPages).toBeGreaterThan(2);
    const seen: string[] = [];
    for (let page = 1; page <= file.numPages; page++) {
      const texts = (await textsOf(file, page)).map(({ str }) => str);
      expect(texts).toContain(`Page ${page} of ${file.numPages}`);
      if (texts.some((text) => text.startsWith("Loaf"))) expect(texts).toContain("Unit price");
      seen.push(...texts.filter((text) => text.startsWith("Loaf")));
    }
    expect(seen).toEqual(Array.from({ length: 100 }, (_, at) => `Loaf ${at + 1}`));
  });

  it("keeps the sums together, below at least one row", async () => {
    for (let count = 1; count <= 40; count++) {
      const file = await opened(paperOf({ tables: [lines(count)], notes: [] }));
      const texts = (await textsOf(file, file.numPages)).map(({ str }) => str);
      for (const text of [`Loaf ${count}`, "Tax 19%", "Total"]) expect(texts, `${count} lines`).toContain(text);
    }
  });

  it("parts sums that are higher than a page where pages end", async () => {
    const reason = "Ш".repeat(200);
    const tall = {
      term: ["Tax 0%", "Exempt (E)", ...Array(5).fill(reason)].join("\n"),
      value: "€0.00",
      isTotal: false,
    };
    const taller = { ...tall, term: `${tall.term} ${"Ш".repeat(2_000)}` };
    for (const [sums, pages] of [
      [[tall, ...lines(1).sums], 2],
      [[taller, taller, ...lines(1).sums], 7],
    ] as const) {
      const file = await opened(paperOf({ size: "LETTER", tables: [{ ...lines(3), sums }] }));
      expect(file.numPages).toBe(pages);
      const all: Text[] = [];
      for (let page = 1; page <= pages; page++) all.push(...(await textsOf(file, page)));
      const heights = all.map(({ transform }) => transform[5] ?? 0).filter((y) => y > 40);
      expect(Math.min(...heights)).toBeGreaterThanOrEqual(56);
      const count = (text: string) => text.split("Ш").length - 1;
      expect(count(all.map(({ str }) => str).join(""))).toBe(count(sums.map(({ term }) => term).join("")));
    }
  });

  it("stays within the margins, with amounts of 12 digits and words without a break", async () => {
    const word = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft".repeat(3);
    const table = { ...lines(40), rows: Array.from({ length: 40 }, () => [word, "999,999", word, "¥999,999,999,999"]) };
    const sender = { name: word, lines: [word], logo: null, color: null };
    const paper = paperOf({ tables: [table], description: word, sender, facts: [{ term: word, value: word }] });
    const file = await opened(paper);
    const [, , width = 0, height = 0] = (await file.getPage(1)).view;
    for (let page = 1; page <= file.numPages; page++) {
      for (const { str, width: long, transform } of await textsOf(file, page)) {
        const [x = 0, y = 0] = transform.slice(4);
        expect(x, str).toBeGreaterThanOrEqual(55);
        expect(x + long, str).toBeLessThanOrEqual(width - 55);
        expect(y, str).toBeGreaterThan(20);
        expect(y, str).toBeLessThan(height - 40);
      }
    }
  });
});

describe("paperSizeOf", () => {
  it("is Letter in the regions that use it, and A4 elsewhere", () => {
    expect(["en-US", "es-MX", "fr-CA", "en", "de", "en-GB", "es"].map(paperSizeOf)).toEqual([
      ...["LETTER", "LETTER", "LETTER"],
      ...["A4", "A4", "A4", "A4"],
    ]);
  });
});
