// Case-folded words of texts, and the text that prefix search runs over. The same folding for both engines.
import { limits } from "./limits";

/**
 * Folds case, so that different spellings are equal. Converts to upper case first, because some letters change only in
 * that direction (ß becomes SS); then to lower case letter by letter, because the lower case of a sigma depends on the
 * letter after it.
 */
function fold(text: string): string {
  const upper = text.normalize("NFKC").toUpperCase();
  return Array.from(upper, (letter) => letter.toLowerCase()).join("");
}

/** The distinct words of the texts: case-folded letters and digits. */
export function wordsOf(...texts: readonly (string | null | undefined)[]): string[] {
  const folded = fold(texts.map((text) => text ?? "").join(" "));
  return [...new Set(folded.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [])];
}

/**
 * The words a record is found by. Only the first ones count, so that no text takes more than its share of the index.
 */
export const indexedWordsOf = (...texts: readonly (string | null | undefined)[]): string[] =>
  wordsOf(...texts).slice(0, limits.indexedWords);

/** The words, each after a space: some word starts with `x` if this text contains " x". */
export const searchTextOf = (...texts: readonly (string | null | undefined)[]): string =>
  wordsOf(...texts)
    .map((word) => ` ${word}`)
    .join("");
