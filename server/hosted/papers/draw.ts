// Draws a paper as a PDF file. Runs in a thread of its own; see paper-worker.cjs.
import { missingGlyph } from "@/server/kit/glyphs";
import type { Column, Drawn, Fact, Paper, Table } from "./paper";
import { type Box, colors, gap, margin, Sheet, sizes } from "./sheet";

const mostLogo = { width: 150, height: 44 };

/** Draws the paper. The same paper always gives the same bytes. */
export async function draw(paper: Paper): Promise<Drawn> {
  const missing = missingGlyph(textOf(paper));
  if (missing !== null) return { missing };
  const sheet = new Sheet(paper);
  drawHead(sheet, paper);
  for (const table of paper.tables) drawTable(sheet, table);
  if (paper.notes.length > 0) sheet.doc.y += gap.section;
  for (const note of paper.notes) sheet.paragraph(note, { color: colors.dim });
  return { bytes: await sheet.finish(paper.title, paper.pageOf) };
}

function drawHead(sheet: Sheet, paper: Paper): void {
  const { doc } = sheet;
  const { logo, name, lines, color } = paper.sender;
  if (color !== null) sheet.artifact(() => doc.rect(0, 0, doc.page.width, 6).fill(color));
  for (const text of [paper.test, paper.voided]) if (text !== null) sheet.paragraph(text, { face: "bold" });
  if (logo !== null) {
    sheet.image(Buffer.from(logo, "base64"), name, mostLogo);
    doc.y += gap.row;
  }
  sheet.paragraph(name, { face: "bold", size: sizes.section });
  for (const line of lines) sheet.paragraph(line, { color: colors.dim });
  doc.y += gap.section;
  doc.outline.addItem(paper.heading);
  sheet.write(sheet.root, "H1", paper.heading, sheet.all, { face: "bold", size: sizes.heading });
  sheet.paragraph(paper.amount, { face: "bold", size: sizes.amount });
  sheet.paragraph(paper.state, { color: colors.dim });
  doc.y += gap.row;
  if (paper.description !== null) sheet.paragraph(paper.description);
  doc.y += gap.row;
  for (const fact of paper.facts) drawFact(sheet, fact);
}

/** The term and its value side by side. */
function drawFact(sheet: Sheet, { term, value }: Fact): void {
  const width = sheet.all.width * 0.28;
  const boxes = [
    { x: margin, width: width - gap.section },
    { x: margin + width, width: sheet.all.width - width },
  ];
  sheet.room(sheet.heightOfCells([term, value], boxes));
  const line = sheet.element(sheet.root, "P");
  // Closer together than rows between rules.
  sheet.doc.y -= gap.row;
  sheet.cells([term, value], boxes, [{ color: colors.dim }], line, "Span");
  sheet.doc.y -= gap.line - 1;
  line.end();
}

/** The head is repeated on each page. */
function drawTable(sheet: Sheet, { title, columns, rows, sums }: Table): void {
  const { doc } = sheet;
  const boxes = boxesOf(columns, sheet.all);
  const titles = columns.map((column) => column.title);
  const styles = columns.map(({ isNumber }) => ({ isNumber }));
  const headStyles = styles.map((style) => ({ ...style, color: colors.dim, size: sizes.small }));
  const topHeight = 3 * sizes.section + sheet.heightOfCells(titles, boxes);
  const sumsHeight = heightOfSums(sheet, sums);
  /** The height of a row, with what stays together with it: below the last one are the sums, if a page has room. */
  function heightFrom(at: number): number {
    const own = sheet.heightOfCells(rows[at] ?? [], boxes);
    const isKept = at >= rows.length - 1 && topHeight + own + sumsHeight <= sheet.heightOfPage;
    return isKept ? own + sumsHeight : own;
  }
  doc.y += gap.section;
  // The title never stands alone at the end of a page.
  sheet.room(topHeight + heightFrom(0));
  doc.outline.addItem(title);
  sheet.write(sheet.root, "H2", title, sheet.all, { face: "bold", size: sizes.section });
  const table = sheet.element(sheet.root, "Table");
  const head = sheet.element(table, "TR");
  sheet.cells(titles, boxes, headStyles, head, "TH");
  for (const [at, row] of rows.entries()) {
    if (sheet.room(heightFrom(at))) {
      sheet.artifact(() => sheet.cells(titles, boxes, headStyles, null, ""));
    }
    sheet.rule();
    sheet.cells(row, boxes, styles, sheet.element(table, "TR"), "TD");
  }
  table.end();
  sheet.rule();
  // Those that are higher than a page are parted where it ends.
  if (sumsHeight <= sheet.heightOfPage) sheet.room(sumsHeight);
  for (const sum of sums) drawSum(sheet, sum);
}

type Sum = Table["sums"][number];

/** Where a sum is written, and how. */
function layoutOfSum(sheet: Sheet, { term, value, isTotal }: Sum) {
  const [left, width] = [margin + sheet.all.width * 0.3, sheet.all.width * 0.7];
  const boxes = [
    { x: left, width: width * 0.6 },
    { x: left + width * 0.6, width: width * 0.4 },
  ];
  const face = isTotal ? ("bold" as const) : ("regular" as const);
  return [[term, value], boxes, [{ face }, { face, isNumber: true }]] as const;
}

/** Sums are closer together than rows. */
function heightOfSums(sheet: Sheet, sums: readonly Sum[]): number {
  const heights = sums.map((sum) => sheet.heightOfCells(...layoutOfSum(sheet, sum)) - gap.row);
  return heights.reduce((sum, height) => sum + height, sums.length === 0 ? 0 : gap.row);
}

function drawSum(sheet: Sheet, sum: Sum): void {
  const layout = layoutOfSum(sheet, sum);
  const line = sheet.element(sheet.root, "P");
  sheet.longCells(...layout, line, "Span");
  sheet.doc.y -= gap.row;
  line.end();
}

function boxesOf(columns: readonly Column[], { x, width }: Box): Box[] {
  let left = x;
  return columns.map(({ share }, at) => {
    const between = at === columns.length - 1 ? 0 : gap.section / 2;
    const box = { x: left, width: width * share - between };
    left += width * share;
    return box;
  });
}

/** Everything that the paper says. */
const textOf = ({ sender, facts, tables, ...paper }: Paper): string =>
  [
    ...[paper.heading, paper.title, paper.amount, paper.state, paper.pageOf],
    ...[sender.name, ...sender.lines, paper.description ?? "", paper.test ?? "", paper.voided ?? "", ...paper.notes],
    ...[...facts, ...tables.flatMap(({ sums }) => sums)].flatMap(({ term, value }) => [term, value]),
    ...tables.flatMap(({ title, columns, rows }) => [title, ...columns.map((column) => column.title), ...rows.flat()]),
  ].join("");
