// Names of languages are made alike.
import { expect, it } from "vitest";
import { languageName } from "./language-name";

it.each([
  ["de", ["Deutsch", "Deutsch (Österreich)", "Deutsch (Schweiz)", "Englisch (Vereinigtes Königreich)"]],
  ["en", ["German", "German (Austria)", "German (Switzerland)", "English (United Kingdom)"]],
])("in %s", (language, names) => {
  expect(["de", "de-AT", "de-CH", "en-GB"].map((tag) => languageName(tag, language))).toEqual(names);
});
