// Proof of the whole ledger by a reader of its own: it shares no query, no hash and no arithmetic with the writer.
import { proveChains } from "@/server/ledger/verify/chains";
import { proveCheckpoints, type VerificationKeys } from "@/server/ledger/verify/checkpoints";
import { type Fault, LedgerFault } from "@/server/ledger/verify/fault";
import { proveJournals, proveTrialBalance } from "@/server/ledger/verify/journals";
import { openSnapshot } from "@/server/ledger/verify/snapshot-store";
import { proveTransactions } from "@/server/ledger/verify/transactions";
import { proveTriggers } from "@/server/ledger/verify/triggers";

export interface VerifiedCounts {
  ledgerAccounts: number;
  postings: number;
  journals: number;
  transactions: number;
  checkpoints: number;
}

export type Verification = { ok: true; counts: VerifiedCounts } | { ok: false; fault: Fault };

/** Proves the ledger in one consistent snapshot, or names the first wrong row. Throws when the database cannot be read. */
export async function verifyLedger(databaseUrl: string, keys: VerificationKeys): Promise<Verification> {
  const snapshot = await openSnapshot(databaseUrl);
  try {
    const chains = await proveChains(snapshot);
    const journals = await proveJournals(snapshot);
    await proveTrialBalance(snapshot);
    const checkpoints = await proveCheckpoints(snapshot, keys);
    const transactions = await proveTransactions(snapshot);
    await proveTriggers(snapshot);
    return { ok: true, counts: { ...chains, journals, transactions, checkpoints } };
  } catch (error) {
    if (error instanceof LedgerFault) return { ok: false, fault: error.fault };
    throw error;
  } finally {
    await snapshot.close();
  }
}
