// The results as Markdown: a row per case with all servers' figures, and the targets with the values reached.
import { cpus, loadavg, totalmem } from "node:os";
import { ratioOf as meanRatio } from "./against.mjs";

/** Each figure is the median of its rounds. */
const medianOf = (rounds, what) =>
  [...rounds].map((round) => round[what]).sort((a, b) => a - b)[Math.floor(rounds.length / 2)];

/** The median of the ratios within each round, so that a slow moment affects both sides. */
function ratioOf(rounds, others, what = "rate") {
  return medianOf(
    rounds.map((round, n) => ({ ratio: round[what] / others[n][what] })),
    "ratio",
  );
}

const mebibytes = (bytes) => Math.round(bytes / 2 ** 20);
/** Empty if no request was answered in time. */
const ms = (value) => value?.toFixed(value < 10 ? 1 : 0) ?? "–";
const line = (cells) => console.log(`| ${cells.join(" | ")} |`);

function table(head, rows) {
  line(head);
  line(head.map(() => "---"));
  for (const row of rows) line(row);
  console.log();
}

/** The machine's load at the start, before the benchmark added its own. */
const loadBefore = loadavg()[0];

/** Prints where and how it was measured. */
export function printMachine({ engine, rounds, seconds, connections }) {
  const [{ model }, ...others] = cpus();
  const machine = `${others.length + 1} × ${model.trim()}, ${mebibytes(totalmem())} MiB, ${process.platform}`;
  console.log(`${machine}, Node ${process.version}, ${engine}; load average before: ${loadBefore.toFixed(1)}.`);
  console.log(`${connections} connections, medians of ${rounds} rounds of ${seconds} s.\n`);
}

/** Prints the cases. */
export function printCases(results) {
  table(
    [
      "case",
      "servers",
      "requests/s",
      "ratio",
      "p50 ms",
      "p99 ms",
      "CPU µs/request",
      "CPU ratio",
      "CPU in use",
      "peak MiB",
    ],
    Object.entries(results).map(([name, figures]) => {
      const servers = Object.keys(figures);
      const each = (show) => servers.map((server) => show(figures[server])).join(" / ");
      return [
        ...[name, servers.join(" / ")],
        each((rounds) => Math.round(medianOf(rounds, "rate"))),
        each((rounds) => (rounds === figures.baseline ? "1" : ratioOf(rounds, figures.baseline).toFixed(2))),
        each((rounds) => ms(medianOf(rounds, "p50"))),
        each((rounds) => ms(medianOf(rounds, "p99"))),
        each((rounds) => Math.round(medianOf(rounds, "cpuPerRequest"))),
        each((rounds) =>
          rounds === figures.baseline ? "1" : ratioOf(figures.baseline, rounds, "cpuPerRequest").toFixed(2),
        ),
        each((rounds) => `${Math.round(medianOf(rounds, "busy") * 100)} %`),
        each((rounds) => mebibytes(Math.max(...rounds.map(({ peak }) => peak)))),
      ];
    }),
  );
}

/** Prints today's product beside that of an older commit: rates, and ratios with their 95 % intervals. */
export function printComparison(results, sha) {
  const older = sha.slice(0, 8);
  const names = Object.keys(Object.values(results)[0]);
  const products = names.filter((name) => name !== "baseline" && name !== older);
  const interval = ({ ratio, reach }) =>
    `${ratio.toFixed(2)} (${(ratio * Math.exp(-reach)).toFixed(2)} to ${(ratio * Math.exp(reach)).toFixed(2)})`;
  table(
    [
      ...["case", "rounds", ...names.map((name) => `${name}, requests/s`)],
      ...products.flatMap((name) => [`${name} of ${older}`, "CPU"]),
    ],
    Object.entries(results).map(([name, figures]) => [
      ...[name, figures[older].length],
      ...names.map((target) => Math.round(medianOf(figures[target], "rate"))),
      ...products.flatMap((product) => [
        interval(meanRatio(figures[product], figures[older])),
        meanRatio(figures[older], figures[product], "cpuPerRequest").ratio.toFixed(2),
      ]),
    ]),
  );
}

/** Prints the figures for each pool size. */
export function printPools(results) {
  table(
    ["load", "pool", "requests/s", "p50 ms", "p99 ms", "CPU µs/request", "creates/s meanwhile"],
    Object.entries(results).flatMap(([name, figures]) =>
      Object.entries(figures).map(([pool, rounds]) => [
        ...[name, pool, Math.round(medianOf(rounds, "rate")), ms(medianOf(rounds, "p50")), ms(medianOf(rounds, "p99"))],
        Math.round(medianOf(rounds, "cpuPerRequest")),
        "creates" in rounds[0] ? Math.round(medianOf(rounds, "creates")) : "–",
      ]),
    ),
  );
}

/** Prints how logins affect others. */
export function printBystanders(bystanders) {
  table(
    ["beside logins", "server", "p99 ms without", "p99 ms with", "times", "logins/s meanwhile"],
    Object.entries(bystanders).flatMap(([name, figures]) =>
      Object.entries(figures).map(([server, rounds]) => [
        ...[name, server, ms(medianOf(rounds, "alone")), ms(medianOf(rounds, "beside"))],
        ...[medianOf(rounds, "times").toFixed(1), Math.round(medianOf(rounds, "logins"))],
      ]),
    ),
  );
}

/** Prints the targets for one product process. */
export function printTargets(results, bystanders, { secondStartMs }) {
  const product = (name) => results[name].product;
  const ratio = (name, to = "baseline") => ratioOf(product(name), results[name][to]);
  const between = (one, other, what) => ratioOf(product(one), product(other), what);
  const [retrieve, list, last] = ["retrieve a transaction", "list 20 by status and type", "the same, last page"];
  const single = "one commit per request";
  const [metadata, create, refresh] = ["list 20 by a metadata key", "create a transaction", "refresh with rotation"];
  const peak = Math.max(...Object.values(results).flatMap(({ product }) => product.map(({ peakEver }) => peakEver)));
  const times = Object.values(bystanders).map(({ product }) => medianOf(product, "times"));
  table(
    ["target", "at least", "at most", "reached"],
    [
      ["retrieve, of the baseline", 0.5, "", ratio(retrieve)],
      ["create, of the baseline", 0.5, "", ratio(create)],
      ...(results[create][single] ? [[`create, of the baseline with ${single}`, 1, "", ratio(create, single)]] : []),
      ["CPU of a list, in retrieves", "", 5, between(list, retrieve, "cpuPerRequest")],
      ["CPU of a pay page view, in retrieves", "", 2.5, between("the pay page", retrieve, "cpuPerRequest")],
      ["CPU of the last page, in first pages", "", 1.2, between(last, list, "cpuPerRequest")],
      ["CPU of the metadata filter, in lists", "", 2, between(metadata, list, "cpuPerRequest")],
      ["refreshes, in creates", 1, "", between(refresh, create)],
      ["logins, of Argon2 alone", 0.75, "", ratio("login")],
      ["p99 of 200 retrieves a second beside logins, in p99 without", "", 3, times[0]],
      ["p99 of retrieves on 50 connections beside logins, in p99 without", "", 3, times[1]],
      ["peak memory, MiB", "", 250, mebibytes(peak)],
      ["second start, s", "", 3, secondStartMs / 1000],
    ].map(([name, least, most, reached]) => {
      const isReached = (least === "" || reached >= least) && (most === "" || reached <= most);
      return [name, least, most, `${Number(reached.toFixed(2))}${isReached ? "" : " (missed)"}`];
    }),
  );
}
