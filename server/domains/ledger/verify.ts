// Proves the whole ledger with an independent reader: it shares no query, hash or arithmetic with the writer.
import { proveChains } from "./verify/chains";
import { type Noted, proveCheckpoints, type VerificationKeys } from "./verify/checkpoints";
import { type Fault, LedgerFault } from "./verify/fault";
import { proveJournals, proveTrialBalance } from "./verify/journals";
import { provePayments } from "./verify/payments";
import { openSnapshot } from "./verify/snapshot-store";
import { proveTransactions } from "./verify/transactions";
import { proveTriggers } from "./verify/triggers";

export interface VerifiedCounts {
  ledgerAccounts: number;
  postings: number;
  journals: number;
  transactions: number;
  payments: number;
  checkpoints: number;
}

type Verification = { ok: true; counts: VerifiedCounts; newest: Noted | null } | { ok: false; fault: Fault };

/**
 * Proves the ledger in one consistent snapshot, or names the first wrong row. `noted` is a checkpoint that must still
 * exist. Throws if the database cannot be read.
 */
export async function verifyLedger(
  databaseUrl: string,
  keys: VerificationKeys,
  noted: Noted | null = null,
): Promise<Verification> {
  const snapshot = await openSnapshot(databaseUrl);
  try {
    const chains = await proveChains(snapshot);
    const journals = await proveJournals(snapshot);
    await proveTrialBalance(snapshot);
    const newest = await proveCheckpoints(snapshot, keys, noted);
    const transactions = await proveTransactions(snapshot);
    const payments = await provePayments(snapshot);
    await proveTriggers(snapshot);
    const checkpoints = Number(newest?.number ?? 0n);
    return { ok: true, counts: { ...chains, journals, transactions, payments, checkpoints }, newest };
  } catch (error) {
    if (error instanceof LedgerFault) return { ok: false, fault: error.fault };
    throw error;
  } finally {
    await snapshot.close();
  }
}
