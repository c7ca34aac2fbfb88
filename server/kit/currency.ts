// ISO 4217 currencies with their number of decimal places, as of 2026. A fixed table, independent of Node's data.
import { limits } from "./limits";
import { remembered } from "./remembered";

const twoDigits =
  "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC " +
  "CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES " +
  "KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR " +
  "NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT " +
  "TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG";
const noDigits = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF";
const threeDigits = "BHD IQD JOD KWD LYD OMR TND";
const fourDigits = "CLF UYW";

const withDigits = (codes: string, digits: number): [string, number][] =>
  codes.split(" ").map((code) => [code, digits]);

/** Decimal places by currency code. */
export const currencies: Readonly<Record<string, number>> = Object.fromEntries([
  ...withDigits(twoDigits, 2),
  ...withDigits(noDigits, 0),
  ...withDigits(threeDigits, 3),
  ...withDigits(fourDigits, 4),
]);

/** Withdrawn by ISO 4217. New payments in them are refused; existing money can be shown, moved and refunded. */
const withdrawn: readonly string[] = [
  // Replaced by XCG on 2025-03-31.
  "ANG",
  // Replaced by EUR on 2026-01-01.
  "BGN",
];

/** Codes of the currencies in which new payments can be requested and received. */
export const currentCurrencies: ReadonlySet<string> = new Set(
  Object.keys(currencies).filter((code) => !withdrawn.includes(code)),
);

/** Minor units that are worth about half a euro, of currencies in which 50 are worth much less. */
const halfEuros: Readonly<Record<string, number>> = {
  ...{ AED: 200, CLP: 500, COP: 200_000, CZK: 1_500, DKK: 250, HKD: 400, HUF: 17_500, IDR: 800_000, INR: 5_000 },
  ...{ ISK: 70, JPY: 80, KRW: 800, MXN: 1_000, MYR: 200, NOK: 500, PHP: 3_000, PLN: 200, PYG: 4_000, RON: 250 },
  ...{ SEK: 500, THB: 2_000, TRY: 2_000, TWD: 2_000, UGX: 2_000, VND: 13_000, XAF: 300, XOF: 300, ZAR: 1_000 },
};

/**
 * Minor units of the smallest part of a payment: about half a euro, because most providers refuse less for a card, and
 * each part costs a fixed fee.
 */
export const smallestPart = (code: string): number => halfEuros[code] ?? 50;

/** Minor units of the smallest part that a payer may choose: no more of them than `limits.partsOfRequest` make the amount. */
export const smallestPartOf = ({ amount, currency }: { amount: number; currency: string }): number =>
  Math.max(smallestPart(currency), Math.ceil(amount / limits.partsOfRequest));

/** The number of decimal digits. Throws for an unknown code. */
export function currencyDigits(code: string): number {
  const digits = currencies[code];
  if (digits === undefined) throw new RangeError(`Unknown currency: ${code}`);
  return digits;
}

/** Formats by `locale code`: creating one costs far more than using it. */
const formatOf = remembered(limits.rememberedFormats, (key) => {
  const [locale, code = ""] = key.split(" ");
  const digits = currencyDigits(code);
  return new Intl.NumberFormat(locale, {
    style: "currency",
    currency: code,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
});

/** A symbol such as "US$" at the end of a text written from right to left, which would be shown as "$US". */
const latinSymbolAtEnd = /(?<=^[\u200F\u061C].*\p{Script=Latin}\p{Sc})$/u;

/** Formats an amount for a locale: `formatMoney(-125000, "EUR", "de")` is "−1.250,00 €", with a true minus sign. */
export function formatMoney(minorUnits: number, code: string, locale: string): string {
  // A decimal string keeps every digit. A division would lose some in floating point.
  const amount = decimalAmount(minorUnits, code);
  return formatOf(`${locale} ${code}`)
    .format(amount as unknown as number)
    .replace("-", "\u2212")
    .replace(latinSymbolAtEnd, "\u200E");
}

const numberFormatOf = remembered(limits.rememberedFormats, (key) => {
  const [locale, code = ""] = key.split(" ");
  const digits = currencyDigits(code);
  return new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits });
});

/** Formats an amount without its currency, for columns with the code in a place of its own: "−1.250,00" in "de". */
export function formatAmount(minorUnits: number, code: string, locale: string): string {
  const amount = decimalAmount(minorUnits, code);
  return numberFormatOf(`${locale} ${code}`)
    .format(amount as unknown as number)
    .replace("-", "\u2212");
}

/** An amount as a decimal number with a point and the currency's decimals: "-1250.00" for -125000 EUR. */
export const decimalAmount = (minorUnits: number, code: string): string =>
  decimalString(minorUnits, currencyDigits(code));

function decimalString(minorUnits: number, digits: number): string {
  const padded = String(Math.abs(minorUnits)).padStart(digits + 1, "0");
  const whole = padded.slice(0, padded.length - digits);
  const sign = minorUnits < 0 ? "-" : "";
  return digits === 0 ? sign + whole : `${sign}${whole}.${padded.slice(-digits)}`;
}
