// Pure rules of subscriptions: what happens next to one and when, and what callers may do with one.
import { daysAfter } from "@/server/kit/local-time";
import { nextPeriod, type Periods, periodStart } from "./calendar";
import type { SubscriptionRow } from "./store";

/** On which days after its first failure a renewal is charged again. After the last one the subscription ends. */
export const retryDays = [1, 3, 5, 7] as const;

/** How many days before the end of a trial its notice goes to the customer. */
const trialNoticeDays = 3;

/**
 * What happens by itself: `end` at the end of the period, `complete` after the last period, `resume` after a pause that
 * a caller limited, `notice` before a trial ends, `renew` for a new period, `retry` of the renewal that failed.
 */
interface Act {
  act: "end" | "complete" | "resume" | "notice" | "renew" | "retry";
  /** Epoch ms. */
  at: number;
}

/** What happens next, and when; null if nothing does by itself. No charge begins while one is under way. */
export function nextAct(row: SubscriptionRow, now: number): Act | null {
  const acts: Act[] = [];
  const add = (act: Act["act"], at: number | null) => at !== null && acts.push({ act, at });
  if (!isLive(row) || row.status === "incomplete") return null;
  if (row.cancelAtPeriodEnd) add("end", row.currentPeriodEnd);
  if (row.status === "paused" && row.pauseReason === null) add("resume", row.resumeAt);
  const isNoticed = row.trialNoticeAt !== null || row.cancelAtPeriodEnd || row.status === "paused";
  if (!isNoticed) add("notice", noticeAt(row, now));
  if (row.attemptId === null && row.retryAt !== null && row.status !== "paused") add("retry", row.retryAt);
  if (row.attemptId === null && row.retryAt === null && isRenewing(row)) {
    if (hasBegunAll(row)) add("complete", row.currentPeriodEnd);
    else add("renew", row.nextChargeAt);
  }
  // The first one listed wins at the same instant.
  return acts.reduce<Act | null>((first, act) => (first === null || act.at < first.at ? act : first), null);
}

/** Whether a new period begins by itself. */
const isRenewing = ({ status }: Pick<SubscriptionRow, "status">): boolean =>
  status === "active" || status === "trialing";

/** Whether every agreed cycle has a payment request. */
export const hasBegunAll = ({ cycles, cyclesBegun }: Pick<SubscriptionRow, "cycles" | "cyclesBegun">): boolean =>
  cycles !== null && cyclesBegun >= cycles;

/** When the customer is told that the trial ends; null if it is over, or too short for that. */
function noticeAt(row: SubscriptionRow, now: number): number | null {
  const { trialEndsAt, currentPeriodStart: begunAt, cyclesBegun, timezone } = row;
  if (trialEndsAt === null || begunAt === null || trialEndsAt <= now || cyclesBegun > 0) return null;
  const at = daysAfter(trialEndsAt, -trialNoticeDays, timezone);
  return at > begunAt ? at : null;
}

/** Whether it may still charge its customer. */
export const isLive = ({ status }: Pick<SubscriptionRow, "status">): boolean =>
  status !== "canceled" && status !== "ended";

/** What its periods follow from. Throws for one that has none yet. */
function periodsOf({ id, anchorAt, timezone, interval, intervalCount }: SubscriptionRow): Periods {
  if (anchorAt === null) throw new Error(`The subscription ${id} has no periods yet.`);
  return { anchorAt, timezone, interval, intervalCount };
}

/** When period `cycle` begins and ends. */
export const periodOf = (row: SubscriptionRow, cycle: number): { periodStart: number; periodEnd: number } => ({
  periodStart: periodStart(periodsOf(row), cycle),
  periodEnd: periodStart(periodsOf(row), cycle + 1),
});

/**
 * The period that begins next after a pause or after a failed renewal was paid late: none that began meanwhile is
 * charged. A retry is always some milliseconds late, and the period that began at its date is not to be left out: after
 * it, the period is the one that is current.
 */
export function goOnAt(
  row: SubscriptionRow,
  now: number,
  from: "next" | "current" = "next",
): Pick<SubscriptionRow, "nextCycle" | "nextChargeAt"> {
  const periods = periodsOf(row);
  const next = nextPeriod(periods, now);
  const isLate = from === "current" && periodStart(periods, next) > now;
  const nextCycle = afterPauses(row, Math.max(row.nextCycle, isLate ? next - 1 : next));
  return { nextCycle, nextChargeAt: chargeAt(row, nextCycle) };
}

/** The cycle, or the one with which the subscription went on if a pause took it out. */
export const afterPauses = ({ pausedCycles }: Pick<SubscriptionRow, "pausedCycles">, cycle: number): number =>
  (pausedCycles ?? []).reduce((at, [from, to]) => (to !== null && at >= from && at < to ? to : at), cycle);

/**
 * Which cycles a pause takes out that begins now. Not those that began before it: they may wait for a charge that has not
 * reached the provider. After a failure nothing waits for it: no period begins before it is paid, nor for that time.
 */
export function pausedFrom(row: SubscriptionRow, now: number): Pick<SubscriptionRow, "pausedCycles"> {
  if (row.failedAt !== null) return { pausedCycles: null };
  const earlier = (row.pausedCycles ?? []).filter(([, to]) => to !== null && to > row.nextCycle);
  const from = afterPauses(row, Math.max(row.nextCycle, nextPeriod(periodsOf(row), now + 1)));
  return { pausedCycles: [...earlier, [from, null]] };
}

/**
 * How a subscription goes on whose pause ended at `end`: periods that began before the pause still begin, then the next one
 * after it.
 */
export function pausedUntil(
  row: SubscriptionRow,
  end: number,
): Pick<SubscriptionRow, "nextCycle" | "nextChargeAt" | "pausedCycles"> {
  const next = goOnAt(row, end);
  const [from, to] = row.pausedCycles?.at(-1) ?? [row.nextCycle, null];
  // A restored backup pauses without a list: what was due then may have been charged.
  const isWaiting = row.failedAt === null && to === null && row.nextCycle < from;
  if (!isWaiting) return { ...next, pausedCycles: null };
  const { nextCycle, nextChargeAt } = row;
  const taken: NonNullable<SubscriptionRow["pausedCycles"]> = from < next.nextCycle ? [[from, next.nextCycle]] : [];
  return { nextCycle, nextChargeAt, pausedCycles: [...(row.pausedCycles ?? []).slice(0, -1), ...taken] };
}

/** When period `cycle` is charged; null if there is none. */
export const chargeAt = (row: SubscriptionRow, cycle: number): number | null =>
  hasBegunAll(row) ? null : periodStart(periodsOf(row), cycle);

type Charged = Pick<SubscriptionRow, "status" | "retryAt" | "nextChargeAt" | "cancelAtPeriodEnd" | "currentPeriodEnd">;

/** When it is charged next; null if it is not, paused, or ends before. */
export function nextChargeAt({ status, retryAt, nextChargeAt: at, ...row }: Charged): number | null {
  if (status === "paused") return null;
  if (!row.cancelAtPeriodEnd) return retryAt ?? at;
  return retryAt !== null && retryAt < (row.currentPeriodEnd ?? 0) ? retryAt : null;
}

/** Whether there is a card to charge: one is stored, and the bank has not refused it for good. */
const hasUsableCard = ({ methodId, isMethodRefused }: SubscriptionRow): boolean =>
  methodId !== null && !isMethodRefused;

/**
 * Whether the current period is not paid and may still be charged: a charge is under way, or a try of a card comes before
 * the end. A pause without an end may end in time.
 */
export function mayChargeCurrent(row: SubscriptionRow): boolean {
  if (row.attemptId !== null) return true;
  if (row.retryAt === null || !hasUsableCard(row)) return false;
  const end = row.cancelAtPeriodEnd ? (row.currentPeriodEnd ?? 0) : Number.POSITIVE_INFINITY;
  const resumesAt = row.status === "paused" ? (row.resumeAt ?? 0) : 0;
  return Math.max(row.retryAt, resumesAt) < end;
}

/** Whether a try of the renewal is still to come or under way, and the subscription ends if it fails, too. */
export const isLastTry = (row: SubscriptionRow): boolean =>
  row.retries === retryDays.length - 1 && mayChargeCurrent(row);

/**
 * When the subscription ends unless its renewal is paid on its page, because no card is tried again; null if one is, or if
 * it ends before in any case. The date is that of the last try.
 */
export function endsUnlessPaidAt(row: SubscriptionRow): number | null {
  const { status, attemptId, retryAt, retries, timezone } = row;
  if (status !== "past_due" || attemptId !== null || retryAt === null || hasUsableCard(row)) return null;
  const daysLeft = (retryDays.at(-1) ?? 0) - (retryDays[retries] ?? 0);
  const at = daysAfter(retryAt, daysLeft, timezone);
  return row.cancelAtPeriodEnd && at >= (row.currentPeriodEnd ?? 0) ? null : at;
}

/** When the next period is charged; null if none follows, or if a pause or an unpaid renewal leaves that open. */
export function nextPeriodAt(row: SubscriptionRow): number | null {
  if (row.cancelAtPeriodEnd || row.failedAt !== null) return null;
  if (row.status !== "paused") return row.nextChargeAt;
  const at = row.resumeAt === null ? null : pausedUntil(row, row.resumeAt).nextChargeAt;
  return at === null ? null : Math.max(at, row.resumeAt ?? 0);
}

/** Why a command does not fit what the subscription is; null if it does. */
export function refusalTo(
  command: "pause" | "resume" | "keep" | "cancel_now" | "cancel_later" | "change_amount" | "change_card",
  row: Pick<SubscriptionRow, "status" | "cancelAtPeriodEnd" | "cycles" | "cyclesBegun">,
): string | null {
  const { status, cancelAtPeriodEnd } = row;
  const isOver = status === "canceled" || status === "ended";
  switch (command) {
    case "pause":
      if (status === "paused") return "The subscription is paused already.";
      return isOver || status === "incomplete" ? `The subscription is ${status}: it cannot be paused.` : null;
    case "resume":
      return status === "paused" ? null : `The subscription is ${status}, not paused.`;
    case "keep":
      if (isOver) return `The subscription is ${status} already.`;
      return cancelAtPeriodEnd ? null : "The subscription is not canceled at the end of its period.";
    case "cancel_now":
      return isOver ? `The subscription is ${status} already.` : null;
    case "cancel_later":
      if (isOver) return `The subscription is ${status} already.`;
      if (status === "incomplete") return "The subscription has no period yet: cancel it now.";
      return cancelAtPeriodEnd ? "The subscription is canceled at the end of the period already." : null;
    case "change_amount":
      if (isOver) return `The subscription is ${status}: no cycle follows.`;
      return hasBegunAll(row) ? "All cycles of the subscription have begun: no cycle follows." : null;
    case "change_card":
      if (status === "incomplete") return "The subscription has not begun: its first payment stores the card.";
      return isOver ? `The subscription is ${status}: no card is charged.` : null;
  }
}
