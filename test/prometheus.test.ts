// The strict reader of metrics accepts what Prometheus's documentation shows, and refuses what a scraper might misread.
import { expect, it } from "vitest";
import { parseMetrics, readingOf } from "./prometheus";

const histogram = (infinite: number) =>
  `# HELP h x\n# TYPE h histogram\nh_bucket{le="1"} 2\nh_bucket{le="+Inf"} ${infinite}\nh_sum 3\nh_count 3\n`;

it("reads names, labels with escapes, and values", () => {
  const text = `# HELP a_total Calls.\n# TYPE a_total counter\na_total{of="one \\"x\\\\\\n",b=""} 1.5e+3\na_total 2\n${histogram(3)}`;
  const families = parseMetrics(text);
  expect(families.get("a_total")?.samples).toEqual([
    { name: "a_total", labels: { of: 'one "x\\\n', b: "" }, value: 1500 },
    { name: "a_total", labels: {}, value: 2 },
  ]);
  expect(readingOf(families, "h_bucket", { le: "+Inf" })).toBe(3);
});

it.each([
  ["no end of line", "# HELP a x\n# TYPE a gauge\na 1"],
  ["no TYPE", "# HELP a x\na 1\n"],
  ["a second HELP", "# HELP a x\n# TYPE a gauge\na 1\n# HELP a x\n# TYPE a gauge\n"],
  ["another metric's sample", "# HELP a x\n# TYPE a gauge\nb 1\n"],
  ["an unknown type", "# HELP a x\n# TYPE a number\na 1\n"],
  ["a sample twice", '# HELP a x\n# TYPE a gauge\na{b="1"} 1\na{b="1"} 2\n'],
  ["an unescaped quote", '# HELP a x\n# TYPE a gauge\na{b="1"2"} 1\n'],
  ["no number", "# HELP a x\n# TYPE a gauge\na one\n"],
  ["a counter's name", "# HELP a x\n# TYPE a counter\na 1\n"],
  ["a counter below zero", "# HELP a_total x\n# TYPE a_total counter\na_total -1\n"],
  ["buckets that do not add up", histogram(2)],
])("refuses %s", (_what, text) => {
  expect(() => parseMetrics(text)).toThrow();
});
