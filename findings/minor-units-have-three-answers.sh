#!/bin/sh
# An amount of 1050 minor units of the Malagasy ariary (MGA) is three different amounts to three sources. ISO
# 4217 gives MGA two decimals, so it is 10.50, and the package currency-codes says so too. Intl, which follows
# CLDR and not ISO 4217, has no decimals for it, so its digits make 1,050. dinero.js counts in fifths, as the
# coins do, so it makes 210, and its toDecimal refuses the currency. Intl differs from ISO 4217 for other
# currencies as well: IQD has three decimals there and none in Intl. Whoever sends a provider amounts by the
# wrong source is off by a factor of 20, 100 or 1000. Keep a table of your own from ISO 4217, and give Intl the
# number of decimals each time.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' HUP INT TERM
cd "$dir"
npm init -y >/dev/null
npm install --no-audit --no-fund --loglevel=error currency-codes@2.2.0 dinero.js@2.0.2 >/dev/null
npm ls --depth=0 | tail -n +2
cat >check.mjs <<'JS'
import codes from "currency-codes";
import { dinero, toDecimal, toUnits } from "dinero.js";
import { MGA } from "dinero.js/currencies";

const iso = (currency) => codes.code(currency).digits;
const intl = (currency) =>
  new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits;

const amount = 1050;
const written = (digits) => (amount / 10 ** digits).toFixed(digits);
const money = dinero({ amount, currency: MGA });
const [whole, rest] = toUnits(money);
let decimal;
try {
  decimal = toDecimal(money);
} catch (error) {
  decimal = error.message;
}
console.log(`Node ${process.versions.node}, ICU ${process.versions.icu}, CLDR ${process.versions.cldr}`);
console.log(`Expected: ${amount} minor units of MGA are 10.50 everywhere, and IQD has 3 decimals.`);
console.log(`Found, ISO 4217:  MGA ${written(iso("MGA"))}; decimals of IQD: ${iso("IQD")}`);
console.log(`Found, Intl:      MGA ${written(intl("MGA"))}; decimals of IQD: ${intl("IQD")}`);
console.log(`Found, dinero.js: MGA ${whole} and ${rest} fifths; toDecimal: ${decimal}`);

const digits = [iso("MGA"), iso("IQD"), intl("MGA"), intl("IQD")].join();
if (digits !== "2,3,0,0" || whole !== 210 || rest !== 0 || !decimal.includes("not decimal")) {
  console.error("This is no longer so.");
  process.exit(1);
}
JS
node check.mjs
