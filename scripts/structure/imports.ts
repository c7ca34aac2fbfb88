// Who may import whom: app → server/<domain> → server/kit → db; SQL in stores alone; clients take types only.
import type { Import, Source } from "./source";

/** From the bottom up; a file imports from its own layer or from below. */
const LAYERS: [layer: string, pattern: RegExp][] = [
  ["db", /^db\//],
  ["server/kit", /^server\/kit\//],
  ["server", /^server\//],
  ["app", /^(app\/|proxy|instrumentation)/],
];

const SQL_PACKAGES = /^(drizzle-orm|pg|better-sqlite3)(\/|$)/;
/** Folders below server/ that belong to no domain. */
const NO_DOMAIN = ["kit", "testing"];
/** Plain data, which browser code may load; it imports nothing, so nothing comes along. */
const BROWSER_DATA = ["server/kit/limits"];
/** Building blocks of queries, which stores share. */
const SQL_KIT = ["server/kit/page.ts"];

const isTest = (file: string) => /\.(test|spec)\.tsx?$/.test(file) || file.startsWith("server/testing/");
const domainOf = (file: string) => /^server\/([^/]+)\//.exec(file)?.[1] ?? null;

/** The faults of a file's imports, each with file and line. */
export function faultsOfImports(source: Source): string[] {
  const isClient = /^(\/\/[^\n]*\n|\s)*["']use client["']/.test(source.text);
  return source.imports.flatMap((each) => {
    const reasons = [
      layering(source.file, each),
      foreignStore(source.file, each),
      sqlOutsideStore(source.file, each),
      luciaOutsideSessions(source.file, each),
      isClient ? serverCodeInClient(each) : null,
      importInBrowserData(source.file),
    ];
    return reasons
      .filter((reason) => reason !== null)
      .map((reason) => `${source.file}:${each.line} imports ${each.target}: ${reason}`);
  });
}

const rankOf = (file: string) => LAYERS.findIndex(([, pattern]) => pattern.test(file));

function layering(file: string, { target, isOwn }: Import): string | null {
  const from = rankOf(file);
  if (!isOwn || isTest(file) || from === -1) return null;
  if (/^(scripts|e2e|bench)\//.test(target)) return "the product does not import its tools";
  const to = rankOf(target);
  if (to <= from) return null;
  return `${LAYERS[from]?.[0]} does not know ${LAYERS[to]?.[0]}`;
}

function foreignStore(file: string, { target, isOwn }: Import): string | null {
  const isStore = isOwn && /^server\/[^/]+\/.*\bstore$/.test(target);
  if (!isStore || isTest(file) || domainOf(file) === domainOf(target)) return null;
  // The pipeline writes the records that every operation leaves behind, so it knows their stores.
  if (/^server\/[^/]+\.ts$/.test(file)) return null;
  return "a store belongs to its own domain; use the domain's operations and rules";
}

function sqlOutsideStore(file: string, { target, isOwn, isTypeOnly }: Import): string | null {
  const isSql = isOwn ? target === "db/tables" : SQL_PACKAGES.test(target);
  const isProduct = /^(server|app)\//.test(file);
  if (!isSql || !isProduct || isTypeOnly || isTest(file) || SQL_KIT.includes(file)) return null;
  const isStore = /(^|\/)([a-z-]+-)?store\.ts$/.test(file) && !NO_DOMAIN.includes(domainOf(file) ?? "");
  return isStore ? null : "SQL stands in a domain's store.ts";
}

function luciaOutsideSessions(file: string, { target, isOwn }: Import): string | null {
  if (isOwn || !/^lucia(\/|$)/.test(target) || file.startsWith("server/sessions/")) return null;
  return "only server/sessions knows lucia";
}

function serverCodeInClient({ target, isOwn, isTypeOnly }: Import): string | null {
  const isServerCode = isOwn && /^(server|db)\//.test(target) && !BROWSER_DATA.includes(target);
  return isServerCode && !isTypeOnly ? "a client file takes only types from here" : null;
}

function importInBrowserData(file: string): string | null {
  return BROWSER_DATA.includes(file.replace(/\.ts$/, ""))
    ? "browser code loads this file, so it imports nothing"
    : null;
}
