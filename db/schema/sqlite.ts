// The tables in Sqlite's words, for the tool that generates its migrations.
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
  auditEntries,
  events,
  idempotencyKeys,
  jobs,
} = buildTables(sqlite);
