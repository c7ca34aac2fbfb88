// npm run bench -- --against <commit>: today's product beside that of an older commit and the baseline, in turn, until
// the interval of each ratio is narrow enough.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { nodeOfLine } from "../scripts/setup/nodes.mjs";
import { inProject, root } from "../scripts/setup/project.mjs";
import { runStep } from "../scripts/setup/step.mjs";
import { cases } from "./cases.mjs";
import { engines } from "./engines.mjs";
import { measure } from "./measure.mjs";
import { environment, fill, findLastPage } from "./prepare.mjs";
import { startBaseline, startProduct } from "./servers.mjs";

/** The line of Node on which older commits run, too. */
const sharedLine = "22";
const rounds = { least: 5, most: 40 };
/** A ratio is known once the 95 % interval of its mean reaches at most this far to each side. */
const narrow = 0.04;

const git = (...args) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();

/** Builds the commit in a folder of its own, which later runs find again. Resolves to the folder. */
async function buildCommit(sha, node) {
  const folder = inProject(".setup/bench", sha);
  if (existsSync(path.join(folder, "dist/main.js"))) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  execFileSync("tar", ["-x", "-C", folder], {
    input: execFileSync("git", ["archive", sha], { cwd: root, maxBuffer: 2 ** 30 }),
  });
  const bin = path.dirname(node);
  await runStep({
    name: `bench-${sha}`,
    title: `building ${sha.slice(0, 8)}`,
    command: "sh",
    args: ["-c", `cd "$0" && exec "$1" scripts/build.mjs`, folder, node],
    // Its SQLite driver may have to be compiled, with the headers of this Node.
    env: { PATH: `${bin}${path.delimiter}${process.env.PATH}`, npm_config_nodedir: path.dirname(bin) },
  });
  return folder;
}

/** Builds and starts everything. Resolves to the targets: the baseline, the older product, and today's. */
async function prepareAll({ commit, engineName, folder, rows, say }) {
  const sha = git("rev-parse", "--verify", `${commit}^{commit}`);
  const node = await nodeOfLine(sharedLine);
  const older = await buildCommit(sha, node);
  const stops = [];
  const filled = async (name, product) => {
    const own = path.join(folder, name);
    mkdirSync(own);
    const engine = await engines[engineName](own);
    stops.push(engine.stop);
    const settings = { folder: product, env: environment(engine, own), node };
    const { seed } = await import(pathToFileURL(path.join(product, "bench/seed.mjs")).href);
    return { engine, settings, own, ...(await fill({ engine, settings, seedOf: seed, rows, say })) };
  };
  /** A process on a database of its own. A refresh token works once in each. */
  const started = async (name, { settings, given }, changes = {}) => {
    const server = await startProduct(name, { ...settings, ...changes, env: { ...settings.env, ...changes.env } });
    const lastCursor = await findLastPage(server.url, given.accessToken);
    return { ...given, lastCursor, refreshTokens: [...given.refreshTokens], name, servers: [server] };
  };
  const before = await filled("older", older);
  const today = await filled("today", root);
  const { engine, own, page } = today;
  const [forBaseline, forNewest] = [await engine.copy("baseline"), await engine.copy("newest")];
  const pageFile = path.join(own, "page.html");
  writeFileSync(pageFile, page.html);
  const newest = { node: process.execPath, env: { DATABASE_URL: engine.urlOf(forNewest) } };
  const targets = [
    await started(sha.slice(0, 8), before),
    await started("product", today),
    await started(`product on ${process.versions.node.split(".")[0]}`, today, newest),
  ];
  const files = { BASELINE_DATABASE: forBaseline, BASELINE_PAY_PAGE: pageFile };
  const servers = [await startBaseline("baseline", files, node)];
  const { lastCursor } = targets[1];
  const baseline = {
    ...today.given,
    lastCursor,
    refreshTokens: [...today.given.refreshTokens],
    name: "baseline",
    servers,
  };
  return { targets: [baseline, ...targets], stops, sha };
}

/** The geometric mean of the rounds' ratios, and how far its 95 % interval reaches to each side, as a part of it. */
export function ratioOf(rounds, others, what = "rate") {
  const logs = rounds.map((round, n) => Math.log(round[what] / others[n][what]));
  const mean = logs.reduce((sum, each) => sum + each, 0) / logs.length;
  const variance = logs.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (logs.length - 1);
  // Student's t for few rounds: 2.8 with five, 2.0 with forty.
  const t = 1.96 + 3.3 / (logs.length - 1);
  return { ratio: Math.exp(mean), reach: t * Math.sqrt(variance / logs.length) };
}

/** Measures all targets in turn until the ratios of the products are known, or for as many rounds as are allowed. */
async function measureCase(one, [baseline, older, ...products], { connections, seconds, warmUpSeconds }) {
  const targets = [baseline, older, ...products];
  const figures = Object.fromEntries(targets.map(({ name }) => [name, []]));
  for (const target of targets) await measure(one, target, { connections, seconds: warmUpSeconds });
  const isKnown = () => {
    const before = figures[older.name];
    return (
      before.length >= rounds.least && products.every(({ name }) => ratioOf(figures[name], before).reach <= narrow)
    );
  };
  while (!isKnown() && figures[older.name].length < rounds.most) {
    for (const target of targets) figures[target.name].push(await measure(one, target, { connections, seconds }));
  }
  return figures;
}

/** Resolves to the figures of each case by target, and the commit. */
export async function compareWith({ commit, engineName, folder, rows, only, say, ...load }) {
  const { targets, stops, sha } = await prepareAll({ commit, engineName, folder, rows, say });
  try {
    const results = {};
    for (const [name, one] of Object.entries(cases)) {
      if (!name.includes(only)) continue;
      say(name);
      results[name] = await measureCase(one, targets, load);
    }
    return { results, sha };
  } finally {
    for (const stop of stops) await stop();
  }
}
