// Lines of a CSV file (RFC 4180) whose texts no spreadsheet takes for formulas.

export type Cell = string | number | boolean | null;

/** What makes a spreadsheet calculate, run a command or fetch something; full-width forms count in East Asian ones. */
const beginsFormula = /^[=+\-@\t\r\n＝＋－＠]/;
const needsQuotes = /[",\r\n]/;

/** One line with its end. A text that could be a formula gets `'` before it; numbers stay as they are. */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(csvField).join(",")}\r\n`;

function csvField(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell !== "string") return String(cell);
  const text = beginsFormula.test(cell) ? `'${cell}` : cell;
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
