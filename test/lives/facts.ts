// Everything that the database says about an organization's money, read in a few queries while nothing else runs.
import { and, asc, eq, getTableColumns, inArray, or, type SQL } from "drizzle-orm";
import type { Reader } from "@/db/client";
import { slot } from "@/db/prepared";
import {
  accounts,
  auditEntries,
  cardLinks,
  creditNotes,
  creditNoteVoids,
  customerCredits,
  customerCreditUses,
  customers,
  events,
  jobs,
  journals,
  ledgerAccounts,
  mails,
  payments,
  postings,
  sandboxClocks,
  sandboxOperations,
  sessions,
  storedMethods,
  subscriptionCycles,
  subscriptions,
  transactions,
  users,
} from "@/db/tables";
import type { PaymentRow } from "@/server/domains/payments/store";
import type { TransactionRow } from "@/server/domains/transactions/present";
import type { World } from "../world";
import { remindersWhere } from "./reminding";
import { isOnPage, type MethodRow, withoutMoney } from "./stored-cards";
import { endMailsWhere } from "./telling";
import { preparedTogether } from "./together";

export type EventRow = typeof events.$inferSelect;
type ChargeRow = typeof sandboxOperations.$inferSelect;

/** A line of a journal, with its journal and its ledger account. */
export type Line = Awaited<ReturnType<typeof linesWhere>>[number];

/** The facts about payment requests and transactions. */
export interface MoneyFacts {
  /** The time of reading by the organization's clock, epoch ms. */
  now: number;
  payments: PaymentRow[];
  /** Oldest first. */
  transactions: TransactionRow[];
  events: EventRow[];
  lines: Line[];
  credits: (typeof customerCredits.$inferSelect)[];
  creditUses: (typeof customerCreditUses.$inferSelect)[];
  /** What the provider knows about its charges and refunds, and about the cards that it stored without money. */
  charges: ChargeRow[];
  /** Attempts to store a card without money, and cards that were stored by a charge. Oldest first. */
  methods: MethodRow[];
}

/** All facts about an organization. */
export interface Facts extends MoneyFacts {
  accounts: (typeof accounts.$inferSelect)[];
  users: (typeof users.$inferSelect)[];
  sessions: Pick<typeof sessions.$inferSelect, "id" | "userId" | "status">[];
  ledgerAccounts: (typeof ledgerAccounts.$inferSelect)[];
  /** Ids of transactions whose money was flagged as late: it moved on a closed account. */
  late: Set<string>;
  jobs: (typeof jobs.$inferSelect)[];
  reminders: Awaited<ReturnType<typeof remindersWhere>>;
  creditNotes: Awaited<ReturnType<typeof creditNotesWhere>>;
  subscriptions: (typeof subscriptions.$inferSelect)[];
  /** Mails that say that a subscription has ended. */
  endMails: Awaited<ReturnType<typeof endMailsWhere>>;
  /** In the order of their periods. */
  cycles: (typeof subscriptionCycles.$inferSelect)[];
  cardLinks: (typeof cardLinks.$inferSelect)[];
  customers: (typeof customers.$inferSelect)[];
  /** How far the organization's clock is ahead of real time (ms), and whether it is being moved: acts are left then. */
  offsetMs: number;
  isMoving: boolean;
}

const linesWhere = (q: Reader, where: SQL) =>
  q
    .select({
      journalId: journals.id,
      transactionId: journals.sourceId,
      event: journals.event,
      ledgerAccountId: postings.ledgerAccountId,
      accountId: ledgerAccounts.accountId,
      forAccountId: ledgerAccounts.forAccountId,
      name: ledgerAccounts.name,
      currency: ledgerAccounts.currency,
      sequence: postings.sequence,
      side: postings.side,
      amount: postings.amount,
      balanceAfter: postings.balanceAfter,
    })
    .from(journals)
    .innerJoin(transactions, eq(transactions.id, journals.transactionId))
    .innerJoin(postings, eq(postings.journalId, journals.id))
    .innerJoin(ledgerAccounts, eq(ledgerAccounts.id, postings.ledgerAccountId))
    .where(where)
    .orderBy(asc(postings.ledgerAccountId), asc(postings.sequence));

const transactionsWhere = (q: Reader, where: SQL) =>
  q.select().from(transactions).where(where).orderBy(asc(transactions.createdAt), asc(transactions.id));

const chargesWhere = (q: Reader, where: SQL) =>
  q
    .select(getTableColumns(sandboxOperations))
    .from(sandboxOperations)
    .innerJoin(transactions, eq(transactions.id, sandboxOperations.idempotencyKey))
    .where(where);

/** What the provider knows about the attempts to store a card without money. */
const storingWhere = (q: Reader, where: SQL) =>
  q
    .select(getTableColumns(sandboxOperations))
    .from(sandboxOperations)
    .innerJoin(storedMethods, eq(storedMethods.id, sandboxOperations.idempotencyKey))
    .where(where);

const methodsWhere = (q: Reader, where: SQL) =>
  q.select().from(storedMethods).where(where).orderBy(asc(storedMethods.createdAt), asc(storedMethods.id));

const creditsWhere = (q: Reader, where: SQL) =>
  q
    .select(getTableColumns(customerCredits))
    .from(customerCredits)
    .innerJoin(transactions, eq(transactions.id, customerCredits.id))
    .where(where);

const usesWhere = (q: Reader, where: SQL) =>
  q
    .select(getTableColumns(customerCreditUses))
    .from(customerCreditUses)
    .innerJoin(transactions, eq(transactions.id, customerCreditUses.transactionId))
    .where(where);

const creditNotesWhere = (q: Reader, where: SQL) =>
  q
    .select({ ...getTableColumns(creditNotes), voidedAt: creditNoteVoids.createdAt })
    .from(creditNotes)
    .leftJoin(creditNoteVoids, eq(creditNoteVoids.creditNoteId, creditNotes.id))
    .where(where);

const id = slot("id");
const ofRequest = eq(transactions.paymentId, id);
const ofOrganization = eq(transactions.organizationId, id);

/** Prepared, because a life reads them thousands of times. */
const readMoney = preparedTogether("test.money", {
  payments: (q) => q.select().from(payments).where(eq(payments.id, id)),
  transactions: (q) => transactionsWhere(q, ofRequest),
  lines: (q) => linesWhere(q, ofRequest),
  charges: (q) => chargesWhere(q, ofRequest),
  storing: (q) => storingWhere(q, eq(storedMethods.paymentId, id)),
  methods: (q) => methodsWhere(q, eq(storedMethods.paymentId, id)),
  credits: (q) => creditsWhere(q, ofRequest),
  creditUses: (q) => usesWhere(q, ofRequest),
  events: (q) => {
    const own = q.select({ id: transactions.id }).from(transactions).where(ofRequest);
    const mine = or(eq(events.objectId, id), inArray(events.objectId, own));
    return q.select().from(events).where(mine).orderBy(asc(events.objectId), asc(events.sequence));
  },
});

const readAll = preparedTogether("test.facts", {
  payments: (q) => q.select().from(payments).where(eq(payments.organizationId, id)).orderBy(asc(payments.id)),
  transactions: (q) => transactionsWhere(q, ofOrganization),
  lines: (q) => linesWhere(q, ofOrganization),
  charges: (q) => chargesWhere(q, ofOrganization),
  storing: (q) => storingWhere(q, eq(storedMethods.organizationId, id)),
  methods: (q) => methodsWhere(q, eq(storedMethods.organizationId, id)),
  credits: (q) => creditsWhere(q, ofOrganization),
  creditUses: (q) => usesWhere(q, ofOrganization),
  events: (q) =>
    q.select().from(events).where(eq(events.organizationId, id)).orderBy(asc(events.objectId), asc(events.sequence)),
  accounts: (q) => q.select().from(accounts).where(eq(accounts.organizationId, id)),
  users: (q) => q.select().from(users).where(eq(users.organizationId, id)),
  sessions: (q) =>
    q
      .select({ id: sessions.id, userId: sessions.userId, status: sessions.status })
      .from(sessions)
      .where(eq(sessions.organizationId, id)),
  ledgerAccounts: (q) => q.select().from(ledgerAccounts).where(eq(ledgerAccounts.organizationId, id)),
  jobs: (q) => q.select().from(jobs).where(eq(jobs.organizationId, id)),
  reminders: (q) => remindersWhere(q, eq(payments.organizationId, id)),
  creditNotes: (q) => creditNotesWhere(q, eq(creditNotes.organizationId, id)),
  endMails: (q) => endMailsWhere(q, eq(mails.organizationId, id)),
  subscriptions: (q) =>
    q.select().from(subscriptions).where(eq(subscriptions.organizationId, id)).orderBy(asc(subscriptions.id)),
  cycles: (q) =>
    q
      .select()
      .from(subscriptionCycles)
      .where(eq(subscriptionCycles.organizationId, id))
      .orderBy(asc(subscriptionCycles.cycle)),
  cardLinks: (q) =>
    q
      .select(getTableColumns(cardLinks))
      .from(cardLinks)
      .innerJoin(subscriptions, eq(subscriptions.id, cardLinks.subscriptionId))
      .where(eq(subscriptions.organizationId, id)),
  customers: (q) => q.select().from(customers).where(eq(customers.organizationId, id)),
  clocks: (q) => q.select().from(sandboxClocks).where(eq(sandboxClocks.organizationId, id)),
  audited: (q) =>
    q
      .select({ target: auditEntries.targetId, detail: auditEntries.detail })
      .from(auditEntries)
      .where(and(eq(auditEntries.organizationId, id), inArray(auditEntries.targetId, ownTransactions(q)))),
});

const ownTransactions = (q: Reader) => q.select({ id: transactions.id }).from(transactions).where(ofOrganization);

type Timed = Pick<World, "runtime" | "clock">;

/** The facts about one payment request. Throws for an unknown id. */
export async function readOne({ runtime, clock }: Timed, paymentId: string): Promise<MoneyFacts> {
  const { storing, charges, ...found } = await readMoney(runtime.db.read, { id: paymentId });
  if (found.payments.length === 0) throw new Error(`No payment request ${paymentId}.`);
  return { now: clock.now(), ...found, charges: [...charges, ...storing] };
}

/** All facts about an organization. */
export async function readFacts({ runtime, clock }: Timed, organizationId: string): Promise<Facts> {
  const { audited, clocks, storing, charges, ...found } = await readAll(runtime.db.read, { id: organizationId });
  const { offsetMs, isRunning: isMoving } = clocks[0] ?? { offsetMs: 0, isRunning: false };
  const late = new Set(audited.filter(({ detail }) => detail.late === true).map(({ target }) => target ?? ""));
  return { now: clock.now() + offsetMs, offsetMs, isMoving, late, ...found, charges: [...charges, ...storing] };
}

/** The payments that count towards a payment request, oldest first. The page of a trial stores cards without money. */
export const paymentsOf = ({ transactions: rows, methods }: MoneyFacts, paymentId: string): TransactionRow[] => [
  ...rows.filter((row) => row.paymentId === paymentId && row.type === "payment"),
  ...methods.filter((row) => row.paymentId === paymentId && isOnPage(row)).map(withoutMoney),
];

export const refundsOf = ({ transactions: rows }: MoneyFacts, parentId: string): TransactionRow[] =>
  rows.filter((row) => row.parentTransactionId === parentId);

/** The credit that was made of a payment. */
export const creditMadeOf = ({ credits }: MoneyFacts, paymentId: string) =>
  credits.find(({ id: of }) => of === paymentId);

/** Minor units that a refund took of the credit that was made of its payment. */
export const takenBackBy = ({ creditUses }: MoneyFacts, refundId: string): number =>
  creditUses.find((use) => use.transactionId === refundId && use.kind === "taken_back")?.amount ?? 0;
