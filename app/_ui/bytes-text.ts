// How a number of bytes is written for the reader.

const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;
const step = 1_000;

/** Three digits at most in the largest fitting unit of the SI, such as 1.24 GB. */
export function bytesText(bytes: number, locale: string): string {
  const power = bytes < step ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
  const unit = units[power] ?? "byte";
  const format = { style: "unit", unit, unitDisplay: power === 0 ? "long" : "short" } as const;
  return new Intl.NumberFormat(locale, { ...format, maximumSignificantDigits: 3 }).format(bytes / step ** power);
}
