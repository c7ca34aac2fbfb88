// The one reader of numbers that people type: amounts, quantities, percentages. Anything unclear is refused, not guessed.
import { limits } from "./limits";
import { plainDigits } from "./plain-digits";
import { remembered } from "./remembered";

export type NumberProblem = "empty" | "malformed" | "ambiguous" | "tooPrecise";

/** How a number is read. */
interface Expected {
  /** BCP 47 tag. */
  locale: string;
  /** The most digits after the decimal mark. Further zeros count for nothing. */
  decimals: number;
  /** What may stand before or behind the number, once: signs in plain characters, and codes of three letters. */
  signs?: readonly string[];
  /** Whether a minus sign may stand before it. */
  mayBeNegative?: boolean;
}

/** A typed number: `digits` are its units of the last decimal, without leading zeros and empty for 0. */
interface TypedNumber {
  digits: string;
  isNegative: boolean;
}

/** A text read with one mark as the decimal mark: its digits before and after that mark. */
interface Reading {
  whole: string;
  fraction: string;
}

/** Marks that can only separate groups. Each becomes one sign for its kind, since a number has one kind. */
const gaps: readonly [RegExp, string][] = [
  [/\p{Zs}/gu, " "],
  // Apostrophes, the quotation marks and primes that are typed for them, and the accent of a keyboard.
  [/['’‘ʼ′`´]/g, "'"],
];

const byThree = /^[1-9]\d{0,2}(?:([ ',.٬])\d{3})(?:\1\d{3})*$/;
/** As in India: groups of two before the last three. */
const byTwo = /^[1-9]\d?(?:([ ',.٬])\d{2})(?:\1\d{2})*\1\d{3}$/;

/**
 * Reads a number. A mark separates thousands only before exactly three digits, or as the locale groups them; commas and
 * points are otherwise read as the text itself shows, in every locale: "1.234,56" and "1,234.56" are one number, and so
 * are "249,90" and "249.90". Where a mark could be of either kind, as in "1,234", the locale and the number of decimals
 * decide, or the text is refused.
 */
export function readTyped(text: string, expected: Expected): TypedNumber | { problem: NumberProblem } {
  const { isNegative, number } = bareNumber(text, expected);
  if (number === "" && !isNegative) return { problem: "empty" };
  if (isNegative && !expected.mayBeNegative) return { problem: "malformed" };
  const read = readingOf(number, expected);
  if ("problem" in read) return read;
  const { decimals } = expected;
  const significant = read.fraction.replace(/0+$/, "");
  if (significant.length > decimals) return { problem: "tooPrecise" };
  return { digits: (read.whole + significant.padEnd(decimals, "0")).replace(/^0+/, ""), isNegative };
}

/** A whole number; null for anything else. Zero is one. */
export function readWhole(text: string, locale: string): number | null {
  const read = readTyped(text, { locale, decimals: 0 });
  const isNumber = "digits" in read && read.digits.length <= String(Number.MAX_SAFE_INTEGER).length - 1;
  return isNumber ? Number(read.digits) : null;
}

/** Whether the text is a number with decimals that are not zero. */
export function isFraction(text: string, locale: string): boolean {
  const read = readTyped(text, { locale, decimals: 0 });
  return "problem" in read && read.problem === "tooPrecise";
}

/** A percentage with at most two decimals in hundredths of a percent, with or without its sign; null for anything else. */
export function readPercent(text: string, locale: string): number | null {
  const read = readTyped(text, { locale, decimals: 2, signs: ["%", "٪"] });
  return "digits" in read && read.digits.length <= String(limits.amount).length ? Number(read.digits) : null;
}

/** The number in the text, with Western digits and plain marks, without a minus and one sign before or behind. */
function bareNumber(text: string, { locale, signs = [] }: Expected): { isNegative: boolean; number: string } {
  const digits = digitsOf(locale);
  const latin = Array.from(plainDigits(text), (character) => {
    const value = digits.indexOf(character);
    return value < 0 ? character : String(value);
  });
  const plain = plainMarks(latin.join("")).trim();
  const [positive = "", ...minus] = withoutMinus(plain);
  const [number = "", ...second] =
    minus.length > 0 ? [withoutSign(positive, signs)] : withoutMinus(withoutSign(positive, signs));
  return { isNegative: minus.length + second.length > 0, number };
}

/** The longest of the signs that the text begins or ends with; null without one. A code may be in any case. */
export const signIn = (text: string, signs: readonly string[]): string | null =>
  signs
    .filter((sign) => isOf(text.slice(0, sign.length), sign) || isOf(text.slice(-sign.length), sign))
    .reduce<string | null>((longest, sign) => (sign.length > (longest?.length ?? 0) ? sign : longest), null);

const isOf = (part: string, sign: string): boolean =>
  part === sign || (/^[A-Z]{3}$/.test(sign) && part.toUpperCase() === sign);

/** The text without the longest sign before or behind it. */
function withoutSign(text: string, signs: readonly string[]): string {
  const sign = signIn(text, signs);
  if (sign === null) return text;
  return (isOf(text.slice(0, sign.length), sign) ? text.slice(sign.length) : text.slice(0, -sign.length)).trim();
}

/** The text without a minus sign before it, which may also be typed as a dash; then also the sign. */
const withoutMinus = (text: string): string[] =>
  /^[-\u2212\u2013]/.test(text) ? [text.slice(1).trim(), text.slice(0, 1)] : [text];

/** The only reading of the text, or the one that suits the locale and the number of decimals. */
function readingOf(text: string, { locale, decimals }: Expected): Reading | { problem: NumberProblem } {
  const marks = marksOf(locale);
  const commas = text.replaceAll("،", ",");
  const read = (decimal: string) => readWith(decimal, commas, marks);
  const arabic = commas.includes("٫") ? read("٫") : null;
  const [point, comma] = arabic ? [arabic, null] : [read("."), read(",")];
  const only = point ?? comma;
  if (only === null) return { problem: "malformed" };
  // An apostrophe before three digits separates thousands, unless it may as well stand for the decimal mark.
  if (decimals >= 3 && /^\d+'\d+$/.test(commas) && !marks.group.has("'")) return { problem: "ambiguous" };
  if (point === null || comma === null || (point.whole === comma.whole && point.fraction === comma.fraction)) {
    // In a locale that separates thousands with this mark, it is a decimal mark only before few digits: "1,0000" may
    // mean 10,000.
    const mark = only === point ? "." : ",";
    const isGroup = marks.group.has(mark) && !marks.decimal.has(mark);
    return isGroup && only.fraction.length > 3 ? { problem: "ambiguous" } : only;
  }
  // One mark before three digits. A number with fewer decimals has no such fraction, so the mark separates thousands.
  const mark = commas.includes(",") ? "," : ".";
  const [asDecimal, asGroup] = mark === "." ? [point, comma] : [comma, point];
  if (decimals >= 3 && marks.decimal.has(mark)) return asDecimal;
  if (decimals < 3 && marks.group.has(mark)) return asGroup;
  return { problem: "ambiguous" };
}

/** Reads the text with this decimal mark; null if a mark is in the wrong place. */
function readWith(decimal: string, text: string, { isByTwo }: Marks): Reading | null {
  const [groups = "", fraction = "", ...others] = text.split(decimal);
  if (others.length > 0 || !/^\d*$/.test(fraction)) return null;
  if (!/^\d*$/.test(groups) && !byThree.test(groups) && !(isByTwo && byTwo.test(groups))) return null;
  const whole = groups.replace(/\D/g, "");
  return whole === "" && fraction === "" ? null : { whole, fraction };
}

/** The ten digits of the locale, 0 first. */
const digitsOf = remembered(limits.rememberedFormats, (locale): string[] => {
  const single = new Intl.NumberFormat(locale, { useGrouping: false });
  return Array.from({ length: 10 }, (_, value) => single.format(value));
});

interface Marks {
  /** Some locales write amounts with other marks than numbers: Austrian German "1.234" and "1 234". */
  decimal: ReadonlySet<string>;
  group: ReadonlySet<string>;
  /** Whether groups before the last three digits are of two. */
  isByTwo: boolean;
}

const marksOf = remembered(limits.rememberedFormats, (locale): Marks => {
  const styles = [{}, { style: "currency", currency: "EUR" }, { style: "currency", currency: "CHF" }] as const;
  const parts = styles.flatMap((style) => new Intl.NumberFormat(locale, style).formatToParts(1234567.8));
  const found = (type: "decimal" | "group") =>
    new Set(parts.flatMap((part) => (part.type === type ? plainMarks(part.value) : [])));
  const integers = parts.flatMap(({ type, value }) => (type === "integer" ? [...value].length : []));
  return { decimal: found("decimal"), group: found("group"), isByTwo: integers.includes(2) };
});

function plainMarks(text: string): string {
  return gaps.reduce((marked, [from, to]) => marked.replaceAll(from, to), text);
}

/** The mark before the decimals that the locale writes numbers with. */
export const decimalMark = remembered(
  limits.rememberedFormats,
  (locale): string =>
    new Intl.NumberFormat(locale).formatToParts(0.5).find(({ type }) => type === "decimal")?.value ?? ".",
);
