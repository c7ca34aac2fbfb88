#!/bin/sh
# ical.js ignores BYSETPOS in a monthly rule with BYMONTHDAY, and gives every day of the set instead of one.
# RFC 5545 (section 3.3.10) says that BYSETPOS is evaluated last and picks from the set, here the last day of
# it. "BYMONTHDAY=28,29,30;BYSETPOS=-1" is the standard's way to say "the 30th, or the last day of a shorter
# month". A subscription that takes its dates from such a rule is charged three times in most months. January
# and February look right, so a test that begins in January and reads two dates passes. Use rrule, which gives
# one day, and compare a year of dates with a second library.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' HUP INT TERM
cd "$dir"
npm init -y >/dev/null
npm install --no-audit --no-fund --loglevel=error ical.js@2.2.1 rrule@2.8.1 >/dev/null
npm ls --depth=0 | tail -n +2
cat >check.mjs <<'JS'
import ICAL from "ical.js";
import rrule from "rrule";

const rule = "FREQ=MONTHLY;BYMONTHDAY=28,29,30;BYSETPOS=-1";
const dates = ICAL.Recur.fromString(rule).iterator(ICAL.Time.fromString("2026-01-30"));
const found = Array.from({ length: 8 }, () => dates.next().toString()).join(" ");
const other = rrule
  .rrulestr(`DTSTART:20260130T000000Z\nRRULE:${rule};COUNT=4`)
  .all()
  .map((date) => date.toISOString().slice(0, 10))
  .join(" ");
const expected = "2026-01-30 2026-02-28 2026-03-30 2026-04-30";
console.log(`Rule:            ${rule}, from 2026-01-30`);
console.log(`Expected:        ${expected}`);
console.log(`Found, rrule:    ${other}`);
console.log(`Found, ical.js:  ${found}`);

const all = "2026-01-30 2026-02-28 2026-03-28 2026-03-29 2026-03-30 2026-04-28 2026-04-29 2026-04-30";
if (other !== expected || found !== all) {
  console.error("This is no longer so.");
  process.exit(1);
}
JS
node check.mjs
