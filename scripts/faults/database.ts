// Looks at a server's database from outside: is the file whole, is the ledger sound, what became of each write.
import BetterSqlite from "better-sqlite3";
import { sqlitePath } from "@/db/sqlite";
import { verifyLedger } from "@/server/domains/ledger/verify";
import { openSnapshot } from "@/server/domains/ledger/verify/snapshot-store";
import { parseEnv } from "@/server/process/env";
import { loadServerKeys } from "@/server/process/server-key";

/** The key of every test server: see e2e/server.ts. */
const secretKey = Buffer.alloc(32, 7).toString("base64");
const keys = loadServerKeys(parseEnv({ SECRET_KEY: secretKey }));

/** What is wrong with the database: SQLite's own checks, foreign keys, and the proof of the ledger. */
export async function faultsOfDatabase(url: string): Promise<string[]> {
  const faults = url.startsWith("file:") ? faultsOfFile(sqlitePath(url)) : [];
  // With a damaged file the proof may throw, which would add nothing to these faults.
  if (faults.length > 0) return faults;
  const proof = await verifyLedger(url, keys);
  return proof.ok ? [] : [`ledger: ${proof.fault.check}: ${proof.fault.message}`];
}

function faultsOfFile(path: string): string[] {
  const db = new BetterSqlite(path, { readonly: true });
  try {
    const integrity = db.pragma("integrity_check") as { integrity_check: string }[];
    const broken = db.pragma("foreign_key_check") as { table: string }[];
    return [
      ...integrity.map((row) => row.integrity_check).filter((text) => text !== "ok"),
      ...broken.map(({ table }) => `a row of ${table} refers to nothing`),
    ];
  } catch (error) {
    return [`the file cannot be read: ${error instanceof Error ? error.message : error}`];
  } finally {
    db.close();
  }
}

/** The ids of the transactions with a description, by description. */
export async function transactionsByDescription(url: string): Promise<Map<string, string[]>> {
  const snapshot = await openSnapshot(url);
  try {
    const rows = await snapshot.rows("select id, description from transactions where description is not null");
    const found = new Map<string, string[]>();
    for (const { id, description } of rows) {
      const key = String(description);
      found.set(key, [...(found.get(key) ?? []), String(id)]);
    }
    return found;
  } finally {
    await snapshot.close();
  }
}
