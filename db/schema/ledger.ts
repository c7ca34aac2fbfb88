// Tables of the double-entry ledger: accounts with their current balance, journals, postings, signed checkpoints.
import { sql } from "drizzle-orm";
import type { Columns } from "../columns";
import { inList, isAmount, isCurrency } from "./checks";
import type { identityTables } from "./identity";
import type { transactionTables } from "./transactions";
import { sides } from "./values";

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
      /**
       * The organization's own ledger accounts are split into one part for each account: the account of this part. Null
       * in rows from before the split.
       */
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
      createdAt: k.instant("created_at").notNull(),
    },
    (t) => [
      k.index("ledger_accounts_account").on(t.accountId, t.currency),
      k.index("ledger_accounts_organization").on(t.organizationId, t.currency),
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
      transactionId: k
        .text("transaction_id")
        .notNull()
        .references(() => transactions.id),
      /** The event that was posted: `payment_captured`, `refund_created`, … */
      event: k.text("event").notNull(),
      reversesJournalId: k.text("reverses_journal_id"),
      createdAt: k.instant("created_at").notNull(),
    },
    (t) => [
      k.uniqueIndex("journals_reverses").on(t.reversesJournalId).where(sql`${t.reversesJournalId} is not null`),
      k.index("journals_transaction").on(t.transactionId),
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
      previousHash: k.text("previous_hash").notNull(),
      hash: k.text("hash").notNull(),
    },
    (t) => [
      k.primaryKey({ columns: [t.ledgerAccountId, t.sequence] }),
      k.index("postings_journal").on(t.journalId),
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
