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
  | "append_only";

export interface Fault {
  check: Check;
  ledgerAccountId?: string;
  sequence?: number;
  journalId?: string;
  transactionId?: string;
  paymentId?: string;
  checkpointNumber?: number;
  sealNumber?: number;
  auditEntryId?: string;
  message: string;
}

/** Ends the proof. */
export class LedgerFault extends Error {
  constructor(readonly fault: Fault) {
    super(fault.message);
    this.name = "LedgerFault";
  }
}

/** Ends the proof at this row unless `holds` is true. */
export function expectThat(holds: boolean, row: Omit<Fault, "message">, message: string): asserts holds {
  if (!holds) throw new LedgerFault({ ...row, message });
}
