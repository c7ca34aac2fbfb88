#!/bin/sh
# pdfkit's own fonts, such as Helvetica, have only the characters of Windows-1252. Any other character is
# neither refused nor drawn as an empty box: its number is written into the file as it is. A number of three
# hexadecimal digits shifts what follows, so "Łukasz" loses all its letters. A number of four digits becomes
# two characters: the rupee sign becomes a space and a small "1" before the amount. An invoice then has a
# wrong name, or an amount that looks like another one, and nothing has warned. Embed a font, and check each
# text against the characters of that font before you draw it.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' HUP INT TERM
cd "$dir"
npm init -y >/dev/null
npm install --no-audit --no-fund --loglevel=error pdfkit@0.20.2 unpdf@1.7.0 >/dev/null
npm ls --depth=0 | tail -n +2
cat >check.mjs <<'JS'
import PDFDocument from "pdfkit";
import { extractText } from "unpdf";

/** What a PDF reader finds in a file with this one line. */
async function read(line) {
  const file = new PDFDocument();
  const parts = [];
  file.on("data", (part) => parts.push(part));
  const written = new Promise((resolve) => file.on("end", resolve));
  file.text(line);
  file.end();
  await written;
  const { text } = await extractText(new Uint8Array(Buffer.concat(parts)), { mergePages: true });
  return text;
}

let same = true;
function check(written, found, holds) {
  console.log(`Written: ${written}   Expected: the same, or an error   Found: ${found}`);
  same &&= holds;
}

const plain = await read("Müller, 500 €");
check("Müller, 500 €", plain, plain === "Müller, 500 €");
const name = await read("Łukasz, 500 EUR");
check("Łukasz, 500 EUR", name, !name.includes("Łukasz") && !name.includes("ukasz"));
const amount = await read("₹500");
check("₹500", amount, amount === "¹500");

if (!same) {
  console.error("This is no longer so.");
  process.exit(1);
}
JS
node check.mjs
