// npm run test:changed takes the nearest tests first, and leaves out those for which there is no time.
import { describe, expect, it } from "vitest";
import { areaOf, costs, relatedTests, withinBound } from "./related-tests.mjs";

const texts: Record<string, string> = {
  "server/domains/payments/invoices/issue.test.ts": "",
  "server/domains/payments/invoices/proof.test.ts": "",
  "server/domains/payments/requests.test.ts": "",
  "server/domains/payments/terms.test.ts": 'import { terms } from "./invoices/issue";',
  "server/domains/users/list.test.ts": "",
  "test/stories/lists.test.ts": 'import {\n  issue,\n} from "@/server/domains/payments/invoices/issue";',
  "test/stories/races.test.ts": 'import { issued } from "@/server/domains/payments/invoices/issued";',
  "db/connections.postgres.test.ts": "",
};
const nearnessOf = (...changed: string[]) =>
  Object.fromEntries(
    relatedTests(changed, Object.keys(texts), (file) => texts[file] ?? "").map(({ file, nearness }) => [
      file,
      nearness,
    ]),
  );

describe("the tests related to a change", () => {
  it("are named after it, beside it, import it, or are of its domain", () => {
    expect(nearnessOf("server/domains/payments/invoices/issue.ts")).toEqual({
      "server/domains/payments/invoices/issue.test.ts": 1,
      "server/domains/payments/invoices/proof.test.ts": 2,
      "server/domains/payments/terms.test.ts": 3,
      "test/stories/lists.test.ts": 3,
      "server/domains/payments/requests.test.ts": 4,
    });
  });

  it("are those that were changed, before all others", () => {
    expect(nearnessOf("test/stories/races.test.ts")).toMatchObject({
      "test/stories/races.test.ts": 0,
      "test/stories/lists.test.ts": 2,
    });
  });

  it("may be named after an engine", () => {
    expect(nearnessOf("db/connections.ts")).toEqual({ "db/connections.postgres.test.ts": 1 });
  });

  it("are none for a text or a document", () => {
    expect(nearnessOf("messages/en.json", "docs/architecture.md", "README.md")).toEqual({});
  });
});

it.each([
  ["server/domains/payments/invoices/issue.ts", "server/domains/payments"],
  ["server/domains/steps.ts", "server/domains"],
  ["server/kit/page.ts", "server/kit"],
  ["app/dashboard/customers/_parts/list.tsx", "app/dashboard/customers"],
  ["app/dashboard/page.tsx", "app/dashboard"],
  ["db/client.ts", "db"],
])("the area of %s is %s", (file, area) => {
  expect(areaOf(file)).toBe(area);
});

describe("the tests that fit", () => {
  const related = [
    { file: "far.test.ts", nearness: 4 },
    { file: "slow.test.ts", nearness: 2 },
    { file: "quick.test.ts", nearness: 2 },
    { file: "changed.test.ts", nearness: 0 },
  ];
  const seconds: Record<string, number> = {
    "far.test.ts": 3,
    "slow.test.ts": 8,
    "quick.test.ts": 1,
    "changed.test.ts": 6,
  };
  const within = (bound: number) => withinBound(related, bound, (file) => seconds[file] ?? 0);

  it("are the nearest and then the quickest; the others are named", () => {
    expect(within(100)).toEqual({
      chosen: ["changed.test.ts", "quick.test.ts", "slow.test.ts", "far.test.ts"],
      left: [],
    });
    expect(within(10)).toEqual({
      chosen: ["changed.test.ts", "quick.test.ts", "far.test.ts"],
      left: ["slow.test.ts"],
    });
  });

  it("include a changed test however long it takes", () => {
    expect(within(2)).toEqual({
      chosen: ["changed.test.ts"],
      left: ["quick.test.ts", "slow.test.ts", "far.test.ts"],
    });
  });

  it("take the time that they took, and load the product once for each project and for each test apart", () => {
    const projectOf = new Map([
      ["a.test.ts", "sqlite-together"],
      ["b.test.ts", "sqlite-together"],
      ["c.test.ts", "sqlite-apart"],
      ["d.test.ts", "sqlite-apart"],
      ["e.test.ts", "once-together"],
    ]);
    const costOf = costs(projectOf, { "sqlite-together a.test.ts": 2_500, "sqlite-apart d.test.ts": 500 });
    expect(costOf("a.test.ts", [])).toBe(7.5);
    expect(costOf("a.test.ts", ["b.test.ts"])).toBe(2.5);
    expect(costOf("b.test.ts", ["a.test.ts"])).toBe(2);
    expect(costOf("d.test.ts", ["c.test.ts"])).toBe(5.5);
    expect(costOf("e.test.ts", ["a.test.ts"])).toBe(1.5);
  });
});
