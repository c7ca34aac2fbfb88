// Reads Prometheus's text format (version 0.0.4) strictly: throws where a scraper might read it differently or drop it.

interface Sample {
  name: string;
  labels: Readonly<Record<string, string>>;
  value: number;
}

export interface Family {
  type: string;
  help: string;
  samples: Sample[];
}

const metricName = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const sampleLine = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const labelPair = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(,|$)/y;
const numberText = /^(?:[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?|[+-]Inf|NaN)$/i;
const metricTypes = ["counter", "gauge", "histogram", "summary", "untyped"];

/** The metrics of a text, by name. */
export function parseMetrics(text: string): Map<string, Family> {
  if (!text.endsWith("\n")) throw new Error("The last line does not end.");
  const families = new Map<string, Family>();
  let name = "";
  let help: string | null = null;
  for (const line of text.split("\n")) {
    if (line === "") continue;
    const [, keyword, of = "", rest = ""] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (keyword === "HELP") {
      if (families.has(of) || !metricName.test(of) || help !== null) throw new Error(`A second or stray HELP: ${line}`);
      [name, help] = [of, rest];
    } else if (keyword === "TYPE") {
      if (of !== name || help === null || !metricTypes.includes(rest)) throw new Error(`A stray TYPE: ${line}`);
      families.set(name, { type: rest, help, samples: [] });
      help = null;
    } else {
      const family = families.get(name);
      if (!family || help !== null) throw new Error(`A sample without HELP and TYPE: ${line}`);
      family.samples.push(sampleOf(line, name, family));
    }
  }
  for (const [of, family] of families) check(of, family);
  return families;
}

function sampleOf(line: string, family: string, { type, samples }: Family): Sample {
  const [, name = "", labelText = "", number = ""] = sampleLine.exec(line) ?? [];
  const suffixes =
    type === "histogram" ? ["_bucket", "_sum", "_count"] : type === "summary" ? ["", "_sum", "_count"] : [""];
  if (!suffixes.some((suffix) => name === family + suffix) || !numberText.test(number))
    throw new Error(`Not a sample: ${line}`);
  const labels = labelsOf(labelText);
  const key = keyOf(labels);
  if (samples.some((other) => other.name === name && keyOf(other.labels) === key)) throw new Error(`Twice: ${line}`);
  return { name, labels, value: Number(number.replace(/Inf$/i, "Infinity")) };
}

const keyOf = (labels: Sample["labels"]) => JSON.stringify(Object.entries(labels).sort());

function labelsOf(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  labelPair.lastIndex = 0;
  while (labelPair.lastIndex < text.length) {
    const at = labelPair.lastIndex;
    const [, name = "", value = ""] = labelPair.exec(text) ?? [];
    if (name === "" || name in labels) throw new Error(`Broken labels at ${at}: ${text}`);
    labels[name] = value.replace(/\\(.)/g, (_, escaped) => (escaped === "n" ? "\n" : escaped));
  }
  return labels;
}

/** Counters never count down and say so in their name; a histogram's buckets are cumulative and add up. */
function check(name: string, { type, samples }: Family): void {
  if (type === "counter" && samples.some(({ value }) => !(value >= 0))) throw new Error(`${name} is below zero.`);
  if (type === "counter" && !name.endsWith("_total")) throw new Error(`${name} does not end in _total.`);
  if (type !== "histogram") return;
  for (const sum of samples.filter((sample) => sample.name === `${name}_sum`)) {
    const buckets = samples
      .filter((sample) => sample.name === `${name}_bucket`)
      .map(({ labels: { le = "", ...labels }, value }) => ({
        le: Number(le.replace("Inf", "Infinity")),
        labels,
        value,
      }))
      .filter(({ labels }) => keyOf(labels) === keyOf(sum.labels))
      .sort((one, other) => one.le - other.le);
    const count = samples.find(
      (sample) => sample.name === `${name}_count` && keyOf(sample.labels) === keyOf(sum.labels),
    );
    const isCumulative = buckets.every(({ value }, i) => i === 0 || value >= (buckets[i - 1]?.value ?? 0));
    if (!isCumulative || buckets.at(-1)?.le !== Number.POSITIVE_INFINITY || buckets.at(-1)?.value !== count?.value) {
      throw new Error(`The buckets of ${name} do not add up.`);
    }
  }
}

/** The value of the one sample with these labels; undefined if there is none. */
export const readingOf = (
  families: Map<string, Family>,
  name: string,
  labels: Sample["labels"] = {},
): number | undefined =>
  [...families.values()]
    .flatMap(({ samples }) => samples)
    .find((sample) => sample.name === name && keyOf(sample.labels) === keyOf(labels))?.value;
