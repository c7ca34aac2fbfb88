// The first wrong row that the proof found.

export type Check =
  | "chain"
  | "ledger_account"
  | "journal"
  | "trial_balance"
  | "checkpoint"
  | "seal"
  | "audit_entry"
  | "transaction"
  | "payment"
  | "credit"
  | "invoice"
  | "credit_note"
  | "subscription"
  | "append_only";

export interface Fault {
  check: Check;
  ledgerAccountId?: string;
  sequence?: number;
  journalId?: string;
  transactionId?: string;
  paymentId?: string;
  subscriptionId?: string;
  checkpointNumber?: number;
  sealNumber?: number;
  auditEntryId?: string;
  message: string;
}

/**
 * What a proof is about. `rows`: that the rows agree with each other and are signed. `sealing`: that the audit log of a
 * database in use is still being sealed. `checkpoint` and `seal`: that one recorded outside the database exists.
 */
export const proofKinds = ["rows", "sealing", "checkpoint", "seal"] as const;
export type ProofKind = (typeof proofKinds)[number];

/** Ends the proof. */
export class LedgerFault extends Error {
  constructor(
    readonly fault: Fault,
    readonly kind: ProofKind,
  ) {
    super(fault.message);
    this.name = "LedgerFault";
  }
}

type Row = Omit<Fault, "message">;

/** Ends the proof at this row unless `holds` is true. */
export function expectThat(holds: boolean, row: Row, message: string): asserts holds {
  expectOf("rows", holds, { ...row, message });
}

/** Ends the proof with this fault, found by a proof of the kind, unless `holds` is true. */
export function expectOf(kind: ProofKind, holds: boolean, fault: Fault): asserts holds {
  if (!holds) throw new LedgerFault(fault, kind);
}
