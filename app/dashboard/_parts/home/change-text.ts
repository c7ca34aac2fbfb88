// How much an amount changed from one period to the next, in percent.

/** A larger change says little as a number: there was next to nothing before. */
const cutOff = 9.99;

/** `+25%`, or `> +999%`. The first number is the change as a fraction: 0.25. */
export function changeText(change: number, locale: string): string {
  const percent = { style: "percent", signDisplay: "exceptZero", maximumFractionDigits: 0 } as const;
  const text = new Intl.NumberFormat(locale, percent).format(Math.min(change, cutOff)).replace("-", "\u2212");
  return change > cutOff ? `> ${text}` : text;
}
