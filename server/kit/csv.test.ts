// CSV: a reader written here recovers what was written, and no text starts like a formula.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyText } from "@/test/any-text";
import { csvLine, dialectOf } from "./csv";

/** The fields of one line, according to RFC 4180. */
function parseLine(line: string, separator: "," | ";" = ","): string[] {
  const fields: string[] = [];
  const pattern = new RegExp(`(?:"((?:[^"]|"")*)"|([^"${separator}\\r\\n]*))(${separator}|\\r\\n$)`, "gy");
  for (let match = pattern.exec(line); match; match = pattern.exec(line)) {
    fields.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? "");
    if (match[3] !== separator) return fields;
  }
  throw new Error(`not a CSV line: ${JSON.stringify(line)}`);
}

test("texts are quoted where necessary, numbers are not", () => {
  expect(csvLine(["a", 'say "b"', "c,d", "e\nf", "g\r\n", -5, true, null, ""])).toBe(
    'a,"say ""b""","c,d","e\nf","g\r\n",-5,true,,\r\n',
  );
});

test("any cell content can be read back", () => {
  fc.assert(
    fc.property(fc.array(anyText(20), { minLength: 1 }), (texts) => {
      const read = parseLine(csvLine(texts));
      const unprotected = (text: string) => text.replaceAll(/'(?=[=+\-@\t\r\n＝＋－＠])/g, "");
      expect(read.map(unprotected)).toEqual(texts.map(unprotected));
    }),
  );
});

describe("no text is a formula", () => {
  test.each(["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx", "\nx", "＝1"])("%j", (text) => {
    expect(parseLine(csvLine([text]))).toEqual([`'${text}`]);
  });
  test.each([
    ["Max;=cmd|'/C calc'!A0", "Max;'=cmd|'/C calc'!A0"],
    ["a\t+1", "a\t'+1"],
    ["a|-1", "a|'-1"],
    ["a;@b;＝c", "a;'@b;'＝c"],
    ['a;"=1+1"', 'a;"\'=1+1"'],
    ["a; =1", "a; '=1"],
    ["a\n=1", "a\n'=1"],
  ])("%j, with another list separator or without quoting", (given, written) => {
    expect(parseLine(csvLine([given]))).toEqual([written]);
  });
  test("no text becomes a formula, wherever a spreadsheet splits it", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(..."a;|\t\n\r\"=+-@ '"), { maxLength: 12 }), (letters) => {
        for (const separator of [/[;\r\n]/, /[|\r\n]/, /[\t\r\n]/]) {
          const cells = `x,${csvLine([letters.join("")]).slice(0, -2)}`.split(separator).slice(1);
          for (const cell of cells) expect(cell.replaceAll(/[\s"]/g, "")).not.toMatch(/^[=+\-@]/);
        }
      }),
    );
  });
  test("a sign inside a text is not escaped", () => {
    expect(csvLine(["a=1", " b"])).toBe("a=1, b\r\n");
  });
});

describe("for a spreadsheet of a region", () => {
  const german = dialectOf("de-AT");

  test.each([
    ["de", ";", ","],
    ["fr-FR", ";", ","],
    ["es", ";", ","],
    ["en", ",", "."],
    ["ja", ",", "."],
    ["ar-EG", ",", "."],
  ])("%s has the separator %s and the decimal mark %s", (locale, separator, decimalMark) => {
    expect(dialectOf(locale)).toEqual({ start: "\u{FEFF}", separator, decimalMark });
  });

  test("no region is RFC 4180 without a byte-order mark", () => {
    expect(dialectOf(undefined)).toEqual({ start: "", separator: ",", decimalMark: "." });
  });

  test("only numbers get a decimal comma, and what contains the separator is quoted", () => {
    const cells = [{ decimal: "-12.50" }, "1.5", "a;b", "c,d", 7, null];
    expect(csvLine(cells, german)).toBe('-12,50;1.5;"a;b";c,d;7;\r\n');
    expect(parseLine(csvLine(cells, german), ";")).toEqual(["-12,50", "1.5", "a;b", "c,d", "7", ""]);
    expect(parseLine(csvLine(cells, dialectOf("en")))).toEqual(["-12.50", "1.5", "a;b", "c,d", "7", ""]);
  });

  test("any cell content can be read back", () => {
    fc.assert(
      fc.property(fc.array(anyText(20), { minLength: 1 }), (texts) => {
        const read = parseLine(csvLine(texts, german), ";");
        const unprotected = (text: string) => text.replaceAll(/'(?=[=+\-@\t\r\n＝＋－＠])/g, "");
        expect(read.map(unprotected)).toEqual(texts.map(unprotected));
      }),
    );
  });

  test("no text becomes a formula, wherever a spreadsheet splits it", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(..."a,;|\t\n\r\"=+-@ '"), { maxLength: 12 }), (letters) => {
        const text = letters.join("");
        expect(parseLine(csvLine([text], german), ";")[0]).not.toMatch(/^[=+\-@\t\r\n]/);
        for (const separator of [/[,\r\n]/, /[|\r\n]/, /[\t\r\n]/]) {
          const cells = `x;${csvLine([text], german).slice(0, -2)}`.split(separator).slice(1);
          for (const cell of cells) expect(cell.replaceAll(/[\s"]/g, "")).not.toMatch(/^[=+\-@]/);
        }
      }),
    );
  });
});
