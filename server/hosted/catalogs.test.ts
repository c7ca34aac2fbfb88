// All languages have the same messages with the same arguments, none of them empty or untranslated.
import { describe, expect, it } from "vitest";
import ar from "@/messages/ar.json";
import de from "@/messages/de.json";
import en from "@/messages/en.json";
import es from "@/messages/es.json";
import fr from "@/messages/fr.json";
import ja from "@/messages/ja.json";

type Tree = { [key: string]: string | Tree };

const flat = (tree: Tree, path = ""): [string, string][] =>
  Object.entries(tree).flatMap(([key, value]) =>
    typeof value === "string" ? [[`${path}${key}`, value] as [string, string]] : flat(value, `${path}${key}.`),
  );

/** The options of plurals, which differ between languages (CLDR). */
const plurals = ["zero", "one", "two", "few", "many", "other"];

/**
 * The tags of a message, and its ICU arguments with their types and the options of those that select, each once. A
 * plural has the option "other"; which others it has is up to the language.
 */
function argumentsOf(message: string): string[] {
  const found = new Set([...message.matchAll(/<\/?\w+>/g)].map(([tag]) => tag));
  let depth = 0;
  for (const { 0: token, index } of message.matchAll(/[{}]/g)) {
    if (token === "{" && depth % 2 === 0) found.add(/^\w+(, \w+)?/.exec(message.slice(index + 1))?.[0] ?? "nameless");
    // Inside an argument, braces contain the texts of its options, each after the option's name.
    if (token === "{" && depth % 2 === 1) {
      const option = /[\w=]+(?= $)/.exec(message.slice(0, index))?.[0] ?? "nameless";
      found.add(`choice ${plurals.includes(option) ? "other" : option}`);
    }
    depth += token === "{" ? 1 : -1;
  }
  return [...found].sort();
}

/** The options of the plurals in a message. */
const pluralsOf = (message: string): string[] =>
  /, plural,/.test(message)
    ? [...message.matchAll(/(\w+) \{/g)].map(([, option = ""]) => option).filter((option) => plurals.includes(option))
    : [];

const english = new Map(flat(en));
/** Each catalog, with the parts of the English one that it must have: only English and German have the dashboard's. */
const catalogs: [string, Tree, readonly string[]][] = [
  ["de", de, Object.keys(en)],
  ["fr", fr, ["pay", "mail"]],
  ["es", es, ["pay", "mail"]],
  ["ja", ja, ["pay"]],
  ["ar", ar, ["pay"]],
];

/** Names, and words that English and German write alike. Titles in docs/operating.md, which is in English, too. */
const german = [
  "API Admin Admins Backup Bank Client Code Computer Dashboard Details Filter Job JSON Link Logo Mail Name Node Offline",
  "Optional Passkey Passkeys PDF PostgreSQL QR Quittance Server Sizes SQLite Start Status System TEST Version",
  "What to watch js ID In in optional",
];
/** Words that English shares with French or Spanish. */
const romance = ["TEST Description Installments Date Transaction Page Instructions Total Subtotal MM YY AA Quittance"];
const shared = (language: string) =>
  new Set((language === "de" ? german : romance).flatMap((words) => words.split(" ")));
const wordsOf = (message: string) => message.replaceAll(/\{[^{}]*\}/g, "").match(/\p{L}{2,}/gu) ?? [];

describe.each(catalogs)("the catalog %s", (language, tree, parts) => {
  const catalog = new Map(flat(tree));
  const source = [...english].filter(([key]) => parts.includes(key.split(".")[0] ?? ""));

  it("has the messages of the English one", () => {
    expect([...catalog.keys()].sort()).toEqual(source.map(([key]) => key).sort());
  });

  it("has the same arguments in each", () => {
    const different = source.filter(([key, message]) => {
      const translated = catalog.get(key) ?? "";
      return translated.trim() === "" || argumentsOf(translated).join() !== argumentsOf(message).join();
    });
    expect(different).toEqual([]);
  });

  it("has every plural of the language, where it has more than one", () => {
    const expected = new Intl.PluralRules(language).resolvedOptions().pluralCategories.sort();
    const incomplete = [...catalog].filter(([, message]) => {
      const found = pluralsOf(message);
      return !["", "other", expected.join()].includes([...new Set(found)].sort().join());
    });
    expect(incomplete).toEqual([]);
  });

  it("is translated", () => {
    const words = shared(language);
    const same = source.filter(([key, message]) => catalog.get(key) === message);
    expect(same.filter(([, message]) => wordsOf(message).some((word) => !words.has(word)))).toEqual([]);
  });
});

describe("reading arguments", () => {
  it("distinguishes different ones", () => {
    expect(argumentsOf("{a} {b, number} <link>{c}</link>")).toEqual(["</link>", "<link>", "a", "b, number", "c"]);
    expect(argumentsOf("{n, select, paid {Paid} other {Not}}")).toEqual(["choice other", "choice paid", "n, select"]);
    expect(argumentsOf("a thing {n, plural, one {# thing} other {# things of {who}}}")).toEqual([
      "choice other",
      "n, plural",
      "who",
    ]);
    expect(pluralsOf("a thing {n, plural, one {# thing} other {# things of {who}}}")).toEqual(["one", "other"]);
  });
});
