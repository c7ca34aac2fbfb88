// Who may import whom: layers from db up to app, SQL in stores alone, types alone for clients.
import type { Import, Source } from "./source";

/** From the bottom up; a file imports from its own layer or from below. Tests obey too, but may use test support. */
const LAYERS: [layer: string, pattern: RegExp][] = [
  ["db", /^db\//],
  ["the machinery of server/", /^server\/(kit|process|secrets|fairness)\//],
  ["server/access", /^server\/access\//],
  ["server/domains", /^server\/domains\//],
  ["server/pipeline", /^server\/pipeline\//],
  ["server/background", /^server\/background\//],
  ["server/http and server/hosted", /^server\/(http|hosted)\//],
  ["the entry programs", /^server\/[^/]+$/],
  ["app", /^(app\/|proxy|instrumentation)/],
];

const SQL_PACKAGES = /^(drizzle-orm|pg|better-sqlite3)(\/|$)/;
/** Plain data, which the browser and db/ may load; it imports nothing, so nothing comes along. */
const PLAIN_DATA = ["server/kit/limits"];
/** Building blocks of queries, which stores share. */
const SQL_KIT = ["server/kit/page.ts"];
const STORE = /(^|\/|-)store$/;

const isTest = (file: string) => /\.(test|spec)\.tsx?$/.test(file);
const isProduct = (file: string) => /^(server|app|db)\//.test(file) && !isTest(file);
const domainOf = (file: string) => /^server\/domains\/([^/]+)\//.exec(file)?.[1] ?? null;

/** The faults of a file's imports, each with file and line. */
export function faultsOfImports(source: Source): string[] {
  const isClient = /^(\/\/[^\n]*\n|\s)*["']use client["']/.test(source.text);
  return source.imports.flatMap((each) => {
    const reasons = [
      layering(source.file, each),
      storeOutsideDomains(source.file, each),
      sqlOutsideStore(source.file, each),
      luciaOutsideSessions(source.file, each),
      isClient ? serverCodeInClient(each) : null,
      importInPlainData(source.file),
    ];
    return reasons
      .filter((reason) => reason !== null)
      .map((reason) => `${source.file}:${each.line} imports ${each.target}: ${reason}`);
  });
}

const rankOf = (file: string) => LAYERS.findIndex(([, pattern]) => pattern.test(file));

function layering(file: string, { target, isOwn }: Import): string | null {
  if (!isOwn) return null;
  if (isProduct(file) && /^(scripts|test|e2e|bench)\//.test(target)) return "the product does not import its tools";
  const from = rankOf(file);
  const to = rankOf(target);
  if (from === -1 || to <= from || PLAIN_DATA.includes(target)) return null;
  return `${LAYERS[from]?.[0]} does not know ${LAYERS[to]?.[0]}`;
}

function storeOutsideDomains(file: string, { target, isOwn }: Import): string | null {
  if (!isOwn || domainOf(target) === null || !STORE.test(target) || isTest(file) || !isProduct(file)) return null;
  return domainOf(file) === null ? "only domains use stores; use the domain's operations and rules" : null;
}

function sqlOutsideStore(file: string, { target, isOwn, isTypeOnly }: Import): string | null {
  const isSql = isOwn ? target === "db/tables" : SQL_PACKAGES.test(target);
  if (!isSql || !/^(server|app)\//.test(file) || isTypeOnly || isTest(file) || SQL_KIT.includes(file)) return null;
  return STORE.test(file.replace(/\.ts$/, "")) ? null : "SQL belongs in a domain's store.ts";
}

function luciaOutsideSessions(file: string, { target, isOwn }: Import): string | null {
  if (isOwn || !/^lucia(\/|$)/.test(target) || domainOf(file) === "sessions") return null;
  return "only server/domains/sessions knows lucia";
}

function serverCodeInClient({ target, isOwn, isTypeOnly }: Import): string | null {
  const isServerCode = isOwn && /^(server|db)\//.test(target) && !PLAIN_DATA.includes(target);
  return isServerCode && !isTypeOnly ? "a client file takes only types from here" : null;
}

function importInPlainData(file: string): string | null {
  return PLAIN_DATA.includes(file.replace(/\.ts$/, "")) ? "everybody loads this file, so it imports nothing" : null;
}
