// A document to print, as data: what it says is decided here, how it looks in draw.ts. Every text is in the reader's
// language already.

/** A term and its value, on one line. */
export interface Fact {
  term: string;
  value: string;
}

export interface Column {
  title: string;
  /** Its share of the width of the table; the shares add up to 1. */
  share: number;
  /** Amounts and counts stand at the end of their column. */
  isNumber?: boolean;
}

export interface Table {
  title: string;
  columns: readonly Column[];
  /** One text for each column. */
  rows: readonly (readonly string[])[];
  /** Below the rows. */
  sums: readonly (Fact & { isTotal: boolean })[];
}

export interface Paper {
  /** BCP 47 tag. */
  language: string;
  size: "A4" | "LETTER";
  /** The title of the file. */
  title: string;
  /** ISO 8601; when what it says last changed. The same content at the same time gives the same bytes. */
  at: string;
  heading: string;
  /** Who issues it. `logo` is a PNG or JPEG in base64; `color` is #rrggbb. */
  sender: { name: string; lines: readonly string[]; logo: string | null; color: string | null };
  /** Says that it is only a test; null for a real one. */
  test: string | null;
  /** Why it is void; null for one that counts. */
  voided: string | null;
  /** The amount, as the largest text, and what it means. */
  amount: string;
  state: string;
  description: string | null;
  facts: readonly Fact[];
  tables: readonly Table[];
  notes: readonly string[];
  /** "Page {page} of {pages}", with these placeholders. */
  pageOf: string;
}

/** The file, or the first character that the fonts of papers cannot show. */
export type Drawn = { bytes: Uint8Array<ArrayBuffer> } | { missing: string };

/** Regions whose paper has the size "letter", as the CLDR lists them. */
const letterRegions = ["BZ", "CA", "CL", "CO", "CR", "GT", "MX", "NI", "PA", "PH", "PR", "SV", "US", "VE"];

/** The size of paper in the region of a locale; A4 for a locale without one. */
export const paperSizeOf = (locale: string): Paper["size"] =>
  letterRegions.includes(new Intl.Locale(locale).region ?? "") ? "LETTER" : "A4";
