// Both languages have the same messages with the same arguments, none of them empty or untranslated.
import { describe, expect, it } from "vitest";
import de from "@/messages/de.json";
import en from "@/messages/en.json";

type Tree = { [key: string]: string | Tree };

const flat = (tree: Tree, path = ""): [string, string][] =>
  Object.entries(tree).flatMap(([key, value]) =>
    typeof value === "string" ? [[`${path}${key}`, value] as [string, string]] : flat(value, `${path}${key}.`),
  );

/** The tags of a message, and its ICU arguments with their types and the options of those that select. */
function argumentsOf(message: string): string[] {
  const found = [...message.matchAll(/<\/?\w+>/g)].map(([tag]) => tag);
  let depth = 0;
  for (const { 0: token, index } of message.matchAll(/[{}]/g)) {
    if (token === "{" && depth % 2 === 0) found.push(/^\w+(, \w+)?/.exec(message.slice(index + 1))?.[0] ?? "nameless");
    // Inside an argument, braces contain the texts of its options, each after the option's name.
    if (token === "{" && depth % 2 === 1) found.push(`choice ${/[\w=]+(?= $)/.exec(message.slice(0, index))?.[0]}`);
    depth += token === "{" ? 1 : -1;
  }
  return found.sort();
}

const german = new Map(flat(de));
const english = new Map(flat(en));

/** Names, and words that both languages write alike. Titles in docs/operating.md, which is in English, too. */
const shared = new Set(
  [
    "API Admin Admins Backup Bank Client Code Computer Dashboard Details Filter Job JSON Link Logo Mail Name Node Offline",
    "Optional Passkey Passkeys PostgreSQL QR Quittance Server Sizes SQLite Start Status System TEST Version",
    "What to watch js ID In in optional",
  ].flatMap((words) => words.split(" ")),
);
const wordsOf = (message: string) => message.replaceAll(/\{[^{}]*\}/g, "").match(/\p{L}{2,}/gu) ?? [];

describe("the German catalog", () => {
  it("has the same messages as the English one", () => {
    expect([...german.keys()].sort()).toEqual([...english.keys()].sort());
  });

  it("has the same arguments in each", () => {
    const different = [...english].filter(([key, message]) => {
      const translated = german.get(key) ?? "";
      return translated.trim() === "" || argumentsOf(translated).join() !== argumentsOf(message).join();
    });
    expect(different).toEqual([]);
  });

  it("is in German", () => {
    const same = [...english].filter(([key, message]) => german.get(key) === message);
    expect(same.filter(([, message]) => wordsOf(message).some((word) => !shared.has(word)))).toEqual([]);
  });
});

describe("reading arguments", () => {
  it("distinguishes different ones", () => {
    expect(argumentsOf("{a} {b, number} <link>{c}</link>")).toEqual(["</link>", "<link>", "a", "b, number", "c"]);
    expect(argumentsOf("a thing {n, plural, one {# thing} other {# things of {who}}}")).toEqual([
      "choice one",
      "choice other",
      "n, plural",
      "who",
    ]);
  });
});
