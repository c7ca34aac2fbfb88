// Quantities with units of UN/ECE Recommendation 20, in a language.
import { limits } from "./limits";
import { formatNumber } from "./phrases";
import { remembered } from "./remembered";

interface Named {
  /** As ECMA-402 calls it. */
  name: string;
  /** In the short form, days and months have abbreviations that few know, such as "Tg." and "m.". */
  display: "short" | "long";
}

const inForm = (display: Named["display"], names: Record<string, string>) =>
  Object.entries(names).map(([code, name]): [string, Named] => [code, { name, display }]);

/** Units that have names in every language. */
const named: ReadonlyMap<string, Named> = new Map([
  ...inForm("short", { MIN: "minute", HUR: "hour" }),
  ...inForm("long", { DAY: "day", WEE: "week", MON: "month", ANN: "year" }),
  ...inForm("short", { GRM: "gram", KGM: "kilogram", MTR: "meter", KMT: "kilometer", LTR: "liter" }),
]);

/** Units whose symbol is the same in every language. */
const symbols: ReadonlyMap<string, string> = new Map(
  Object.entries({ TNE: "t", CMT: "cm", MTK: "m²", MTQ: "m³", KWH: "kWh" }),
);

/** Pieces, which are counted without a unit. */
export const pieces = "C62";

/** The units that a form offers, the usual one first. */
export const usualUnits: readonly string[] = [pieces, ...named.keys(), ...symbols.keys()];

const formatOf = remembered(limits.rememberedFormats, (key) => {
  const [unit, unitDisplay, locale] = key.split(" ") as [string, "short" | "long", string];
  return new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay });
});

/** A quantity with its unit: "3 kg"; one of pieces without. Of a unit that we cannot name, with its code. */
export function formatQuantity(value: number, unit: string, locale: string): string {
  if (unit === pieces) return formatNumber(value, locale);
  const known = named.get(unit);
  if (known) return spaced(formatOf(`${known.name} ${known.display} ${locale}`).formatToParts(value));
  return `${formatNumber(value, locale)} ${symbols.get(unit) ?? unit}`;
}

/** Some languages have a space between number and unit that is hardly seen in small type. */
const spaced = (parts: readonly Intl.NumberFormatPart[]): string =>
  parts.map(({ type, value }) => (type === "literal" ? value.replace("\u202f", "\u00a0") : value)).join("");

/** The name of a unit, as of several: "hours"; its symbol or code if it has no other. */
export function unitName(unit: string, locale: string): string {
  const known = named.get(unit);
  if (!known) return symbols.get(unit) ?? unit;
  const parts = formatOf(`${known.name} long ${locale}`).formatToParts(several);
  return parts.find(({ type }) => type === "unit")?.value ?? unit;
}

const several = 2;
