// SQL conditions on payment requests: their status at a given time, and what a path's candidates must match.
import { and, eq, exists, gt, gte, inArray, isNotNull, isNull, lt, lte, not, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Reader } from "@/db/client";
import { hasEntries } from "@/db/json";
import { beginsWith } from "@/db/prefix";
import { unpaidStatuses } from "@/db/schema/values";
import { accounts, creditNotes, creditNoteVoids, payments, paymentWords, transactions } from "@/db/tables";
import { unindexed } from "@/db/unindexed";
import { limits } from "@/server/kit/limits";
import type { SearchedAmount } from "@/server/kit/searched-amount";
import type { PaymentStatus } from "./rules";
import type { Mark, Path } from "./search-paths";
import { refundStatuses, tabs } from "./status-tabs";

const unpaid: PaymentStatus[] = [...unpaidStatuses];
const withRefunds: PaymentStatus[] = [...refundStatuses];

/** The condition that something is due: `amountDue` in SQL. */
export const isDue = sql`(${payments.canceledAt} is null and ${payments.amount} + ${payments.amountReopened} > ${payments.amountPaid} + ${payments.amountWaived})`;

/** The condition that something is due after a refund or a lost dispute, and no dispute is open. */
const isDueAfterRefund = sql`(${isDue} and ${payments.disputeStatus} <> 'open')`;

/** The condition that a row is a reusable link: literals, as in the partial index over links. */
export const isLink = sql`(usage_limit is null or usage_limit <> 1)`;

/** The conditions of the indices of few payment requests: literals, as in them. */
const marks: Record<Mark, SQL> = {
  reusable: isLink,
  over_limit: sql`over_limit_at is not null`,
  overpaid: sql`amount_overpaid > 0`,
  disputed_lost: sql`amount_lost > 0`,
  paid_late: sql`paid_late_at is not null`,
  link_requested: sql`link_requested_at is not null`,
  reminder_waiting: sql`reminder_waits_since is not null`,
};

/** The condition that a row has expired by `now` although its stored status is not `expired` yet. */
const isPast = (now: number): SQL =>
  sql`(${or(
    and(inArray(payments.status, unpaid), isNotNull(payments.expiresAt), lte(payments.expiresAt, now)),
    and(
      inArray(payments.status, withRefunds),
      isNotNull(payments.expiresAt),
      lte(payments.expiresAt, now),
      isDueAfterRefund,
    ),
    and(eq(payments.status, "authorized"), isNotNull(payments.captureBefore), lte(payments.captureBefore, now)),
  )})`;

/** The condition that a row has one of these statuses at `now`: `statusAt` in SQL. */
export function statusIn(statuses: readonly PaymentStatus[], now: number): SQL | undefined {
  const stored = inArray(payments.status, [...statuses]);
  if (statuses.includes("expired")) return or(stored, isPast(now));
  // Time alone changes no row that is stored with another status. Without the dates, an index alone answers.
  return statuses.some((status) => timedStatuses.includes(status)) ? and(stored, not(isPast(now))) : stored;
}

const hasNotExpired = (now: number): SQL => sql`(${or(isNull(payments.expiresAt), gt(payments.expiresAt, now))})`;

/** The condition that a part payment was refunded, and the rest can still be paid at `now`. */
const isRefundedAndDue = (now: number): SQL =>
  sql`(${and(inArray(payments.status, withRefunds), isDueAfterRefund, hasNotExpired(now))})`;

/** The condition that nobody is asked to pay a row that is stored with a status that says so: see `isIdle`. */
const isWaiting = sql`not ${payments.isIdle}`;

/** The condition that somebody was asked to pay a row, whatever became of it. */
const isRequested = sql`(${payments.draft} is null and ${isWaiting})`;

/** The condition that a row is open at `now`: the whole amount, or the rest of it, still waits for the customer. */
const isOpen = (now: number): SQL => sql`(${or(and(statusIn(tabs.open, now), isWaiting), isRefundedAndDue(now))})`;

/**
 * The condition that money which was received otherwise can be recorded for a row at `now`: `refusalToRecord` in SQL. Its
 * account must be open too, and a use of a link needs a place.
 */
const isRecordable = (q: Reader, now: number): SQL =>
  sql`(${and(
    not(isLink),
    isNull(payments.draft),
    isDue,
    sql`${payments.disputeStatus} <> 'open'`,
    or(isNotNull(payments.invoiceNumber), not(isOver(now))),
    not(exists(holdsUp(q, now))),
    or(isNull(payments.parentPaymentId), isNotNull(payments.place), exists(roomFor(q))),
    exists(openAccount(q)),
  )})`;

/** The condition that the time to pay of a row is over at `now`. */
const isOver = (now: number): SQL => sql`(${statusIn(["expired"], now)})`;

/** The attempts of a row that are being paid or captured, or hold the amount at `now`. */
function holdsUp(q: Reader, now: number) {
  const { status, captureBefore, captureRequested, amountCaptured } = transactions;
  const isHeld = or(isNull(captureBefore), gt(captureBefore, now), gt(amountCaptured, 0), isNotNull(captureRequested));
  const isUnderWay = or(inArray(status, ["requires_action", "processing"]), and(eq(status, "authorized"), isHeld));
  return q
    .select({ one: sql`1` })
    .from(transactions)
    .where(and(eq(transactions.paymentId, payments.id), isUnderWay));
}

/** The link of a use, if it has a place for it. */
function roomFor(q: Reader) {
  const link = alias(payments, "link");
  const hasPlace = or(isNull(link.usageLimit), lt(sql`${link.usesCount} + ${link.usesReserved}`, link.usageLimit));
  const isOpenLink = and(eq(link.id, payments.parentPaymentId), isNull(link.canceledAt), hasPlace);
  return q.select({ one: sql`1` }).from(link).where(isOpenLink);
}

const openAccount = (q: Reader) =>
  q
    .select({ one: sql`1` })
    .from(accounts)
    .where(and(eq(accounts.id, payments.accountId), eq(accounts.status, "open")));

/** The condition of the partial index over payment requests that are overdue or may become so: literals, as in it. */
const mayBeOverdue = sql`${payments.dueAt} is not null and ${payments.status} in (${sql.raw(unpaid.map((one) => `'${one}'`).join(", "))})`;

/**
 * The condition that a row is overdue at `now`: its due date has passed, and it still waits for the customer. Without a
 * refund something is always due in these statuses, so no amount is read.
 */
const isOverdue = (now: number): SQL =>
  sql`(${or(
    and(mayBeOverdue, lt(payments.dueAt, now), hasNotExpired(now)),
    and(isNotNull(payments.dueAt), lt(payments.dueAt, now), isRefundedAndDue(now)),
  )})`;

/** The condition that a row has not ended at `now`, but will by itself before `at`: it expires or lapses. */
const isEnding = (at: number, now: number): SQL =>
  sql`(${or(
    and(inArray(payments.status, unpaid), lt(payments.expiresAt, at), gt(payments.expiresAt, now)),
    and(
      inArray(payments.status, withRefunds),
      isDueAfterRefund,
      lt(payments.expiresAt, at),
      gt(payments.expiresAt, now),
    ),
    and(eq(payments.status, "authorized"), lt(payments.captureBefore, at), gt(payments.captureBefore, now)),
  )})`;

/** Stored statuses that time alone can change. */
export const timedStatuses: readonly PaymentStatus[] = [...unpaid, ...withRefunds, "authorized"];

/** The equal columns with which the path's index begins. */
function scopeOfPath(
  organizationId: string,
  {
    account,
    byCustomer,
    byParent,
    bySubscription,
  }: Pick<Path, "account" | "byCustomer" | "byParent" | "bySubscription">,
) {
  if (byCustomer || byParent || bySubscription) return undefined;
  return account === undefined ? eq(payments.organizationId, organizationId) : eq(payments.accountId, account);
}

/** The condition for a path's candidates: adjacent entries of one index, in the list's order. */
export function candidatesOf(
  q: Reader,
  { organizationId, filters, id, transactionId, ...path }: Path,
): SQL | undefined {
  if (id !== undefined) return eq(payments.id, id);
  if (transactionId !== undefined) {
    const paymentId = q
      .select({ id: transactions.paymentId })
      .from(transactions)
      .where(eq(transactions.id, transactionId));
    return inArray(payments.id, paymentId);
  }
  return and(
    scopeOfPath(organizationId, path),
    path.byReference && filters.reference !== undefined ? eq(payments.reference, filters.reference) : undefined,
    path.byEmail && path.emailKey !== undefined ? eq(payments.customerEmailKey, path.emailKey) : undefined,
    path.byCustomer && filters.customer_id !== undefined ? eq(payments.customerId, filters.customer_id) : undefined,
    path.status && eq(payments.status, path.status),
    path.byMark && marks[path.byMark],
    path.byParent && filters.parent_payment_id !== undefined
      ? eq(payments.parentPaymentId, filters.parent_payment_id)
      : undefined,
    path.bySubscription && filters.subscription_id !== undefined
      ? eq(payments.subscriptionId, filters.subscription_id)
      : undefined,
    // With the type, SQLite prefers this index to the one of all payment requests.
    path.byDue && and(eq(payments.type, path.byDue), mayBeOverdue),
    filters.created_from === undefined ? undefined : gte(payments.createdAt, filters.created_from),
    filters.created_to === undefined ? undefined : lt(payments.createdAt, filters.created_to),
  );
}

/** The conditions on the candidates. */
export function matching(q: Reader, path: Path): SQL | undefined {
  const { organizationId, accounts, account, filters, emailKey, words, now } = path;
  const given = <T>(value: T | undefined, condition: (value: T) => SQL | undefined): SQL | undefined =>
    value === undefined ? undefined : condition(value);
  const { type, currency, reference, overdue, open, reusable } = filters;
  return and(
    eq(unindexed(payments.organizationId), organizationId),
    accounts === null || account !== undefined ? undefined : inArray(unindexed(payments.accountId), [...accounts]),
    given(filters.status, (statuses) => statusIn(statuses, now)),
    given(open, (wanted) => (wanted ? isOpen(now) : not(isOpen(now)))),
    given(filters.recordable, (wanted) => (wanted ? isRecordable(q, now) : not(isRecordable(q, now)))),
    given(reusable, (wanted) => (wanted ? isLink : not(isLink))),
    given(filters.paused, (wanted) => (wanted ? isPausedLink(now) : not(isPausedLink(now)))),
    given(filters.many_declines, (wanted) => (wanted ? hasManyDeclines(now) : not(hasManyDeclines(now)))),
    given(filters.over_limit, (wanted) => (wanted ? isOverLimit(now) : not(isOverLimit(now)))),
    given(filters.requested, (wanted) => (wanted ? isRequested : not(isRequested))),
    given(filters.overpaid, (wanted) => (wanted ? marks.overpaid : not(marks.overpaid))),
    given(filters.disputed_lost, (wanted) => (wanted ? marks.disputed_lost : not(marks.disputed_lost))),
    given(filters.paid_late, (wanted) => (wanted ? marks.paid_late : not(marks.paid_late))),
    given(filters.link_requested, (wanted) => (wanted ? hasLinkRequest(now) : not(hasLinkRequest(now)))),
    given(filters.reminder_waiting, (wanted) => (wanted ? isReminderLate(now) : not(isReminderLate(now)))),
    given(filters.credited, (wanted) => (wanted ? hasCreditNote(q) : not(hasCreditNote(q)))),
    given(filters.parent_payment_id, (id) => eq(unindexed(payments.parentPaymentId), id)),
    given(filters.subscription_id, (id) => eq(unindexed(payments.subscriptionId), id)),
    given(overdue, (wanted) => (wanted ? isOverdue(now) : not(isOverdue(now)))),
    given(filters.ends_before, (at) => isEnding(at, now)),
    given(filters.customer_id, (id) => eq(unindexed(payments.customerId), id)),
    given(type, (types) => inArray(payments.type, types)),
    given(currency, (one) => eq(payments.currency, one)),
    given(reference, (one) => eq(unindexed(payments.reference), one)),
    given(emailKey, (key) => eq(unindexed(payments.customerEmailKey), key)),
    hasEntries(payments.metadata, filters.metadata),
    given(filters.created_from, (at) => gte(payments.createdAt, at)),
    given(filters.created_to, (at) => lt(payments.createdAt, at)),
    or(hasWords(q, words), ...path.amounts.map(isAmount)),
  );
}

/** The condition that each of the words begins one of the row's; none without words. */
const hasWords = (q: Reader, words: Path["words"]): SQL | undefined =>
  and(
    ...words.map((word) =>
      exists(
        q
          .select({ one: sql`1` })
          .from(paymentWords)
          .where(and(eq(paymentWords.paymentId, payments.id), beginsWith(paymentWords.word, word))),
      ),
    ),
  );

const isAmount = ({ amount, currencies }: SearchedAmount): SQL | undefined =>
  and(eq(payments.amount, amount), inArray(payments.currency, [...currencies]));

/** The condition that a credit note of the invoice is not void. */
const hasCreditNote = (q: Reader): SQL =>
  exists(
    q
      .select({ one: sql`1` })
      .from(creditNotes)
      .leftJoin(creditNoteVoids, eq(creditNoteVoids.creditNoteId, creditNotes.id))
      .where(and(eq(creditNotes.paymentId, payments.id), isNull(creditNoteVoids.creditNoteId))),
  );

/** Whether a planned reminder has waited for long. Written so that no other index seems to serve it. */
const isReminderLate = (now: number): SQL =>
  sql`coalesce(${payments.reminderWaitsSince}, ${now}) < ${now - limits.reminders.lateMs}`;

/** How many of the matches have expired by `now` although their stored status is not `expired` yet. */
export const pastCount = (now: number) => sql`sum(case when ${isPast(now)} then 1 else 0 end)`.mapWith(Number);

/** The condition that a link was paused, and could be used otherwise at `now`: `isPaused` in SQL. */
const isPausedLink = (now: number): SQL =>
  sql`(${and(isNotNull(payments.pausedAt), eq(unindexed(payments.status), "pending"), not(isPast(now)))})`;

/** The condition that very many cards were declined on a link within an hour not long before `now`. */
const hasManyDeclines = (now: number): SQL =>
  sql`coalesce(${payments.manyDeclinesAt}, 0) > ${now - limits.links.alertMs}`;

/** Minor units that were refunded, or taken by a lost dispute. */
const returned = sql`${payments.amountRefunded} + case when ${payments.disputeStatus} = 'lost' then ${payments.amountDisputed} else 0 end`;

/** The condition that a use was paid above its link's limit not long before `now`, and was not returned in full. */
const isOverLimit = (now: number): SQL =>
  sql`(coalesce(${payments.overLimitAt}, 0) > ${now - limits.attentionMs} and ${returned} < ${payments.amountPaid})`;

/**
 * The condition that the payer of an expired payment request asked for a new link not long before `now`, and that it was
 * not duplicated since.
 */
const hasLinkRequest = (now: number): SQL =>
  sql`(${and(
    sql`coalesce(${payments.linkRequestedAt}, 0) > ${now - limits.attentionMs}`,
    sql`coalesce(${payments.linkRequestedAt}, 0) >= coalesce(${payments.expiresAt}, 0)`,
    sql`coalesce(${payments.linkRequestedAt}, 0) > coalesce(${payments.linkAnsweredAt}, 0)`,
    statusIn(["expired"], now),
  )})`;

/** How many of the matches have a status of open ones, but wait for nobody. */
export const idleCount = (now: number) =>
  sql`sum(case when ${and(statusIn(tabs.open, now), not(isWaiting))} then 1 else 0 end)`.mapWith(Number);

/** How many of the matches have a status after a refund and are open. */
export const refundedAndDueCount = (now: number) =>
  sql`sum(case when ${isRefundedAndDue(now)} then 1 else 0 end)`.mapWith(Number);
