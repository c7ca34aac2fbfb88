// Digits as some keyboards type them: full-width in Japanese, Arabic-Indic and Persian ones in Arabic.

/**
 * The text with full-width characters as ASCII, Arabic-Indic and Persian digits as ASCII digits, and without the marks
 * that only set a direction. Superscript and circled digits stay: "1²" is not 12.
 */
export const plainDigits = (text: string): string =>
  text
    .replaceAll(/[\u200e\u200f\u061c\u2066-\u2069]/g, "")
    .replaceAll("\u3000", " ")
    // U+FF01 to U+FF5E repeat the printable ASCII characters in their order.
    .replaceAll(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    // Full-width signs of currencies.
    .replaceAll(/[\uffe0-\uffe6]/g, (wide) => wide.normalize("NFKC"))
    // The last four bits of these code points are the digit.
    .replaceAll(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 0xf));
