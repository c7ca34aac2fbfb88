// Digits as some keyboards type them: full-width in Japanese, Arabic-Indic and Persian ones in Arabic.

/** The text with full-width forms as plain ones (NFKC, UAX #15), and Arabic-Indic and Persian digits as ASCII digits. */
export const plainDigits = (text: string): string =>
  // The last four bits of these code points are the digit.
  text.normalize("NFKC").replaceAll(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 0xf));
