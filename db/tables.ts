// The tables of the engine in use. Types are the same for both.
import { postgres, sqlite } from "./columns";
import { dialect } from "./dialect";
import { buildTables } from "./schema/build";

export const tables = buildTables(dialect === "postgres" ? postgres : sqlite);

export const {
  organizations,
  users,
  accounts,
  accountLogos,
  apiKeys,
  customers,
  customerWords,
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
  emailLinks,
  invitations,
  nonces,
  totpFactors,
  recoveryCodes,
  passkeys,
  passkeyChallenges,
  throttles,
  ledgerAccounts,
  journals,
  postings,
  ledgerCheckpoints,
  ledgerCheckpointHeads,
  auditChanges,
  auditEntries,
  auditSealEntries,
  auditSeals,
  events,
  idempotencyKeys,
  jobs,
  mails,
  savedViews,
} = tables;
