// npm run verify:ledger: proves the ledger of DATABASE_URL. Names the first wrong row and exits with 1 if the ledger is
// not sound.
import "@/db/dialect";
import { parseArgs } from "node:util";
import { parseEnv } from "@/server/process/env";
import { loadServerKeys, retiredKeys } from "@/server/process/server-key";
import { proofNote } from "./proof-note";
import { verifyLedger } from "./verify";
import type { Noted } from "./verify/checkpoints";

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { expect: { type: "string" } } });
  const noted = values.expect === undefined ? null : notedCheckpoint(values.expect);
  const env = parseEnv(process.env);
  const keys = { all: loadServerKeys(env).all, retired: retiredKeys(env) };
  const note = proofNote(env);
  const result = await verifyLedger(env.databaseUrl, keys, noted);
  try {
    note({ at: Date.now(), isSound: result.ok });
  } catch (error) {
    console.error(`The result could not be noted for /metrics: ${error instanceof Error ? error.message : error}`);
  }
  if (result.ok) {
    const { ledgerAccounts, postings, journals, transactions, payments, checkpoints } = result.counts;
    console.log(
      `The ledger is sound: ${postings} postings in ${journals} journals over ${ledgerAccounts} ledger accounts, ` +
        `${transactions} transactions, ${payments} payment requests, ${checkpoints} signed checkpoints.`,
    );
    if (result.newest) {
      const { number, signature } = result.newest;
      console.log(`Keep this elsewhere, for the next proof: --expect ${number}:${signature}`);
    }
    return 0;
  }
  const { check, message, ...row } = result.fault;
  console.error(`The ledger is NOT sound (${check}): ${message}`);
  for (const [name, value] of Object.entries(row)) console.error(`  ${name}: ${value}`);
  return 1;
}

/** A checkpoint in the format of the log and of this command. */
function notedCheckpoint(text: string): Noted {
  const [, number, signature] = /^([1-9]\d{0,9}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (!number || !signature) throw new Error("--expect takes a checkpoint's number, a colon, and its signature");
  return { number: BigInt(number), signature };
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    console.error(`The ledger could not be proved: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  },
);
