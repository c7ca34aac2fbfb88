// Case-folded words of texts, and the text that a search for their beginnings runs over. One folding for both engines.

/** The words of the texts: NFKC, lower case, letters and digits only, each once. */
export function wordsOf(...texts: readonly (string | null | undefined)[]): string[] {
  const folded = texts.map((text) => (text ?? "").normalize("NFKC").toLowerCase()).join(" ");
  return [...new Set(folded.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [])];
}

/** The words, each after a space: a word begins with `x` where this text contains " x". */
export const searchTextOf = (...texts: readonly (string | null | undefined)[]): string =>
  wordsOf(...texts)
    .map((word) => ` ${word}`)
    .join("");
