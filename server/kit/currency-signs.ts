// The signs of currencies, wide and narrow, as the Unicode CLDR has them in the languages of the product. Codes need no
// entry.
import { limits } from "./limits";
import { plainDigits } from "./plain-digits";
import { remembered } from "./remembered";

/** Each code with its signs in English. A fixed table: asking `Intl` for all of them takes long, and browsers differ. */
const table =
  "AFN ؋, AMD ֏, AOA Kz, ARS $, AUD A$ AU$ $, AZN ₼, BAM KM, BBD $, BDT ৳, BMD $, BND $, BOB Bs, BRL R$, BSD $, BWP P, " +
  "BZD $, CAD CA$ $, CHF Fr. SFr., CLP $, CNY CN¥ ¥ 元, COP $, CRC ₡, CUP $, CZK Kč, DKK kr kr., DOP $ RD$, EGP E£, " +
  "EUR €, FJD $, FKP £, GBP £ GB£, GEL ₾, GHS GH₵ ₵, GIP £, GNF FG, GTQ Q, GYD $, HKD HK$ $, HNL L, HUF Ft, IDR Rp, " +
  "ILS ₪, INR ₹ Rs Rs., ISK kr kr., JMD $, JPY ¥ JP¥ 円, KGS ⃀, KHR ៛, KMF CF, KPW ₩, KRW ₩, KYD $, KZT ₸, LAK ₭, " +
  "LBP L£, LKR Rs Rs., LRD $, MGA Ar, MMK K, MNT ₮, MUR Rs Rs., MXN MX$ $, MYR RM, NAD $, NGN ₦, NIO C$, NOK kr kr., " +
  "NPR Rs Rs., NZD NZ$ $, PHP ₱, PKR Rs Rs., PLN zł, PYG ₲, RON lei, RUB ₽, RWF RF, SBD $, SEK kr kr., SGD S$ $, SHP £, " +
  "SRD $, SSP £, STN Db, SYP £, THB ฿, TOP T$, TRY ₺, TTD $, TWD NT$ $, UAH ₴, USD US$ $, UYU $, VND ₫, WST WS$, " +
  "XAF FCFA, XCD EC$ $, XCG Cg., XPF CFPF, ZAR R, ZMW ZK K";

/** What the product writes in its other languages: in French (also of Canada), Spanish and Japanese. `_` is a space. */
const inOtherLanguages =
  "ARS $AR AR$, AUD $AU $_AU, BBD BB$, BMD $BM BM$, BND $BN BN$, BSD BS$, BYN Br, BZD $BZ BZ$, CAD $CA, " +
  "CLP $CL CL$, COP $CO CO$, CUP CU$, DOP DO$, EGP £E, FJD $FJ FJ$, FKP £FK Fl£, GBP £GB UK£, GIP £GI, " +
  "GNF F.G., GYD GY$, HKD $_HK, JMD JM$, KMF FC, KYD KY$, LBP £LB £L, LRD $LR, MRU UM, MXN $MX, NAD $NA, " +
  "NIO $C, NZD $NZ $_NZ, RON L \u30ec\u30a4, RWF F.Rw FR, SBD $SB SB$, SGD $SG $_SG, SRD $SR SR$, TOP $T, " +
  "TTD $TT TT$, USD $US $_US, UYU $UY UY$, WST $WS, XCG Cg, XPF FCFP, ZMW Kw";

/** And in Arabic. */
const inArabic =
  "AED \u062f.\u0625., BHD \u062f.\u0628., DZD \u062f.\u062c., EGP \u062c.\u0645., IQD \u062f.\u0639., " +
  "IRR \u0631.\u0625., JOD \u062f.\u0623., KWD \u062f.\u0643., LBP \u0644.\u0644., LYD \u062f.\u0644., " +
  "MAD \u062f.\u0645., MRU \u0623.\u0645., OMR \u0631.\u0639., QAR \u0631.\u0642., SAR \u0631.\u0633., " +
  "SDG \u062c.\u0633., SYP \u0644.\u0633., TND \u062f.\u062a., YER \u0631.\u064a.";

const signs = new Map<string, string[]>();
for (const entry of [table, inOtherLanguages, inArabic, "XOF F_CFA"].flatMap((text) => text.split(", "))) {
  const [code = "", ...own] = entry.replaceAll("_", "\u00a0").split(" ");
  signs.set(code, [...(signs.get(code) ?? []), ...own]);
}

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
