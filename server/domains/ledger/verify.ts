// Proves ledger and audit log with an independent reader, which shares no query, hash or arithmetic with the writer.
import { proveAuditChanges } from "./verify/audit-changes";
import { proveChains } from "./verify/chains";
import { type Noted, proveCheckpoints } from "./verify/checkpoints";
import { proveCreditNotes } from "./verify/credit-notes";
import { proveCredits } from "./verify/credits";
import { type Fault, LedgerFault, type ProofKind } from "./verify/fault";
import { proveInvoices } from "./verify/invoices";
import { proveJournals, proveTrialBalance } from "./verify/journals";
import { provePayments } from "./verify/payments";
import { proveSealing, proveSeals } from "./verify/seals";
import type { VerificationKeys } from "./verify/signers";
import { openSnapshot } from "./verify/snapshot-store";
import { proveSubscriptions } from "./verify/subscriptions";
import { proveTransactions } from "./verify/transactions";
import { proveTriggers } from "./verify/triggers";

export interface VerifiedCounts {
  ledgerAccounts: number;
  postings: number;
  journals: number;
  transactions: number;
  payments: number;
  checkpoints: number;
  sealedEntries: number;
}

/** The latest checkpoint and the latest seal. */
export interface Newest {
  checkpoint: Noted | null;
  seal: Noted | null;
}

/** Whether the ledger passed a proof, for each kind that was finished. */
export type ProofResults = Partial<Record<ProofKind, boolean>>;

type Verification = { results: ProofResults } & (
  | { ok: true; counts: VerifiedCounts; newest: Newest }
  | { ok: false; fault: Fault }
);

interface Expected extends Partial<Newest> {
  /** Whether the database is in use, so that its audit entries must be sealed within a day. */
  isInUse?: boolean;
}

/**
 * Proves the ledger and the audit log in one consistent snapshot, or names the first wrong row. `expected` may name a
 * checkpoint and a seal that must still exist. Throws if the database cannot be read.
 */
export async function verifyLedger(
  databaseUrl: string,
  keys: VerificationKeys,
  expected: Expected = {},
): Promise<Verification> {
  const snapshot = await openSnapshot(databaseUrl);
  try {
    const chains = await proveChains(snapshot);
    const journals = await proveJournals(snapshot);
    await proveTrialBalance(snapshot);
    const checkpoint = await proveCheckpoints(snapshot, keys, expected.checkpoint ?? null);
    const transactions = await proveTransactions(snapshot);
    const payments = await provePayments(snapshot);
    await proveCredits(snapshot);
    await proveInvoices(snapshot);
    await proveCreditNotes(snapshot);
    await proveSubscriptions(snapshot);
    const seals = await proveSeals(snapshot, keys, expected.seal ?? null);
    if (expected.isInUse) await proveSealing(snapshot);
    await proveAuditChanges(snapshot);
    await proveTriggers(snapshot);
    const signed = { checkpoints: Number(checkpoint?.number ?? 0n), sealedEntries: seals.entries };
    const counts = { ...chains, journals, transactions, payments, ...signed };
    return { ok: true, results: passed(expected), counts, newest: { checkpoint, seal: seals.newest } };
  } catch (error) {
    if (error instanceof LedgerFault) return { ok: false, results: { [error.kind]: false }, fault: error.fault };
    throw error;
  } finally {
    await snapshot.close();
  }
}

const passed = ({ isInUse, checkpoint, seal }: Expected): ProofResults => ({
  rows: true,
  ...(isInUse && { sealing: true }),
  ...(checkpoint && { checkpoint: true }),
  ...(seal && { seal: true }),
});
