// The results as a Markdown table: one row per case, the servers' figures side by side.

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const mebibytes = (bytes) => Math.round(bytes / 2 ** 20);
const ms = (value) => value.toFixed(value < 10 ? 1 : 0);

/** Prints all cases. Each figure is the median of the rounds; a ratio is the median of the rounds' ratios. */
export function printTable(results, { firstStartMs, secondStartMs }) {
  console.log("| case | servers | requests/s | ratio | p50 ms | p99 ms | CPU µs/request | busy | peak MiB |");
  console.log("|---|---|---|---|---|---|---|---|---|");
  for (const [name, figures] of Object.entries(results)) console.log(rowOf(name, figures));
  console.log(
    `\nFirst start ${(firstStartMs / 1000).toFixed(1)} s, second start ${(secondStartMs / 1000).toFixed(1)} s.`,
  );
}

function rowOf(name, figures) {
  const servers = Object.keys(figures);
  const [baseline] = servers;
  const each = (show) => servers.map((server) => show(figures[server])).join(" / ");
  const of = (rounds, what) => median(rounds.map((round) => round[what]));
  const ratio = (rounds) => median(rounds.map((round, n) => round.rate / figures[baseline][n].rate)).toFixed(2);
  const cells = [
    name,
    servers.join(" / "),
    each((rounds) => Math.round(of(rounds, "rate"))),
    servers
      .slice(1)
      .map((server) => ratio(figures[server]))
      .join(" / "),
    each((rounds) => ms(of(rounds, "p50"))),
    each((rounds) => ms(of(rounds, "p99"))),
    each((rounds) => Math.round(of(rounds, "cpuPerRequest"))),
    each((rounds) => `${Math.round(of(rounds, "busy") * 100)} %`),
    each((rounds) => mebibytes(Math.max(...rounds.map(({ peak }) => peak)))),
  ];
  return `| ${cells.join(" | ")} |`;
}
