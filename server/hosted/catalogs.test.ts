// Both languages have the same messages with the same arguments, none of them empty or untranslated.
import { describe, expect, it } from "vitest";
import de from "@/messages/de.json";
import en from "@/messages/en.json";

type Tree = { [key: string]: string | Tree };

const flat = (tree: Tree, path = ""): [string, string][] =>
  Object.entries(tree).flatMap(([key, value]) =>
    typeof value === "string" ? [[`${path}${key}`, value] as [string, string]] : flat(value, `${path}${key}.`),
  );

/** The arguments of an ICU message with their types, and the options of those that select. */
function argumentsOf(message: string): string[] {
  const found: string[] = [];
  let depth = 0;
  for (const { 0: token, index } of message.matchAll(/[{}]/g)) {
    if (token === "{" && depth % 2 === 0) found.push(/^\w+(, \w+)?/.exec(message.slice(index + 1))?.[0] ?? "nameless");
    // Inside an argument, braces contain the texts of its options, each after the option's name.
    if (token === "{" && depth % 2 === 1) found.push(`choice ${/[\w=]+(?= $)/.exec(message.slice(0, index))?.[0]}`);
    depth += token === "{" ? 1 : -1;
  }
  return found.sort();
}

const english = new Map(flat({ pay: en.pay, mail: en.mail }));
const german = new Map(flat(de));

describe("the German catalog", () => {
  it("has the same messages as the English one", () => {
    expect([...german.keys()].sort()).toEqual([...english.keys()].sort());
  });

  it.each([...english])("%s has the same arguments", (key, message) => {
    const translated = german.get(key) ?? "";
    expect(translated.trim()).not.toBe("");
    expect(argumentsOf(translated)).toEqual(argumentsOf(message));
  });

  it("is in German", () => {
    const same = [...english].filter(([key, message]) => german.get(key) === message).map(([key]) => key);
    expect(same).toEqual(["pay.test", "pay.title", "pay.quantity"]);
  });
});

describe("reading arguments", () => {
  it("distinguishes different ones", () => {
    expect(argumentsOf("{a} {b, number}")).toEqual(["a", "b, number"]);
    expect(argumentsOf("a thing {n, plural, one {# thing} other {# things of {who}}}")).toEqual([
      "choice one",
      "choice other",
      "n, plural",
      "who",
    ]);
  });
});
