// The signs of currencies, wide and narrow, as the Unicode CLDR has them in English. Codes need no entry.
import { limits } from "./limits";
import { plainDigits } from "./plain-digits";
import { remembered } from "./remembered";

/** Each code with its signs. A fixed table: asking `Intl` for all of them takes long, and browsers differ. */
const table =
  "AFN ؋, AMD ֏, AOA Kz, ARS $, AUD A$ AU$ $, AZN ₼, BAM KM, BBD $, BDT ৳, BMD $, BND $, BOB Bs, BRL R$, BSD $, BWP P, " +
  "BZD $, CAD CA$ $, CHF Fr. SFr., CLP $, CNY CN¥ ¥ 元, COP $, CRC ₡, CUP $, CZK Kč, DKK kr kr., DOP $ RD$, EGP E£, " +
  "EUR €, FJD $, FKP £, GBP £ GB£, GEL ₾, GHS GH₵ ₵, GIP £, GNF FG, GTQ Q, GYD $, HKD HK$ $, HNL L, HUF Ft, IDR Rp, " +
  "ILS ₪, INR ₹ Rs Rs., ISK kr kr., JMD $, JPY ¥ JP¥ 円, KGS ⃀, KHR ៛, KMF CF, KPW ₩, KRW ₩, KYD $, KZT ₸, LAK ₭, " +
  "LBP L£, LKR Rs Rs., LRD $, MGA Ar, MMK K, MNT ₮, MUR Rs Rs., MXN MX$ $, MYR RM, NAD $, NGN ₦, NIO C$, NOK kr kr., " +
  "NPR Rs Rs., NZD NZ$ $, PHP ₱, PKR Rs Rs., PLN zł, PYG ₲, RON lei, RUB ₽, RWF RF, SBD $, SEK kr kr., SGD S$ $, SHP £, " +
  "SRD $, SSP £, STN Db, SYP £, THB ฿, TOP T$, TRY ₺, TTD $, TWD NT$ $, UAH ₴, USD US$ $, UYU $, VND ₫, WST WS$, " +
  "XAF FCFA, XCD EC$ $, XCG Cg., XPF CFPF, ZAR R, ZMW ZK K";

const signs = new Map([
  ...table.split(", ").map((entry): [string, string[]] => {
    const [code = "", ...own] = entry.split(" ");
    return [code, own];
  }),
  // The only sign with a space, which is one that does not break.
  ["XOF", ["F CFA"]],
]);

/** A sign as the reader of typed numbers compares it: without marks of direction, with plain spaces and letters. */
export const plainSign = (sign: string): string => plainDigits(sign).normalize("NFKC").replaceAll(/\s+/gu, " ").trim();

/** The signs of every currency that has some, by code, as {@link plainSign} writes them. */
export const signsByCode: ReadonlyMap<string, readonly string[]> = new Map(
  [...signs].map(([code, own]) => [code, own.map(plainSign)]),
);

const localSignsOf = remembered(limits.rememberedFormats, (key): readonly string[] => {
  const [locale, code = ""] = key.split(" ");
  return (["symbol", "narrowSymbol"] as const).flatMap((currencyDisplay) =>
    new Intl.NumberFormat(locale, { style: "currency", currency: code, currencyDisplay })
      .formatToParts(0)
      .flatMap((part) => (part.type === "currency" ? plainSign(part.value) : [])),
  );
});

/** What may stand before or behind an amount in the currency: its code, its signs, and those of the locale. */
export const signsOf = (code: string, locale: string): readonly string[] => [
  code,
  ...(signsByCode.get(code) ?? []),
  ...localSignsOf(`${locale} ${code}`),
];
