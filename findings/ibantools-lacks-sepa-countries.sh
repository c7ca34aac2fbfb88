#!/bin/sh
# ibantools says which countries take part in SEPA payments, and its list lacks five of them: Albania,
# Moldova, Montenegro, North Macedonia and Serbia. The European Payments Council admitted them in 2024 and
# 2025, as its list of SEPA scheme countries (EPC409-09) says. The same library accepts the IBANs of these
# countries, so the account number looks right and only the answer about SEPA is wrong. Software that offers a
# bank transfer by this answer turns away payers and refuses refunds that their banks would carry out. Keep a
# list of your own with the date on which you last compared it.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' HUP INT TERM
cd "$dir"
npm init -y >/dev/null
npm install --no-audit --no-fund --loglevel=error ibantools@4.5.4 >/dev/null
npm ls --depth=0 | tail -n +2
cat >check.mjs <<'JS'
import { isSEPACountry, isValidIBAN } from "ibantools";

// The examples of the IBAN registry. Switzerland, which is not in the European Union either, is there to compare with.
const late = ["AL47212110090000000235698741", "MD24AG000225100013104168", "ME25505000012345678951"];
late.push("MK07250120000058984", "RS35260005601001611379");
const early = "CH9300762011623852957";

console.log("Expected: each IBAN is valid, and its country takes part in SEPA.");
for (const iban of [early, ...late]) {
  console.log(`Found:    ${iban} valid ${isValidIBAN(iban)}, SEPA ${isSEPACountry(iban.slice(0, 2))}`);
}

const lacks = (iban) => isValidIBAN(iban) && !isSEPACountry(iban.slice(0, 2));
if (!late.every(lacks) || !isValidIBAN(early) || lacks(early)) {
  console.error("This is no longer so.");
  process.exit(1);
}
JS
node check.mjs
