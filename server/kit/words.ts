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

/** The distinct words of the texts with their accents, as versions before this rule wrote and searched them. */
const accentedWordsOf = (texts: Texts): string[] => [
  ...new Set(foldCase(texts.map((text) => text ?? "").join(" ")).match(/[\p{L}\p{M}\p{N}]+/gu) ?? []),
];

/** The distinct words of the texts: folded letters and digits. */
export const wordsOf = (...texts: Texts): string[] => [
  ...new Set(accentedWordsOf(texts).flatMap((word) => foldAccents(word) || [])),
];

/**
 * The words that a search looks for. Each has one or two spellings, either of which may be stored: versions before the
 * rule above stored accents.
 */
export const searchedWordsOf = (text: string): string[][] => {
  const spellings = new Map<string, string[]>();
  for (const accented of accentedWordsOf([text])) {
    const word = foldAccents(accented);
    if (word !== "") spellings.set(word, [...new Set([word, ...(spellings.get(word) ?? []), accented])].slice(0, 2));
  }
  return [...spellings.values()];
};

/** The words and, because the previous version searches for them during an upgrade, those with accents. */
const storedWordsOf = (accented: readonly string[]): string[] => [
  ...new Set([...accented.flatMap((word) => foldAccents(word) || []), ...accented]),
];

/**
 * The words a record is found by. Only the first ones count, so that no text takes more than its share of the index.
 */
export const indexedWordsOf = (...texts: Texts): string[] =>
  storedWordsOf(accentedWordsOf(texts).slice(0, limits.indexedWords));

/** The words, each after a space: some word starts with `x` if this text contains " x". */
export const searchTextOf = (...texts: Texts): string =>
  storedWordsOf(accentedWordsOf(texts))
    .map((word) => ` ${word}`)
    .join("");
