// Case-folded words of texts, and the text that a search for their beginnings runs over. One folding for both engines.
import { limits } from "./limits";

/**
 * Text in the form in which two spellings are the same, whatever their case. By way of the upper case, since some letters
 * have one only (ß becomes ss); letter by letter, since a lower sigma depends on what follows it.
 */
function fold(text: string): string {
  const upper = text.normalize("NFKC").toUpperCase();
  return Array.from(upper, (letter) => letter.toLowerCase()).join("");
}

/** The words of the texts: case-folded, letters and digits only, each once. */
export function wordsOf(...texts: readonly (string | null | undefined)[]): string[] {
  const folded = fold(texts.map((text) => text ?? "").join(" "));
  return [...new Set(folded.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [])];
}

/** The words by which a record is found: the first of them, so that no text costs more than its share of the index. */
export const indexedWordsOf = (...texts: readonly (string | null | undefined)[]): string[] =>
  wordsOf(...texts).slice(0, limits.indexedWords);

/** The words, each after a space: a word begins with `x` where this text contains " x". */
export const searchTextOf = (...texts: readonly (string | null | undefined)[]): string =>
  wordsOf(...texts)
    .map((word) => ` ${word}`)
    .join("");
