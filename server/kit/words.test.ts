// Folding texts into words, the same for stored texts and for searches.
import { describe, expect, it } from "vitest";
import { limits } from "@/server/kit/limits";
import { indexedWordsOf, searchTextOf, wordsOf } from "@/server/kit/words";

describe("wordsOf", () => {
  it("folds case and width, splits at anything but letters and digits, and keeps each word once", () => {
    expect(wordsOf("Ada LOVELACE", "ada@Example.com")).toEqual(["ada", "lovelace", "example", "com"]);
    expect(wordsOf("Ｂäckerei Müller_2")).toEqual(["bäckerei", "müller", "2"]);
    expect(wordsOf("日本 हिन्दी")).toEqual(["日本", "हिन्दी"]);
  });

  it("folds ß like ss, and a final sigma like any other", () => {
    expect(wordsOf("Straße")).toEqual(wordsOf("STRASSE"));
    expect(wordsOf("ΟΔΟΣ")).toEqual(wordsOf("οδος"));
    expect(wordsOf("ΟΔΟΣΑ")[0]?.startsWith(wordsOf("οδος")[0] ?? "?")).toBe(true);
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
    expect(searchTextOf(null)).toBe("");
  });
});
