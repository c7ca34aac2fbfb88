#!/bin/sh
# Asked for the subset PDF/UA, pdfkit writes the label of that standard into the file, and nothing else. The
# file has no tags, no language and no embedded font, and neither an error nor a warning says so. With the
# subset PDF/A-3b it is the same: the label is there, the font is not. ISO 14289-1 (PDF/UA) requires tags, and
# ISO 19005-3 (PDF/A-3) requires every font to be embedded. An archive that sorts invoices by this label keeps
# files for years that are not what they say. Set "tagged", "lang" and a title, use an embedded font, and have
# a validator check one file of each kind.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' HUP INT TERM
cd "$dir"
npm init -y >/dev/null
npm install --no-audit --no-fund --loglevel=error pdfkit@0.20.2 >/dev/null
npm ls --depth=0 | tail -n +2
cat >check.mjs <<'JS'
import PDFDocument from "pdfkit";

/** An invoice of one line, uncompressed, as text. */
async function make(subset) {
  const file = new PDFDocument({ subset, pdfVersion: "1.7", compress: false });
  const parts = [];
  file.on("data", (part) => parts.push(part));
  const written = new Promise((resolve) => file.on("end", resolve));
  file.text("Invoice 2026-0001");
  file.end();
  await written;
  return Buffer.concat(parts).toString("latin1");
}

const ua = await make("PDF/UA");
const archive = await make("PDF/A-3b");
const found = {
  "PDF/UA: label": ua.includes("<pdfuaid:part>1<"),
  "PDF/UA: tags": ua.includes("/StructTreeRoot"),
  "PDF/UA: language": ua.includes("/Lang"),
  "PDF/UA: embedded font": ua.includes("/FontFile"),
  "PDF/A-3b: label": archive.includes("<pdfaid:part>3<"),
  "PDF/A-3b: embedded font": archive.includes("/FontFile"),
};
console.log("Expected: each file has what its label says, or an error names what is missing.");
console.log("Found:", found);

const same = Object.entries(found).every(([what, there]) => there === what.endsWith("label"));
if (!same) {
  console.error("This is no longer so.");
  process.exit(1);
}
JS
node check.mjs
