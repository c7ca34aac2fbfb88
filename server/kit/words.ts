// The words of texts, folded so that one spelling finds the others: the one rule of every search, on both engines.
//
// 1. Compatibility forms, ligatures and full-width forms become plain (NFKC, UAX #15).
// 2. Case is folded in full: ß is ss (The Unicode Standard, 5.18).
// 3. Accents are removed: NFKD without the marks of no single script, and NFC again. Marks of a script, such as the
//    vowels of Hindi, and the voicing of Japanese kana tell words apart and stay.
// 4. Letters that have no decomposition become those that the default collation (DUCET, UTS #10) sorts like them.
import { limits } from "./limits";

/** Marks that go with any script, such as the acute accent, without the two that voice kana. */
const accents = /(?![\u3099\u309A])(?=\p{M})\p{Script=Inherited}/gu;
const undecomposed: Readonly<Record<string, string>> = {
  ...{ æ: "ae", œ: "oe", ß: "ss" },
  ...{ ø: "o", ł: "l", đ: "d", ð: "d", ħ: "h" },
};

/**
 * Folds case, so that different spellings are equal. Converts to upper case first, because some letters change only in
 * that direction (ß becomes SS); then to lower case letter by letter, because the lower case of a sigma depends on the
 * letter after it.
 */
function foldCase(text: string): string {
  const upper = text.normalize("NFKC").toUpperCase();
  return Array.from(upper, (letter) => letter.toLowerCase()).join("");
}

const foldAccents = (word: string): string =>
  word
    .normalize("NFKD")
    .replaceAll(accents, "")
    .replaceAll(/[æœßøłđðħ]/g, (letter) => undecomposed[letter] ?? letter)
    .normalize("NFC");

type Texts = readonly (string | null | undefined)[];

/** The distinct words of the texts: folded letters and digits. */
export function wordsOf(...texts: Texts): string[] {
  const text = texts.map((one) => one ?? "").join(" ");
  // Of most texts, the rules fold no more than the case.
  if (/^[\x20-\x7e]*$/.test(text)) return [...new Set(text.toLowerCase().match(/[a-z0-9]+/g))];
  const words = foldCase(text).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return [...new Set(words.flatMap((word) => foldAccents(word) || []))];
}

/**
 * The words a record is found by. Only the first ones count, so that no text takes more than its share of the index.
 */
export const indexedWordsOf = (...texts: Texts): string[] => wordsOf(...texts).slice(0, limits.indexedWords);

/** The words, each after a space: some word starts with `x` if this text contains " x". */
export const searchTextOf = (...texts: Texts): string =>
  wordsOf(...texts)
    .map((word) => ` ${word}`)
    .join("");
