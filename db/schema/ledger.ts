// Tables of the double-entry ledger: accounts with their current balance, journals, postings, signed checkpoints.
import { sql } from "drizzle-orm";
import type { Columns } from "../columns";
import { inList, isAmount, isCurrency } from "./checks";
import type { identityTables } from "./identity";
import type { transactionTables } from "./transactions";
import { entryKinds, journalSources, sides } from "./values";

export function ledgerTables(
  k: Columns,
  { organizations, accounts }: ReturnType<typeof identityTables>,
  { transactions }: ReturnType<typeof transactionTables>,
) {
  const ledgerAccounts = k.table(
    "ledger_accounts",
    {
      /** `{owner}:{name}:{currency}`, with `:live` for real money; see `ledgerAccountId`. */
      id: k.text("id").primaryKey(),
      organizationId: k
        .text("organization_id")
        .notNull()
        .references(() => organizations.id),
      accountId: k.text("account_id").references(() => accounts.id),
      /** The organization's own ledger accounts are split into one part for each account: the account of this part. */
      forAccountId: k.text("for_account_id").references(() => accounts.id),
      livemode: k.boolean("livemode").notNull().default(false),
      name: k.text("name").notNull(),
      currency: k.text("currency").notNull(),
      normalSide: k.oneOf("normal_side", [...sides]).notNull(),
      /** Signed, positive on the normal side; equals the sum of the postings. */
      balance: k.money("balance").notNull(),
      /** Number and hash of the latest posting. */
      sequence: k.integer("sequence").notNull(),
      headHash: k.text("head_hash").notNull(),
      /** `booked_at` of the latest posting; 0 before the first. */
      bookedAt: k.instant("booked_at").notNull(),
      createdAt: k.instant("created_at").notNull(),
    },
    (t) => [
      k.index("ledger_accounts_account").on(t.accountId, t.currency),
      k.index("ledger_accounts_organization").on(t.organizationId, t.currency),
      k.check("ledger_accounts_owner", sql`(${t.accountId} is null) <> (${t.forAccountId} is null)`),
      k.check("ledger_accounts_side", inList(t.normalSide, sides)),
      k.check("ledger_accounts_currency", isCurrency(t.currency)),
      k.check("ledger_accounts_balance", sql`${t.balance} between -9007199254740991 and 9007199254740991`),
    ],
  );

  const journals = k.table(
    "journals",
    {
      id: k.text("id").primaryKey(),
      organizationId: k
        .text("organization_id")
        .notNull()
        .references(() => organizations.id),
      /** What the journal tells about, and its id. */
      sourceKind: k.oneOf("source_kind", [...journalSources]).notNull(),
      sourceId: k.text("source_id").notNull(),
      /** The transaction whose money moves: the source, if it is one. */
      transactionId: k.text("transaction_id").references(() => transactions.id),
      /** The event that was posted: `payment_captured`, `refund_created`, … */
      event: k.text("event").notNull(),
      reversesJournalId: k.text("reverses_journal_id"),
      /** The organization's time when it was posted, never before the latest posting of the same ledger accounts. */
      bookedAt: k.instant("booked_at").notNull(),
      /** When the money moved. */
      valueAt: k.instant("value_at").notNull(),
      /** The real time when it was posted. */
      createdAt: k.instant("created_at").notNull(),
    },
    (t) => [
      k.uniqueIndex("journals_reverses").on(t.reversesJournalId).where(sql`${t.reversesJournalId} is not null`),
      k.index("journals_transaction").on(t.transactionId),
      k.check("journals_source_kind", inList(t.sourceKind, journalSources)),
      k.check(
        "journals_source",
        sql`${t.sourceKind} <> 'transaction' or (${t.transactionId} is not null and ${t.transactionId} = ${t.sourceId})`,
      ),
    ],
  );

  const postings = k.table(
    "postings",
    {
      ledgerAccountId: k
        .text("ledger_account_id")
        .notNull()
        .references(() => ledgerAccounts.id),
      sequence: k.integer("sequence").notNull(),
      journalId: k
        .text("journal_id")
        .notNull()
        .references(() => journals.id),
      side: k.oneOf("side", [...sides]).notNull(),
      amount: k.money("amount").notNull(),
      currency: k.text("currency").notNull(),
      balanceAfter: k.money("balance_after").notNull(),
      /** Repeated from the journal and the ledger account, for lists of entries: whose, of which kind, and when. */
      organizationId: k.text("organization_id").notNull(),
      /** Null in a line that is neither an account's nor its customers'. */
      accountId: k.text("account_id"),
      kind: k.oneOf("kind", [...entryKinds]),
      bookedAt: k.instant("booked_at").notNull(),
      previousHash: k.text("previous_hash").notNull(),
      hash: k.text("hash").notNull(),
    },
    (t) => [
      k.primaryKey({ columns: [t.ledgerAccountId, t.sequence] }),
      k.index("postings_journal").on(t.journalId),
      k
        .index("postings_organization")
        .on(t.organizationId, t.bookedAt, t.sequence, t.ledgerAccountId)
        .where(sql`${t.kind} is not null`),
      k
        .index("postings_account")
        .on(t.accountId, t.bookedAt, t.sequence, t.ledgerAccountId)
        .where(sql`${t.kind} is not null`),
      k.check("postings_kind", inList(t.kind, entryKinds)),
      k.check("postings_side", inList(t.side, sides)),
      k.check("postings_amount", isAmount(t.amount)),
      k.check("postings_currency", isCurrency(t.currency)),
    ],
  );

  /** A signed statement of the head of every chain. Each checkpoint covers what changed since the previous one. */
  const ledgerCheckpoints = k.table(
    "ledger_checkpoints",
    {
      number: k.integer("number").primaryKey(),
      createdAt: k.instant("created_at").notNull(),
      headCount: k.integer("head_count").notNull(),
      keyId: k.text("key_id").notNull(),
      signature: k.text("signature").notNull(),
    },
    () => [],
  );

  const ledgerCheckpointHeads = k.table(
    "ledger_checkpoint_heads",
    {
      checkpointNumber: k
        .integer("checkpoint_number")
        .notNull()
        .references(() => ledgerCheckpoints.number),
      ledgerAccountId: k
        .text("ledger_account_id")
        .notNull()
        .references(() => ledgerAccounts.id),
      sequence: k.integer("sequence").notNull(),
      hash: k.text("hash").notNull(),
    },
    (t) => [
      k.primaryKey({ columns: [t.checkpointNumber, t.ledgerAccountId] }),
      k.index("ledger_checkpoint_heads_account").on(t.ledgerAccountId, t.sequence),
    ],
  );

  return { ledgerAccounts, journals, postings, ledgerCheckpoints, ledgerCheckpointHeads };
}
