// Folding of texts into words, the same for what is stored and what is searched.
import { describe, expect, it } from "vitest";
import { limits } from "@/server/kit/limits";
import { indexedWordsOf, searchTextOf, wordsOf } from "@/server/kit/words";

describe("wordsOf", () => {
  it("folds case and width, splits at everything but letters and digits, keeps each word once", () => {
    expect(wordsOf("Ada LOVELACE", "ada@Example.com")).toEqual(["ada", "lovelace", "example", "com"]);
    expect(wordsOf("Ｂäckerei Müller_2")).toEqual(["bäckerei", "müller", "2"]);
    expect(wordsOf("日本 हिन्दी")).toEqual(["日本", "हिन्दी"]);
  });

  it("folds letters that have another form in one case only", () => {
    expect(wordsOf("Straße")).toEqual(wordsOf("STRASSE"));
    expect(wordsOf("ΟΔΟΣ")).toEqual(wordsOf("οδος"));
    expect(wordsOf("ΟΔΟΣΑ")[0]?.startsWith(wordsOf("οδος")[0] ?? "?")).toBe(true);
  });

  it("finds no word in nothing, blanks and signs", () => {
    expect(wordsOf(null, undefined, "", " %_' \\ ")).toEqual([]);
  });
});

describe("indexedWordsOf", () => {
  it("keeps the first words alone", () => {
    const many = Array.from({ length: 140 }, (_, i) => `w${i}`).join(" ");
    expect(indexedWordsOf("INV-1", many)).toEqual(wordsOf("INV-1", many).slice(0, limits.indexedWords));
    expect(indexedWordsOf("INV-1", many)).toHaveLength(64);
  });
});

describe("searchTextOf", () => {
  it("puts a space before each word", () => {
    expect(searchTextOf("Ada", null, "a@b.c")).toBe(" ada a b c");
    expect(searchTextOf(null)).toBe("");
  });
});
