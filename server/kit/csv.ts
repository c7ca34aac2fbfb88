// Lines of a CSV file (RFC 4180) that no spreadsheet reads as formulas.

export type Cell = string | number | boolean | null | Decimal;

/** A number with decimals, such as "-12.50", written as it is. */
interface Decimal {
  readonly decimal: string;
}

/** Characters that start a formula in a spreadsheet; East Asian versions accept full-width forms too. */
const beginsFormula = /^[=+\-@\t\r\n＝＋－＠]/;
/**
 * Where a spreadsheet with another list separator than the comma starts a new cell. It ignores quotes inside what it
 * treats as a cell, so they protect neither the separator nor a line break.
 */
const beginsInside = /([;|\t\r\n][\s"]*)(?=[=+\-@＝＋－＠])/g;
const needsQuotes = /[",\r\n]/;

/** One line with its line break. Anything a spreadsheet could read as a formula gets a leading `'`; numbers do not. */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(csvField).join(",")}\r\n`;

function csvField(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell === "object") return cell.decimal;
  if (typeof cell !== "string") return String(cell);
  const inside = cell.replaceAll(beginsInside, "$1'");
  const text = beginsFormula.test(cell) ? `'${inside}` : inside;
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
