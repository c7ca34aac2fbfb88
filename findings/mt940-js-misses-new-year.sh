#!/bin/sh
# A line of a bank statement in the format MT940 (field 61) has a value date with a year, and an entry date
# without one. mt940-js gives the entry date the year of the value date, even if only a few days around New
# Year lie between the two. So a payment of 31 December that was entered on 2 January is dated a year too
# early, and the reverse case a year too late. Whoever books by the entry date puts the payment into a fiscal
# year that is closed, or into one that has not begun. Take the year that brings the entry date closest to the
# value date. The package also needs tslib, which it does not declare, so this script installs that too.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' HUP INT TERM
cd "$dir"
npm init -y >/dev/null
npm install --no-audit --no-fund --loglevel=error mt940-js@1.0.0 tslib@2.8.1 >/dev/null
npm ls --depth=0 | tail -n +2
cat >statement.sta <<'STA'
:20:STATEMENT
:25:DE89370400440532013000
:28C:1/1
:60F:C251231EUR100,00
:61:2512310102C30,00NMSCNONREF
:86:Invoice 2025-0117
:61:2601021231C1,00NMSCNONREF
:86:Invoice 2025-0118
:62F:C260102EUR131,00
-
STA
cat >check.mjs <<'JS'
import { readFileSync } from "node:fs";
import mt940 from "mt940-js";

const [statement] = await mt940.read(readFileSync("statement.sta"));
const expected = ["2025-12-31, entered 2026-01-02", "2026-01-02, entered 2025-12-31"];
const found = statement.transactions.map((line) => `${line.valueDate}, entered ${line.entryDate}`);
console.log("Expected:", expected);
console.log("Found:   ", found);

const same = found[0] === "2025-12-31, entered 2025-01-02" && found[1] === "2026-01-02, entered 2026-12-31";
if (!same) {
  console.error("This is no longer so.");
  process.exit(1);
}
JS
node check.mjs
