// Who may import whom: imports go one way, only stores have SQL, and client files import only types from the server.
import { domainOf, faultOfDirection } from "./order";
import type { Import, Source } from "./source";

const sqlPackages = /^(drizzle-orm|pg|better-sqlite3)(\/|$)/;
/** Plain data, which the browser and db/ may load; it imports nothing, so nothing else is loaded with it. */
const plainData = ["server/kit/limits", "server/domains/payments/return-url"];
/** Building blocks of queries, which stores share. */
const sqlKit = ["server/kit/page.ts"];
const storeFile = /(^|\/|-)store$/;

const isTest = (file: string) => /\.(test|spec)\.tsx?$/.test(file);
const isProduct = (file: string) => /^(server|app|db)\//.test(file) && !isTest(file);

/** The faults of a file's imports, each with file and line. */
export function faultsOfImports(source: Source): string[] {
  const computed = isProduct(source.file) ? source.computedImports : [];
  const isClient = /^(\/\/[^\n]*\n|\s)*["']use client["']/.test(source.text);
  const ofImports = source.imports.flatMap((each) => {
    const reasons = [
      direction(source.file, each),
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
  return [...ofImports, ...computed.map((line) => `${source.file}:${line} computes what it imports; name the module`)];
}

function direction(file: string, { target, isOwn }: Import): string | null {
  if (!isOwn) return null;
  if (isProduct(file) && /^(scripts|test|e2e|bench)\//.test(target)) return "the product does not import its tools";
  return plainData.includes(target) ? null : faultOfDirection(file, target);
}

function storeOutsideDomains(file: string, { target, isOwn }: Import): string | null {
  if (!isOwn || domainOf(target) === null || !storeFile.test(target) || isTest(file) || !isProduct(file)) return null;
  return domainOf(file) === null ? "only domains use stores; use the domain's operations and rules" : null;
}

function sqlOutsideStore(file: string, { target, isOwn, isTypeOnly }: Import): string | null {
  const isSql = isOwn ? target === "db/tables" : sqlPackages.test(target);
  if (!isSql || !/^(server|app)\//.test(file) || isTypeOnly || isTest(file) || sqlKit.includes(file)) return null;
  return storeFile.test(file.replace(/\.ts$/, "")) ? null : "SQL belongs in a domain's store.ts";
}

function luciaOutsideSessions(file: string, { target, isOwn }: Import): string | null {
  if (isOwn || !/^lucia(\/|$)/.test(target) || domainOf(file) === "sessions") return null;
  return "only server/domains/sessions imports lucia";
}

function serverCodeInClient({ target, isOwn, isTypeOnly }: Import): string | null {
  const isServerCode = isOwn && /^(server|db)\//.test(target) && !plainData.includes(target);
  return isServerCode && !isTypeOnly ? "a client file takes only types from here" : null;
}

function importInPlainData(file: string): string | null {
  return plainData.includes(file.replace(/\.ts$/, "")) ? "everybody loads this file, so it imports nothing" : null;
}
