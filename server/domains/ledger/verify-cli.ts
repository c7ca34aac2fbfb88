// npm run verify:ledger: proves the ledger of DATABASE_URL. Names the first wrong row and exits with 1 if the ledger is
// not sound.
import "@/db/dialect";
import { parseArgs } from "node:util";
import { parseEnv } from "@/server/process/env";
import { existingServerKeys } from "@/server/process/server-key";
import { proofNote } from "./proof-note";
import { verifyLedger } from "./verify";
import type { Noted } from "./verify/checkpoints";

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { expect: { type: "string" }, "expect-seal": { type: "string" } } });
  const noted = { checkpoint: notedOf("expect", values.expect), seal: notedOf("expect-seal", values["expect-seal"]) };
  const env = parseEnv(process.env);
  const keys = existingServerKeys(env);
  const note = proofNote(env);
  const result = await verifyLedger(env.databaseUrl, keys, { ...noted, isInUse: true });
  try {
    note(Date.now(), result.results, result.ok ? result.counts : undefined);
  } catch (error) {
    console.error(`The result could not be noted for /metrics: ${error instanceof Error ? error.message : error}`);
  }
  if (result.ok) {
    const { ledgerAccounts, postings, journals, transactions, payments, checkpoints, sealedEntries } = result.counts;
    console.log(
      `The ledger is sound: ${postings} postings in ${journals} journals over ${ledgerAccounts} ledger accounts, ` +
        `${transactions} transactions, ${payments} payment requests, ${checkpoints} signed checkpoints, ` +
        `${sealedEntries} sealed audit entries.`,
    );
    if (env.lostKeys.length > 0) console.log(`What lost keys signed was not checked: ${env.lostKeys.join(", ")}.`);
    const { checkpoint, seal } = result.newest;
    const options = [asOption("expect", checkpoint), asOption("expect-seal", seal)].filter((option) => option !== "");
    if (options.length > 0) console.log(`Keep this elsewhere, for the next proof: ${options.join(" ")}`);
    return 0;
  }
  const { check, message, ...row } = result.fault;
  console.error(`The ledger is NOT sound (${check}): ${message}`);
  for (const [name, value] of Object.entries(row)) console.error(`  ${name}: ${value}`);
  return 1;
}

/** A checkpoint or a seal in the format of the log and of this command; null if none is given. */
function notedOf(option: string, text: string | undefined): Noted | null {
  if (text === undefined) return null;
  const [, number, signature] = /^([1-9]\d{0,9}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (!number || !signature) throw new Error(`--${option} takes a number, a colon, and a signature`);
  return { number: BigInt(number), signature };
}

const asOption = (option: string, noted: Noted | null): string =>
  noted ? `--${option} ${noted.number}:${noted.signature}` : "";

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    console.error(`The ledger could not be proved: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  },
);
