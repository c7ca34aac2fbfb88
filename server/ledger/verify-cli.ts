// npm run verify:ledger: proves the ledger of DATABASE_URL and says so; exit code 1 with the first wrong row if it is not sound.
import "@/db/dialect";
import { parseEnv } from "@/server/kit/env";
import { loadServerKeys } from "@/server/kit/server-key";
import { verifyLedger } from "@/server/ledger/verify";

async function main(): Promise<number> {
  const env = parseEnv(process.env);
  const result = await verifyLedger(env.databaseUrl, loadServerKeys(env).all);
  if (result.ok) {
    const { ledgerAccounts, postings, journals, transactions, checkpoints } = result.counts;
    console.log(
      `The ledger is sound: ${postings} postings in ${journals} journals over ${ledgerAccounts} ledger accounts, ` +
        `${transactions} transactions, ${checkpoints} signed checkpoints.`,
    );
    return 0;
  }
  const { check, message, ...row } = result.fault;
  console.error(`The ledger is NOT sound (${check}): ${message}`);
  for (const [name, value] of Object.entries(row)) console.error(`  ${name}: ${value}`);
  return 1;
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    console.error(`The ledger could not be read: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  },
);
