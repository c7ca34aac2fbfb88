// Quantities with units, in languages.
import { expect, it } from "vitest";
import { formatQuantity, unitName, usualUnits } from "./units";

const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, " ");

it.each([
  ["en", "C62", "1,200", "C62"],
  ["en", "HUR", "1,200 hr", "hours"],
  ["de", "HUR", "1.200 Std.", "Stunden"],
  ["de", "DAY", "1.200 Tage", "Tage"],
  ["fr", "MON", "1 200 mois", "mois"],
  ["es", "KGM", "1200 kg", "kilogramos"],
  ["de", "MTK", "1.200 m²", "m²"],
  ["en", "XPK", "1,200 XPK", "XPK"],
])("in %s, %s", (locale, unit, quantity, name) => {
  expect(plain(formatQuantity(1_200, unit, locale))).toBe(quantity);
  expect(unitName(unit, locale)).toBe(name);
});

it("the usual units have a name or a symbol, which no two share", () => {
  const names = usualUnits.filter((unit) => unit !== "C62").map((unit) => unitName(unit, "fr"));
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(usualUnits).not.toContain(name);
});
