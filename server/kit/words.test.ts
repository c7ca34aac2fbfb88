// Folding texts into words, the same for stored texts and for searches.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { limits } from "@/server/kit/limits";
import { indexedWordsOf, searchTextOf, wordsOf } from "@/server/kit/words";

describe("wordsOf", () => {
  it("folds case and width, splits at anything but letters and digits, and keeps each word once", () => {
    expect(wordsOf("Ada LOVELACE", "ada@Example.com")).toEqual(["ada", "lovelace", "example", "com"]);
    expect(wordsOf("Ｂäckerei Müller_2")).toEqual(["backerei", "muller", "2"]);
    expect(wordsOf("日本 हिन्दी")).toEqual(["日本", "हिन्दी"]);
  });

  it("folds ß like ss, and a final sigma like any other", () => {
    expect(wordsOf("Straße")).toEqual(wordsOf("STRASSE"));
    expect(wordsOf("ΟΔΟΣ")).toEqual(wordsOf("οδος"));
    expect(wordsOf("ΟΔΟΣΑ")[0]?.startsWith(wordsOf("οδος")[0] ?? "?")).toBe(true);
  });

  it("folds plain text like any other", () => {
    const plain = fc.string({ unit: "grapheme-ascii", maxLength: 60 });
    fc.assert(fc.property(plain, (text) => void expect(wordsOf(text, "Ω")).toEqual([...wordsOf(text), "ω"])));
  });

  it("ignores accents, and takes ligatures and letters with a stroke apart", () => {
    expect(wordsOf("Grégoire GRE\u0301GOIRE gregoire")).toEqual(["gregoire"]);
    expect(wordsOf("ﬁnale Ångström Łódź Sørensen Cœur Ægir Đorđe STRAẞE")).toEqual([
      "finale",
      "angstrom",
      "lodz",
      "sorensen",
      "coeur",
      "aegir",
      "dorde",
      "strasse",
    ]);
    expect(wordsOf("Αθήνα Артём أحمد")).toEqual(["αθηνα", "артем", "احمد"]);
    expect(wordsOf("İstanbul ıstanbul")).toEqual(["istanbul"]);
  });

  it("keeps the marks that tell words apart: vowels of Hindi and Thai, voicing of kana, syllables of Hangul", () => {
    expect(wordsOf("हिन्दी น้ำ ガ ｶﾞ か 한글")).toEqual(["हिन्दी", "น้ํา", "ガ", "か", "한글"]);
  });

  it("folds Latin letters as the default collation compares them", () => {
    const { compare } = new Intl.Collator("und", { sensitivity: "base" });
    const letters = Array.from({ length: 0x24f - 0xc0 }, (_, i) => String.fromCodePoint(0xc0 + i));
    const plain = letters.flatMap((letter) => wordsOf(letter).filter((word) => /^[a-z]+$/.test(word) && word !== "i"));
    expect(plain.length).toBeGreaterThan(250);
    for (const letter of letters) {
      const [word = ""] = wordsOf(letter);
      if (/^[a-z]+$/.test(word) && !/[ıʼŉ]/.test(letter)) expect([letter, compare(word, letter)]).toEqual([letter, 0]);
    }
  });

  it("changes no word a second time", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 40 }), (text) => {
        const words = wordsOf(text);
        expect(wordsOf(words.join(" "))).toEqual(words);
      }),
      { numRuns: 2_000 },
    );
  });

  it("finds no words in null, blanks and punctuation", () => {
    expect(wordsOf(null, undefined, "", " %_' \\ ")).toEqual([]);
  });
});

describe("indexedWordsOf", () => {
  it("keeps only the first words", () => {
    const many = Array.from({ length: 140 }, (_, i) => `w${i}`).join(" ");
    expect(indexedWordsOf("INV-1", many)).toEqual(wordsOf("INV-1", many).slice(0, limits.indexedWords));
    expect(indexedWordsOf("INV-1", many)).toHaveLength(64);
  });
});

describe("searchTextOf", () => {
  it("puts a space before each word", () => {
    expect(searchTextOf("Ada", null, "a@b.c")).toBe(" ada a b c");
    expect(searchTextOf("Zoë")).toBe(" zoe");
    expect(searchTextOf(null)).toBe("");
  });
});
