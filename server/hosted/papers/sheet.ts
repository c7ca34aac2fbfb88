// The pages of a PDF file and what is written on them: text in boxes, each with its element for screen readers.
import PDFDocument from "pdfkit";
import { printable } from "@/server/kit/glyphs";
import { compact } from "./compact";
import { fitting } from "./fitting";
import { type Face, fonts } from "./fonts";
import type { Paper } from "./paper";

/** Points. */
export const margin = 56;
export const sizes = { small: 8, body: 10, section: 12, heading: 16, amount: 26 };
export const gap = { line: 3, row: 5, section: 18 };
export const colors = { text: "#16191d", dim: "#59616b", rule: "#d3d8de" };
const footHeight = 40;
/** What is parted begins only where there is at least this much room. */
const leastPart = 120;

interface Style {
  size?: number;
  face?: Face;
  color?: string;
  isNumber?: boolean;
}

export interface Box {
  x: number;
  width: number;
}

type Element = PDFKit.PDFStructureElement;

/** What the types of pdfkit lack. */
interface Untyped {
  openImage(file: Buffer): { width: number; height: number };
  _offsets: number[];
  _root: { id: number };
  _info: { id: number };
  struct(type: string, options: object, draw?: () => void): Element;
}

/** A file in the making. Its structure is PDF/UA-1 (ISO 14289-1): title, language, tags, bookmarks, embedded fonts. */
export class Sheet {
  readonly doc: PDFKit.PDFDocument & Untyped;
  /** From margin to margin. */
  readonly all: Box;
  readonly root: Element;

  constructor({ size, language, title, at, sender }: Paper) {
    const date = new Date(at);
    const options = {
      ...{ size, margin, lang: language, pdfVersion: "1.7", subset: "PDF/UA", tagged: true, displayTitle: true },
      info: { Title: title, Author: sender.name, Creator: "Quittance", CreationDate: date, ModDate: date },
      bufferPages: true,
      // The fonts below instead of one of pdfkit's own.
      font: null,
    };
    this.doc = new PDFDocument(options as object) as typeof this.doc;
    for (const [face, font] of Object.entries(fonts)) this.doc.registerFont(face, font as never);
    this.all = { x: margin, width: this.doc.page.width - 2 * margin };
    this.root = this.doc.struct("Document", {});
    this.doc.addStructure(this.root);
  }

  /** Ends the last page and returns the file. */
  async finish(foot: string, pageOf: string): Promise<Uint8Array<ArrayBuffer>> {
    const { doc } = this;
    const chunks: Buffer[] = [];
    const ended = new Promise((resolve, reject) => {
      doc.on("data", (chunk: Buffer) => chunks.push(chunk));
      doc.on("end", resolve);
      doc.on("error", reject);
    });
    this.root.end();
    this.feet(foot, pageOf);
    doc.end();
    await ended;
    const { _offsets: offsets, _root, _info } = doc;
    return compact({ bytes: Buffer.concat(chunks), offsets, root: _root.id, info: _info.id });
  }

  /** A new element within another. */
  element(parent: Element, type: string): Element {
    const element = this.doc.struct(type, {});
    parent.add(element);
    return element;
  }

  paragraph(text: string, style: Style = {}): void {
    this.room(this.heightOf(text, this.all, style));
    this.write(this.root, "P", text, this.all, style);
    this.doc.y += gap.line;
  }

  /** Writes the text as an element of the structure. */
  write(parent: Element, type: string, text: string, box: Box, style: Style = {}): void {
    const options = type === "TH" ? { scope: "Column" } : {};
    parent.add(this.doc.struct(type, options, () => this.text(text, box, style)));
  }

  /** An image of at most this size, which screen readers call `alt`. */
  image(file: Buffer, alt: string, most: { width: number; height: number }): void {
    const image = this.doc.openImage(file);
    const [x, y] = [margin, this.doc.y];
    const scale = Math.min(most.width / image.width, most.height / image.height);
    const [width, height] = [image.width * scale, image.height * scale];
    const draw = () => this.doc.image(image as never, x, y, { width, height });
    this.root.add(this.doc.struct("Figure", { alt, bbox: [x, y, x + width, y + height] }, draw));
    this.doc.y = y + height;
  }

  /** Texts side by side, each an element of type `type` within `parent`; without elements if that is null. */
  cells(
    texts: readonly string[],
    boxes: readonly Box[],
    styles: readonly Style[],
    parent: Element | null,
    type: string,
  ) {
    const top = this.doc.y + gap.row;
    let bottom = top;
    texts.forEach((text, at) => {
      const [box, style] = [boxes[at] ?? this.all, styles[at] ?? {}];
      this.doc.y = top;
      if (parent === null) this.text(text, box, style);
      else this.write(parent, type, text, box, style);
      bottom = Math.max(bottom, this.doc.y);
    });
    this.doc.y = bottom + gap.row;
  }

  heightOf(text: string, { width }: Box, { size = sizes.body, face = "regular" }: Style = {}): number {
    return this.doc.font(face).fontSize(size).heightOfString(printable(text), { width });
  }

  /** As {@link cells}; what does not fit below goes on on the next page. */
  longCells(texts: readonly string[], boxes: readonly Box[], styles: readonly Style[], parent: Element, type: string) {
    let rest = texts;
    while (this.roomLeft < this.heightOfCells(rest, boxes, styles)) {
      if (this.room(leastPart)) continue;
      const room = this.roomLeft - 2 * gap.row;
      const counts = rest.map((text, at) =>
        fitting(text, (part) => this.heightOf(part, boxes[at] ?? this.all, styles[at]) <= room),
      );
      const parts = rest.map((text, at) => text.slice(0, counts[at]).trimEnd());
      this.cells(parts, boxes, styles, parent, type);
      rest = rest.map((text, at) => text.slice(counts[at]));
      this.doc.addPage();
    }
    this.cells(rest, boxes, styles, parent, type);
  }

  private get roomLeft(): number {
    return this.doc.page.height - margin - this.doc.y;
  }

  /** From margin to margin. */
  get heightOfPage(): number {
    return this.doc.page.height - 2 * margin;
  }

  /** The height of {@link cells}. */
  heightOfCells(texts: readonly string[], boxes: readonly Box[], styles: readonly Style[] = []): number {
    const heights = texts.map((text, at) => this.heightOf(text, boxes[at] ?? this.all, styles[at]));
    return Math.max(0, ...heights) + 2 * gap.row;
  }

  rule(): void {
    const { doc, all } = this;
    this.artifact(() =>
      doc
        .moveTo(all.x, doc.y)
        .lineTo(all.x + all.width, doc.y)
        .lineWidth(0.5)
        .stroke(colors.rule),
    );
  }

  /** Begins a new page unless `height` fits below. Returns whether it did. */
  room(height: number): boolean {
    const { doc } = this;
    if (height <= this.roomLeft) return false;
    doc.addPage();
    return true;
  }

  /** Draws what screen readers pass over. */
  artifact(draw: () => unknown): void {
    this.doc.markContent("Artifact");
    draw();
    this.doc.endMarkedContent();
  }

  private text(text: string, { x, width }: Box, style: Style): void {
    const { size = sizes.body, face = "regular", color = colors.text, isNumber = false } = style;
    this.doc.font(face).fontSize(size).fillColor(color);
    this.doc.text(printable(text), x, this.doc.y, { width, align: isNumber ? "right" : "left" });
  }

  /** As much of the text as fits on one line. */
  private cut(text: string, width: number, { size = sizes.body, face = "regular" }: Style): string {
    const doc = this.doc.font(face).fontSize(size);
    const characters = [...printable(text).replaceAll("\n", " ")];
    const whole = characters.join("");
    if (doc.widthOfString(whole) <= width) return whole;
    while (characters.length > 0 && doc.widthOfString(`${characters.join("")}…`) > width) characters.pop();
    return `${characters.join("")}…`;
  }

  /** A text and the page number at the foot of each page. */
  private feet(foot: string, pageOf: string): void {
    const { doc, all } = this;
    const { start, count } = doc.bufferedPageRange();
    const style = { size: sizes.small, color: colors.dim };
    const boxes = [
      { x: margin, width: all.width * 0.75 },
      { x: margin + all.width * 0.75, width: all.width * 0.25 },
    ];
    const oneLine = this.cut(foot, all.width * 0.7, style);
    for (let at = start; at < start + count; at++) {
      doc.switchToPage(at);
      // Text below the margin would begin a new page.
      doc.page.margins.bottom = 0;
      doc.y = doc.page.height - footHeight;
      const number = pageOf.replace("{page}", String(at + 1)).replace("{pages}", String(count));
      this.artifact(() => this.cells([oneLine, number], boxes, [style, { ...style, isNumber: true }], null, ""));
    }
  }
}
