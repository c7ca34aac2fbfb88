// The tables in SQLite's dialect, for the migration generator.
import { sqlite } from "../columns";
import { buildTables } from "./build";

export const {
  organizations,
  users,
  accounts,
  apiKeys,
  payments,
  paymentWords,
  transactions,
  transactionTags,
  transactionWords,
  sandboxOperations,
  sessions,
  sessionTokens,
  stepUpSums,
  knownDevices,
  passwordResets,
  nonces,
  throttles,
  ledgerAccounts,
  journals,
  postings,
  ledgerCheckpoints,
  ledgerCheckpointHeads,
  auditChanges,
  auditEntries,
  events,
  idempotencyKeys,
  jobs,
  mails,
} = buildTables(sqlite);
