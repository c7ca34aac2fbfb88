// Lines of a CSV file (RFC 4180) whose texts no spreadsheet takes for formulas.

export type Cell = string | number | boolean | null;

/** What makes a spreadsheet calculate, run a command or fetch something; full-width forms count in East Asian ones. */
const beginsFormula = /^[=+\-@\t\r\n＝＋－＠]/;
/**
 * Where a spreadsheet whose list separator is not the comma begins a new cell: quotes in the middle of what it takes for a
 * cell mean nothing to it, so they protect neither the separator nor a line break.
 */
const beginsInside = /([;|\t\r\n][\s"]*)(?=[=+\-@＝＋－＠])/g;
const needsQuotes = /[",\r\n]/;

/** One line with its end. `'` goes before whatever a spreadsheet could take for a formula; numbers stay as they are. */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(csvField).join(",")}\r\n`;

function csvField(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell !== "string") return String(cell);
  const inside = cell.replaceAll(beginsInside, "$1'");
  const text = beginsFormula.test(cell) ? `'${inside}` : inside;
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
