// Chooses the unit tests that a change most likely breaks: the nearest first, and as many as fit into a time.
import { posix } from "node:path";

const withoutExtension = (file) => file.replace(/\.[cm]?[jt]sx?$/, "");
/** "pay" of `pay.ts`, `pay.test.ts` and `pay.postgres.test.ts`. */
const subjectOf = (file) => withoutExtension(posix.basename(file)).replace(/(\.(sqlite|postgres))?\.test$/, "");

/** The part of the product that a file belongs to: a domain, a page of the dashboard, or a folder of the second level. */
export function areaOf(file) {
  const depth = /^(server\/domains|app\/dashboard)\/[^/]+\//.test(file) ? 3 : 2;
  return posix.dirname(file).split("/").slice(0, depth).join("/");
}

/** The files of this repository that `text`, the content of `file`, imports: paths without extension. */
function importsOf(file, text) {
  return [...text.matchAll(/\b(?:from|import|mock|importActual)\s*\(?\s*"([@.]+\/[^"]+)"/g)].map(([, target]) =>
    withoutExtension(target.startsWith("@/") ? target.slice(2) : posix.join(posix.dirname(file), target)),
  );
}

/**
 * The tests related to the changed files, each with its nearness: 0 for a changed test, 1 for a test named after a
 * changed file, 2 for one in the same folder, 3 for one that imports a changed file, 4 for the rest of the same area.
 * `textOf` reads a test.
 */
export function relatedTests(changed, tests, textOf) {
  const files = new Set(changed);
  const subjects = new Set(changed.map((file) => posix.join(posix.dirname(file), subjectOf(file))));
  const folders = new Set(changed.map((file) => posix.dirname(file)));
  const modules = new Set(changed.map(withoutExtension));
  const areas = new Set(changed.map(areaOf));
  const isNear = [
    (test) => files.has(test),
    (test) => subjects.has(posix.join(posix.dirname(test), subjectOf(test))),
    (test) => folders.has(posix.dirname(test)),
    (test) => importsOf(test, textOf(test)).some((module) => modules.has(module)),
    (test) => areas.has(areaOf(test)),
  ];
  return tests
    .map((file) => ({ file, nearness: isNear.findIndex((is) => is(file)) }))
    .filter(({ nearness }) => nearness >= 0);
}

/**
 * Divides related tests into those that fit into `seconds`, the nearest and then the quickest first, and the others.
 * `costOf(file, chosen)` says what a test adds to those chosen so far, in seconds. Changed tests always run.
 */
export function withinBound(related, seconds, costOf) {
  const byNearness = related
    .map((test) => ({ ...test, alone: costOf(test.file, []) }))
    .sort((a, b) => a.nearness - b.nearness || a.alone - b.alone);
  const chosen = [];
  const left = [];
  let spent = 0;
  for (const { file, nearness } of byNearness) {
    const cost = costOf(file, chosen);
    const fits = nearness === 0 || spent + cost <= seconds;
    if (fits) spent += cost;
    (fits ? chosen : left).push(file);
  }
  return { chosen, left };
}

/** In seconds: what most test files take that never ran, and the time in which a process loads what they test. */
const assumed = { once: { test: 0.5, load: 1 }, others: { test: 2, load: 5 } };

/**
 * What a test adds to those chosen, in seconds: how long it took (`durations`, ms by project and file), and the time to
 * load the product, unless a test of the same project has loaded it already. `projectOf` has the project of each test.
 */
export function costs(projectOf, durations) {
  return (file, chosen) => {
    const project = projectOf.get(file);
    const isLoaded = !project.endsWith("-apart") && chosen.some((other) => projectOf.get(other) === project);
    const { test, load } = project.startsWith("once-") ? assumed.once : assumed.others;
    const known = durations[`${project} ${file}`];
    return (known === undefined ? test : known / 1000) + (isLoaded ? 0 : load);
  };
}
