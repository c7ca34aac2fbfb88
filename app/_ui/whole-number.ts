// A whole number that somebody has typed.

/** A whole number from 1 to `most`; null for anything else. */
export const wholeNumberOf = (text: string, most: number): number | null =>
  /^\d+$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= most ? Number(text) : null;
