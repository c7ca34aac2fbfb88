// What must hold for an organization's books: balances, chains, closed accounts, jobs, and what a step may change.
import { checkCreditNotes } from "./credit-notes";
import { type Facts, type Line, paymentsOf } from "./facts";
import { changeOf } from "./money";
import { checkNumbers } from "./numbers";
import { checkOverdue } from "./overdue";
import { checkReminders } from "./reminding";
import * as spec from "./spec";
import { checkTold } from "./telling";
import { must, mustEqual } from "./violation";

/**
 * Throws a Violation unless all invariants of the organization's ledger hold, and what was posted before is unchanged.
 */
export function checkBooks(facts: Facts, before: Facts): void {
  checkBalances(facts);
  checkTrialBalance(facts);
  checkCredit(facts);
  checkAppendOnly(facts, before);
  checkClosedAccounts(facts, before);
  checkCanceled(facts, before);
  checkJobs(facts);
  checkReminders(facts);
  checkTold(facts);
  checkOverdue(facts);
  checkNumbers(facts.payments);
  checkCreditNotes(facts);
}

/** Invariants 3, 15 and 17: each balance is the sum of its lines, now and after each of them. */
function checkBalances({ ledgerAccounts, lines }: Facts): void {
  const ends = new Map<string, { sequence: number; balance: number }>();
  const starts = new Map<string, number>();
  for (const line of lines) {
    const end = ends.get(line.ledgerAccountId) ?? { sequence: 0, balance: 0 };
    const next = { sequence: end.sequence + 1, balance: end.balance + changeOf(line) };
    const found = { sequence: line.sequence, balance: line.balanceAfter };
    mustEqual(found, next, "3", `${line.ledgerAccountId} after line ${line.sequence}`);
    const isOwn = line.accountId !== null || line.name.startsWith("cust:");
    const journal = `${line.journalId} ${line.ledgerAccountId}`;
    if (!starts.has(journal)) starts.set(journal, end.balance);
    // Only a dispute takes back what was spent. What comes in then may leave it below zero.
    const isTakenBack = line.name === "available" && line.event === "dispute_opened";
    const isSound = isTakenBack || next.balance >= Math.min(0, starts.get(journal) ?? 0);
    must(!isOwn || isSound, "15", `${line.ledgerAccountId} fell to ${next.balance}`);
    ends.set(line.ledgerAccountId, next);
  }
  for (const { id, balance, sequence, currency } of ledgerAccounts) {
    mustEqual({ sequence, balance }, ends.get(id) ?? { sequence: 0, balance: 0 }, "3", `${id} balance`);
    must(id.includes(`:${currency}`), "17", `${id} has lines in ${currency}`);
  }
}

/** Invariants 2 and 16. */
function checkTrialBalance({ ledgerAccounts }: Facts): void {
  for (const currency of new Set(ledgerAccounts.map((one) => one.currency))) {
    const sum = (names: RegExp) =>
      ledgerAccounts.reduce((total, one) => {
        const counts = one.currency === currency && names.test(one.name);
        return counts ? total + one.balance : total;
      }, 0);
    mustEqual(sum(/^memo:auth_open$/), sum(/^memo:auth_contra$/), "2", `${currency} holds and their contra account`);
    const owed = sum(/^(available|held|refund_pending|suspense:adjust|cust:.*:credit)$/) - sum(/^expense:goodwill$/);
    mustEqual(
      sum(/^(bank|dispute:in_flight|provider:.*)$/),
      owed,
      "16",
      `${currency} money that there is, and that is owed`,
    );
  }
}

/** That what is owed to each customer is left of its credits, and these follow from what was done with them. */
function checkCredit({ credits, creditUses, ledgerAccounts }: Facts): void {
  const owed = new Map<string, number>();
  for (const { id, customerId, currency, amount, amountLeft, amountSpent } of credits) {
    const sum = (kind: string) =>
      creditUses.reduce((all, use) => (use.creditId === id && use.kind === kind ? all + use.amount : all), 0);
    const spent = sum("spent") - sum("given_back");
    mustEqual([amountSpent, amountLeft], [spent, amount - spent - sum("taken_back")], "14", `${id} credit`);
    const place = `cust:${customerId}:credit ${currency}`;
    owed.set(place, (owed.get(place) ?? 0) + amountLeft);
  }
  for (const { name, currency, balance } of ledgerAccounts.filter((one) => one.name.startsWith("cust:"))) {
    mustEqual(balance, owed.get(`${name} ${currency}`) ?? 0, "14", `${name} balance`);
  }
}

/**
 * Invariant 20: no step begins an attempt of a payment request that was canceled before. The times of calls that ran at
 * once do not tell their order: each has the time at which its call began, not when it got its lock.
 */
function checkCanceled(facts: Facts, before: Facts): void {
  const known = new Set([...before.transactions, ...before.methods].map(({ id }) => id));
  for (const { id, canceledAt } of before.payments) {
    if (canceledAt === null) continue;
    const begun = paymentsOf(facts, id).filter((one) => !known.has(one.id));
    must(begun.length === 0, "20", `${begun.map((one) => one.id)} was begun after the cancellation`);
  }
}

const keyOf = ({ ledgerAccountId, sequence }: Line): string => `${ledgerAccountId} ${sequence}`;

/** Invariant 4, and that no transaction, payment request or event vanishes. */
function checkAppendOnly(facts: Facts, before: Facts): void {
  const lines = new Map(facts.lines.map((line) => [keyOf(line), line]));
  for (const line of before.lines) mustEqual(lines.get(keyOf(line)), line, "4", `line ${keyOf(line)}`);
  const events = new Map(facts.events.map((event) => [event.id, event]));
  for (const event of before.events) mustEqual(events.get(event.id), event, "4", `event ${event.id}`);
  const ids = new Set([...facts.transactions, ...facts.payments].map((row) => row.id));
  for (const { id } of [...before.transactions, ...before.payments]) must(ids.has(id), "4", `${id} has vanished`);
}

/** Money that an admin moves out of a closed account, or into one up to what a dispute has left it owing. */
const byAdmins = ["refund_created", "credit_given_back", "transfer_posted", "adjustment_posted"];

/** Invariant 18: on an account that was closed before, money only moves by an admin, or is flagged as late. */
function checkClosedAccounts(facts: Facts, before: Facts): void {
  const closed = new Set(before.accounts.filter(({ status }) => status === "closed").map(({ id }) => id));
  if (closed.size === 0) return;
  const known = new Set(before.lines.map(({ journalId }) => journalId));
  const rows = new Map(facts.transactions.map((row) => [row.id, row]));
  for (const line of facts.lines) {
    if (known.has(line.journalId) || !closed.has(line.accountId ?? "")) continue;
    if (line.event === "authorization_released" || facts.late.has(line.transactionId)) continue;
    const isOffline = rows.get(line.transactionId)?.provider === null;
    const isSettled = line.name === "available" && line.balanceAfter <= 0;
    const isOut = changeOf(line) < 0 || line.name === "refund_pending";
    const isMoved = byAdmins.includes(line.event) && (isOut || isSettled);
    const isLeft = isMoved || (isOffline && line.event === "refund_succeeded");
    must(isLeft, "18", `${line.event} of ${line.transactionId} on the closed account ${line.accountId}`);
  }
  for (const { accountId, id } of facts.users) {
    const own = facts.accounts.filter((one) => one.ownerUserId === id && one.status === "open");
    const isMoved = own.length === 0 || own.some((one) => one.id === accountId);
    must(isMoved, "18", `${id} uses a closed account, but owns an open one`);
  }
}

/** Invariant 21: whatever is open has a job that continues it if nobody else does. No job is dead. */
function checkJobs({ jobs, transactions, payments, now, ...facts }: Facts): void {
  const waiting = new Set(jobs.filter(({ status }) => status !== "dead").map(({ key }) => key));
  for (const { kind, status, lastError } of jobs) must(status !== "dead", "21", `a job ${kind} is dead: ${lastError}`);
  for (const { id, provider, status } of transactions) {
    const isOpen = provider !== null && /^(pending|processing|requires_action|authorized)$/.test(status);
    must(!isOpen || waiting.has(`payments.lookup:${id}`), "21", `${id} is ${status}, and no job looks it up`);
  }
  for (const row of payments) {
    if (row.usageLimit !== 1) {
      const mustExpire = row.status === "pending" && row.expiresAt !== null && row.expiresAt > now;
      must(!mustExpire || waiting.has(`payments.expire:${row.id}`), "21", `${row.id} has no job for its expiry`);
      continue;
    }
    const request = { terms: row, payments: paymentsOf({ ...facts, transactions, payments, now }, row.id) };
    const status = spec.statusOf(request, row.updatedAt);
    const isWanted = row.isTrial ? !spec.isPaid(request) : spec.dueOf(request) > 0;
    const mayExpire = isWanted && !["draft", "canceled", "expired"].includes(status);
    const waits = row.expiresAt !== null && row.expiresAt > now && mayExpire;
    must(!waits || waiting.has(`payments.expire:${row.id}`), "21", `${row.id} has no job for its expiry`);
  }
}
