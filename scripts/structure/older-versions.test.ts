// Comments on an older version: which are counted, and which are refused.
import { describe, expect, it } from "vitest";
import { olderVersions } from "./older-versions";

const of = (text: string, file = "server/domains/payments/derive.ts") => olderVersions({ file, text }, "0.2.0");

describe("a comment that names the older version and the release that deletes its code", () => {
  it.each([
    "// Until v0.3.0: rows of v0.1.0 have no amount.",
    "/** Until v0.3.0: null in rows of v0.1.0. */",
    "/**\n * The amount in minor units.\n * Until v0.3.0: null where the job has not reached\n * a row of v0.1.0, an earlier version.\n */",
    "const amount = row.amount ?? 0; // Until v0.10.0: rows of v0.2.0 have none.",
  ])("is counted: %s", (text) => {
    const { found, faults } = of(text);
    expect(faults).toEqual([]);
    expect(found).toEqual([
      { at: "server/domains/payments/derive.ts:1", until: expect.stringMatching(/^0\.(3|10)\.0$/) },
    ]);
  });

  it.each(["0.2.0", "0.1.9"])("is refused once that release, v%s, is reached", (until) => {
    expect(of(`// Until v${until}: rows of v0.1.0 have no amount.`).faults).toEqual([
      `server/domains/payments/derive.ts:1: v${until} is reached, so this code goes`,
    ]);
  });

  it("is refused if the version is not older than the release", () => {
    expect(of("// Until v0.3.0: rows of v0.3.0 have no amount.").faults.join()).toContain("is not older than v0.3.0");
  });
});

describe("a comment that speaks of an older version in other words", () => {
  it.each([
    "// An earlier version began it, and only times tell.",
    "/** Null if an earlier\n * version recorded it. */",
    "// Until v0.3.0: rows have no amount.",
    "// Until the next release, rows of v0.1.0 have no amount.",
    "// until v0.3.0: rows of v0.1.0 have no amount.",
    "// Rows of v0.1.0 have no amount.",
    "// Versions before did not write it.",
    "// 0 in rows from before this column.",
    "/* The legacy spelling. */",
    "return 0; // Not in previous releases.",
  ])("is refused: %s", (text) => {
    const { found, faults } = of(text);
    expect(found).toEqual([]);
    expect(faults.join()).toContain("speaks of an older version");
  });

  it.each([
    'throw new Error("A server of an earlier version is using the database.");',
    "// A newer version may have added a role.",
    "/** The version of the record, for If-Match. */",
    "const url = 'https://example.com'; // The address.",
  ])("is no comment on an older version: %s", (text) => {
    expect(of(text)).toEqual({ found: [], faults: [] });
  });

  it("is allowed where versions are the subject", () => {
    expect(of("// The previous version keeps serving meanwhile.", "db/migrate-postgres.ts").faults).toEqual([]);
  });
});
