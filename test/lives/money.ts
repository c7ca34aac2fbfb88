// What must hold for payment requests and transactions at any moment: rows, events and postings agree with the rules.
import { statusAt } from "@/server/domains/payments/derive";
import type { PaymentStatus } from "@/server/domains/payments/rules";
import type { PaymentRow } from "@/server/domains/payments/store";
import type { TransactionRow } from "@/server/domains/transactions/present";
import type { TransactionStatus } from "@/server/domains/transactions/rules";
import { creditMadeOf, type EventRow, type Line, type MoneyFacts, paymentsOf, refundsOf } from "./facts";
import { checkLink } from "./links";
import { expectedPostings } from "./postings";
import * as spec from "./spec";
import * as parts from "./spec-parts";
import * as changesOfStatus from "./spec-statuses";
import { must, mustEqual } from "./violation";

const sumOf = <T>(rows: readonly T[], pick: (row: T) => number): number =>
  rows.reduce((total, row) => total + pick(row), 0);

const groups = <T>(rows: readonly T[], keyOf: (row: T) => string): Map<string, T[]> => {
  const found = new Map<string, T[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = found.get(key);
    if (group) group.push(row);
    else found.set(key, [row]);
  }
  return found;
};

/**
 * Throws a Violation unless all invariants of payment requests and transactions hold. After a clock that was ahead has
 * been corrected, what it expired is open again.
 */
export function checkMoney(facts: MoneyFacts, { clockWasAhead = false } = {}): void {
  const events = groups(facts.events, (event) => event.objectId);
  const lines = groups(facts.lines, (line) => line.transactionId);
  for (const row of facts.payments) {
    if (row.usageLimit !== 1) {
      checkLink(facts, row);
      continue;
    }
    checkRequest(facts, row);
    checkRequestEvents(row, events.get(row.id) ?? [], clockWasAhead);
    checkReceipts(row, paymentsOf(facts, row.id), events.get(row.id) ?? []);
  }
  for (const row of facts.transactions) {
    checkAmounts(row, facts);
    checkTransactionEvents(row, events.get(row.id) ?? []);
    checkPosted(row, lines.get(row.id) ?? [], facts);
  }
  const references = facts.transactions.flatMap(({ provider, providerReference, type }) =>
    providerReference === null ? [] : [`${provider} ${providerReference} ${type}`],
  );
  must(new Set(references).size === references.length, "12", "two transactions have one provider's reference");
}

/** Invariants 8, 9 and 20, and that at most one attempt is in progress. */
function checkRequest(facts: MoneyFacts, row: PaymentRow): void {
  const payments = paymentsOf(facts, row.id);
  const request = { terms: row, payments };
  const isOpen = ({ status }: TransactionRow) => /^(requires_action|processing|authorized)$/.test(status);
  const open = payments.filter(isOpen);
  must(open.length <= 1, "one attempt at a time", `${row.id} has ${open.length}: ${open.map((one) => one.status)}`);
  for (const { createdAt, id, provider } of payments) {
    // Money that came otherwise may be recorded for an issued invoice at any time.
    const isRecorded = provider === null && row.invoiceNumber !== null;
    must(isRecorded || row.expiresAt === null || createdAt < row.expiresAt, "20", `${id} was begun after the end`);
  }
  const refunds = payments.flatMap((one) => refundsOf(facts, one.id));
  const surplusRefunded = sumOf(refunds, (one) => (one.status === "succeeded" ? one.amountSurplus : 0));
  const credited = sumOf(payments, (one) => creditMadeOf(facts, one.id)?.amount ?? 0);
  const settled = surplusRefunded + credited;
  const holds = payments.filter((one) => one.status === "authorized");
  const ends = holds.flatMap((one) => one.captureBefore ?? []);
  const missing = spec.missingOf(request);
  const expected = {
    amountPaid: spec.paidOf(request),
    amountWaived: spec.waivedOf(request),
    amountOverpaid: spec.overpaidOf(request, settled),
    amountLost: spec.undecidedOf(request, settled),
    amountCredited: credited,
    amountAuthorized: sumOf(payments, (one) => one.amountAuthorized),
    amountCapturable: sumOf(holds, spec.holdOf),
    amountReleased: sumOf(payments, (one) => one.amountReleased),
    amountRefunded: sumOf(payments, (one) => one.amountRefunded),
    amountDisputed: sumOf(payments, (one) => one.amountDisputed),
    disputeStatus: ["open", "lost", "won"].find((is) => payments.some((one) => one.disputeStatus === is)) ?? "none",
    attemptCount: payments.filter(({ provider }) => provider !== null).length,
    captureBefore: ends.length > 0 ? Math.max(...ends) : null,
    dueAt: parts.dueDateOf(request),
  };
  for (const [name, value] of Object.entries(expected)) {
    mustEqual(row[name as keyof typeof expected], value, name === "captureBefore" ? "7" : "8", `${row.id} ${name}`);
  }
  must(
    row.amountPaid + row.amountWaived + missing + row.amountWrittenOff + row.amountLost ===
      (row.amount ?? 0) + row.amountOverpaid + settled + spec.lostOf(request),
    "8",
    `${row.id}: paid, waived and missing do not add up to the amount and what was overpaid`,
  );
  // Readers add the effect of time since the last write, so the stored status is compared as of that write.
  mustEqual(row.status, spec.statusOf(request, row.updatedAt), "9", `${row.id} status as of its last write`);
  for (const at of [facts.now, ...[row.expiresAt, ...ends].flatMap((end) => (end === null ? [] : [end - 1, end]))]) {
    if (at < row.updatedAt) continue;
    mustEqual(statusAt(row, at), spec.statusOf(request, at), "9", `${row.id} status that readers see at ${at}`);
  }
  const waits = row.status === "requires_action" ? payments.find((one) => one.status === "requires_action") : undefined;
  mustEqual(row.actionUrl, waits?.actionUrl ?? null, "9", `${row.id} page of the confirmation`);
}

/** Invariants 6 and 7. */
function checkAmounts(row: TransactionRow, facts: MoneyFacts): void {
  if (row.type !== "payment") return;
  const { id, amount, amountAuthorized, amountCaptured, amountRefunded, amountRefunding, status } = row;
  const refunds = refundsOf(facts, id);
  const sum = (wanted: TransactionStatus) => sumOf(refunds, (one) => (one.status === wanted ? one.amount : 0));
  mustEqual([amountRefunded, amountRefunding], [sum("succeeded"), sum("pending")], "6", `${id} refunds`);
  const spent = creditMadeOf(facts, id)?.amountSpent ?? 0;
  must(spec.keptOf(row, spent) >= 0, "6", `${id}: more was refunded, or spent as credit, than captured`);
  must(amountCaptured <= amountAuthorized && amountAuthorized <= amount, "6", `${id}: more was taken than authorized`);
  const { amountDisputed, disputeStatus } = row;
  const takesMoney = disputeStatus === "open" || disputeStatus === "lost";
  must(amountDisputed > 0 === takesMoney && amountDisputed <= amountCaptured, "6", `${id}: ${amountDisputed} disputed`);
  mustEqual(spec.holdOf(row), status === "authorized" ? amountAuthorized : 0, "7", `${id} open hold`);
  const unpaid = ["processing", "requires_action", "authorized", "failed", "canceled", "expired"];
  if (amountCaptured > 0) mustEqual(status, changesOfStatus.takenStatus(row), "9", `${id} status`);
  else must(unpaid.includes(status), "9", `${id} is ${status}, but no money was taken`);
}

function checkSequence(events: readonly EventRow[], id: string): void {
  mustEqual(
    events.map(({ sequence }) => sequence),
    events.map((_, i) => i + 1),
    "10",
    `${id} event numbers`,
  );
}

const isView = ({ type }: EventRow): boolean => type === "payment.viewed";

/** Invariant 10, that a surplus was announced, and that the first view was, once. */
function checkRequestEvents(row: PaymentRow, events: readonly EventRow[], clockWasAhead: boolean): void {
  checkSequence(events, row.id);
  const isSurplus = ({ type }: EventRow) => type === "payment.overpaid";
  must(row.amountOverpaid === 0 || events.some(isSurplus), "8", `${row.id}: no event announced the surplus`);
  const views = events.filter(isView).length;
  mustEqual(views, row.viewedAt === null ? 0 : 1, "10", `${row.id}: events of the first view`);
  const asked = events.findLast(({ type }) => type === "payment.link_requested");
  mustEqual(row.linkRequestedAt, asked?.createdAt ?? null, "10", `${row.id}: when a new link was asked for`);
  // A surplus, late money, a place beyond the limit, credit, a due date that passed, a credit note, a view, a reminder and
  // a link request have their own events, which may come without a change of status.
  const isOwn = (event: EventRow) =>
    /^payment\.(overpaid|viewed|paid_late|over_limit|credit_applied|overdue|reminder_sent|link_requested)$/.test(
      event.type,
    ) || event.type === "credit_note.created";
  const isChange = (event: EventRow) => !isOwn(event);
  const changes = events.filter(isChange);
  const steps = changes.map(({ type, data }) => {
    const [from, to] = [data.previous_status as PaymentStatus, data.status as PaymentStatus];
    return { type, from, to };
  });
  for (const [i, step] of steps.entries()) {
    const earlier = steps[i - 1];
    // Two events may describe one step.
    if (!earlier || (step.from === earlier.from && step.to === earlier.to)) continue;
    mustEqual(step.from, earlier.to, "10", `${row.id} status before an event`);
    // An extension has its own event, which comes without a change of status unless it reopens. So has each part that
    // is paid or refunded, of which the status may say nothing.
    const isUpdate = step.type === "payment.updated";
    const isReopened = (isUpdate || clockWasAhead) && changesOfStatus.mayReopen(step.from, step.to);
    const isUnchanged = (isUpdate || isReceipt(step.type)) && step.from === step.to;
    must(
      isUnchanged || isReopened || changesOfStatus.mayBecome(step.from, step.to),
      "10",
      `${row.id} went from ${step.from} to ${step.to}`,
    );
  }
  mustEqual(steps.at(-1)?.to, row.status, "10", `${row.id} status in its last event`);
}

const isReceipt = (type: string): boolean => type === "payment.paid" || type === "payment.partially_paid";

/** That all money was announced, and that the payment request was paid in full: once, at the instant that it says. */
function checkReceipts(row: PaymentRow, payments: readonly TransactionRow[], events: readonly EventRow[]): void {
  const isCovered = row.amountPaid > 0 && row.amountPaid + row.amountWaived >= (row.amount ?? 0) + row.amountReopened;
  const isPaidUp = row.isTrial ? row.status === "paid" : isCovered;
  const reopened = events.findLastIndex(({ type }) => type === "payment.reopened");
  const paid = events.slice(reopened + 1).filter(({ type }) => type === "payment.paid");
  must(paid.length === (isPaidUp ? 1 : 0), "10", `${row.id} was announced as paid in full ${paid.length} times`);
  for (const { createdAt } of paid) {
    const arrivals = payments.filter((one) => one.amountCaptured > 0).map(({ effectiveAt }) => effectiveAt);
    const isKnown = arrivals.length === 0 ? row.paidAt === createdAt : arrivals.some((at) => at === row.paidAt);
    must(isKnown, "10", `${row.id} was paid at ${row.paidAt}, when none of its money arrived`);
  }
  must(isPaidUp || row.paidAt === null, "10", `${row.id} is not paid in full, but has the time of it`);
  const announced = events.findLast(({ data }) => typeof data.amount_paid === "number")?.data.amount_paid ?? 0;
  mustEqual(announced, row.amountPaid, "10", `${row.id} amount paid in its last event`);
}

/** Invariant 10. */
function checkTransactionEvents(row: TransactionRow, events: readonly EventRow[]): void {
  checkSequence(events, row.id);
  // A report that cannot be booked changes nothing.
  const changes = events.filter(({ type }) => type !== "dispute.unexpected");
  const statuses = changes.map(({ data }) => data.status as TransactionStatus);
  for (const [i, to] of statuses.entries()) {
    const from = statuses[i - 1];
    // What succeeds at once announces that it was created, and that it has succeeded.
    if (from === undefined || (i === 1 && from === "succeeded" && to === from)) continue;
    must(
      changesOfStatus.mayAnnounce(row.type, from, to),
      "10",
      `${row.id}, a ${row.type}, announced ${to} after ${from}`,
    );
  }
}

const debitNormal = /^(bank|dispute:in_flight|provider:.*|expense:goodwill|memo:auth_open)$/;

/** Minor units that a line adds to its ledger account. */
export const changeOf = ({ name, side, amount }: Pick<Line, "name" | "side" | "amount">): number =>
  debitNormal.test(name) === (side === "debit") ? amount : -amount;

/** Invariant 1, and that a transaction's postings are what its row says: each of its journals once. */
function checkPosted(row: TransactionRow, lines: readonly Line[], facts: MoneyFacts): void {
  for (const [journal, own] of groups(lines, (line) => line.journalId)) {
    const isWhole = own.every(({ amount }) => Number.isInteger(amount) && amount > 0) && own.length >= 2;
    must(isWhole, "1", `${journal} needs two lines with positive integers`);
    for (const [currency, part] of groups(own, (line) => line.currency)) {
      const difference = sumOf(part, ({ side, amount }) => (side === "debit" ? amount : -amount));
      must(difference === 0, "1", `debits and credits of ${journal} differ by ${difference} ${currency}`);
    }
  }
  const posted = new Set(lines.map(({ journalId, event }) => `${event} ${journalId}`));
  // A customer may be merged any number of times.
  const names = [...posted].map((name) => name.split(" ")[0]).filter((name) => name !== "credit_moved");
  must(new Set(names).size === names.length, "11", `${row.id} was posted twice: ${names}`);
  const sums = new Map<string, number>();
  for (const line of lines) {
    const name = line.name.startsWith("cust:") ? "credit" : line.name;
    const key = `${line.accountId ?? line.forAccountId} ${name}`;
    sums.set(key, (sums.get(key) ?? 0) + changeOf(line));
  }
  mustEqual(withoutZeros(sums), withoutZeros(expectedPostings(row, facts)), "14", `${row.id} postings`);
}

const withoutZeros = (sums: Map<string, number>) => [...sums].filter(([, amount]) => amount !== 0).sort();
