// Lines of a CSV file (RFC 4180, or as a spreadsheet of a region writes it) that no spreadsheet reads as formulas.

export type Cell = string | number | boolean | null | Decimal;

/** A number with decimals, such as "-12.50", written as it is. */
interface Decimal {
  readonly decimal: string;
}

/** How a file is written. */
export interface Dialect {
  /** What the file begins with. */
  readonly start: string;
  readonly separator: "," | ";";
  readonly decimalMark: "." | ",";
}

const rfc4180: Dialect = { start: "", separator: ",", decimalMark: "." };

/** Without it, Excel does not read a file as UTF-8. */
const byteOrderMark = "\u{FEFF}";

/** The dialect that Excel expects where `locale` (BCP 47) is written; RFC 4180 without one. */
export function dialectOf(locale: string | undefined): Dialect {
  if (locale === undefined) return rfc4180;
  const parts = new Intl.NumberFormat(locale).formatToParts(0.5);
  const hasComma = parts.some(({ type, value }) => type === "decimal" && value === ",");
  return { start: byteOrderMark, ...(hasComma ? regional : { separator: ",", decimalMark: "." }) };
}

const regional = { separator: ";", decimalMark: "," } as const;

/** Characters that start a formula in a spreadsheet; East Asian versions accept full-width forms too. */
const beginsFormula = /^[=+\-@\t\r\n＝＋－＠]/;
/**
 * Where a spreadsheet with another list separator than the comma starts a new cell. It ignores quotes inside what it
 * treats as a cell, so they protect neither the separator nor a line break.
 */
const beginsInside = {
  ",": /([;|\t\r\n][\s"]*)(?=[=+\-@＝＋－＠])/g,
  ";": /([,|\t\r\n][\s"]*)(?=[=+\-@＝＋－＠])/g,
} as const;
const needsQuotes = { ",": /[",\r\n]/, ";": /[";\r\n]/ } as const;

/** One line with its line break. Anything a spreadsheet could read as a formula gets a leading `'`; numbers do not. */
export const csvLine = (cells: readonly Cell[], dialect = rfc4180): string =>
  `${cells.map((cell) => csvField(cell, dialect)).join(dialect.separator)}\r\n`;

function csvField(cell: Cell, { separator, decimalMark }: Dialect): string {
  if (cell === null) return "";
  if (typeof cell === "object") return cell.decimal.replace(".", decimalMark);
  if (typeof cell !== "string") return String(cell);
  const inside = cell.replaceAll(beginsInside[separator], "$1'");
  const text = beginsFormula.test(cell) ? `'${inside}` : inside;
  return needsQuotes[separator].test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
