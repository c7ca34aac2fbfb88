// A whole number that somebody has typed.

import { isFraction, readWhole } from "@/server/kit/typed-number";

export { isFraction };

/** A whole number from 1 to `most`, as the locale writes it; null for anything else. */
export function wholeNumberOf(text: string, most: number, locale: string): number | null {
  const number = readWhole(text, locale);
  return number !== null && number >= 1 && number <= most ? number : null;
}
