// Steps that pause, resume, cancel or change a subscription, as calls of the product, and what must hold of its cycles.

import { renewalKeyOf } from "@/server/domains/payments/form-token";
import {
  cancelSubscription,
  pauseSubscription,
  resumeSubscription,
} from "@/server/domains/subscriptions/operations/change";
import { updateSubscriptionFields } from "@/server/domains/subscriptions/operations/update";
import { dayMs } from "@/server/kit/limits";
import type { Action } from "./calls";
import { type Facts, paymentsOf } from "./facts";
import { mayAct } from "./questions";
import type { Steer } from "./sandbox-steps";
import type { Scene } from "./scene";
import { must, mustEqual } from "./violation";

type Subscription = Facts["subscriptions"][number];

const isOver = ({ status }: Subscription): boolean => status === "canceled" || status === "ended";

/** What the rules say about a command on a subscription in this state. */
function isAllowed(command: Steer["command"], row: Subscription): boolean {
  if (command === "resume") return row.status === "paused";
  if (command === "keep") return row.cancelAtPeriodEnd && !isOver(row);
  if (command === "pause") return ["active", "trialing", "past_due"].includes(row.status);
  if (command === "cancelLater") return !isOver(row) && row.status !== "incomplete" && !row.cancelAtPeriodEnd;
  return !isOver(row);
}

/** The call; none if there is no subscription. */
export async function steering(scene: Scene, step: Steer, facts: Facts): Promise<Action[]> {
  const seen = facts.subscriptions[step.subscription % Math.max(1, facts.subscriptions.length)];
  if (!seen) return [];
  const { sessionId, userId, call } = await scene.people.callerFor(seen.accountId, facts);
  const { command, key } = step;
  const input = { subscription_id: seen.id };
  const resume_at = step.days === null ? null : new Date(facts.now + step.days * dayMs).toISOString();
  const amount = seen.amount + 1;
  return [
    {
      ...{ name: command, times: 1, key, fault: null, sessionId },
      call: (world, idempotencyKey) => {
        const request = { idempotencyKey };
        if (command === "pause") return call(world, pauseSubscription, { ...input, resume_at }, request);
        if (command === "resume") return call(world, resumeSubscription, input, request);
        const kept = { ...input, cancel_at_period_end: false as const };
        if (command === "keep") return call(world, resumeSubscription, kept, request);
        const price = { ...input, amount, line_items: [], confirm_amount: true };
        if (command === "amount") return call(world, updateSubscriptionFields, price, request);
        const at = command === "cancelNow" ? ("now" as const) : ("period_end" as const);
        return call(world, cancelSubscription, { ...input, at }, request);
      },
      isAllowed: (now) => {
        const row = now.subscriptions.find(({ id }) => id === seen.id);
        const isSame = command === "amount" && row?.amount === amount;
        return row !== undefined && mayAct(now, userId, seen.accountId) && (isSame || isAllowed(command, row));
      },
      // A time that lies in the past once the call is made at another time than it was drawn; a period that is over.
      mayFail: (code) =>
        (code === "invalid_request" && command === "pause") ||
        (code === "invalid_subscription_state" && command === "keep"),
    },
  ];
}

/** Throws a Violation unless every cycle is charged at most once, and the counts follow from the cycles. */
export function checkCycles(facts: Facts): void {
  for (const row of facts.subscriptions) {
    const cycles = facts.cycles.filter(({ subscriptionId }) => subscriptionId === row.id);
    const paid = cycles.filter(({ paidAt }) => paidAt !== null);
    mustEqual([row.cyclesBegun, row.cyclesDone], [cycles.length, paid.length], "29", `${row.id} counts of cycles`);
    for (const [i, { cycle, paymentId, amount, periodStart, periodEnd }] of cycles.entries()) {
      const payment = facts.payments.find(({ id }) => id === paymentId);
      mustEqual([payment?.amount, payment?.subscriptionId], [amount, row.id], "29", `${row.id} cycle ${cycle}`);
      must(periodStart < periodEnd, "29", `cycle ${cycle} of ${row.id} has no length`);
      const earlier = cycles[i - 1];
      must(!earlier || earlier.periodEnd <= periodStart, "29", `cycle ${cycle} of ${row.id} begins too early`);
      const taken = paymentsOf(facts, paymentId).filter(({ amountCaptured }) => amountCaptured > 0);
      const isOnce = taken.length <= 1 || (payment?.amountOverpaid ?? 0) > 0 || !payment?.isRenewal;
      must(isOnce, "29", `cycle ${cycle} of ${row.id} was charged ${taken.length} times`);
      // A period that was paid stays paid, also if a lost dispute is due again.
      const wasPaid = facts.events.some(({ type, objectId }) => type === "payment.paid" && objectId === paymentId);
      mustEqual(cycles[i]?.paidAt !== null, wasPaid, "29", `whether cycle ${cycle} of ${row.id} is paid`);
    }
    const goesOn = ["active", "trialing", "past_due"].includes(row.status);
    const hasJob = facts.jobs.some(({ kind, objectId }) => kind === "subscriptions.run" && objectId === row.id);
    must(!goesOn || hasJob || row.attemptId !== null, "21", `${row.id} is ${row.status} and has no job`);
    must(!isOver(row) || row.nextChargeAt === null, "29", `${row.id} is ${row.status} and is to be charged`);
  }
}

/** Throws a Violation if a period began during a pause, or for another amount than the subscription had. */
export function checkBegun(facts: Facts, before: Facts): void {
  const known = new Set(before.cycles.map(({ paymentId }) => paymentId));
  for (const was of before.subscriptions) {
    const row = facts.subscriptions.find(({ id }) => id === was.id);
    const begun = facts.cycles.filter((one) => one.subscriptionId === was.id && !known.has(one.paymentId));
    const resumed = ({ events }: Facts) =>
      events.filter(({ type, objectId }) => type === "subscription.resumed" && objectId === was.id).length;
    const isPaused = was.status === "paused" && row?.status === "paused" && resumed(facts) === resumed(before);
    must(!isPaused || begun.length === 0, "29", `a period of ${was.id} began during a pause`);
    const isRenewal = ({ paymentId }: (typeof begun)[number]) => paymentId !== was.firstPaymentId;
    for (const { amount, cycle } of begun.filter(isRenewal)) {
      must([was.amount, row?.amount].includes(amount), "29", `cycle ${cycle} of ${was.id} is for ${amount}`);
    }
  }
}

/** Whether a subscription made the attempt by itself, so that no form did: its key is that of a try, not of a form. */
export function isOwnCharge(facts: Facts, { paymentId, attemptKey }: Facts["transactions"][number]): boolean {
  const payment = facts.payments.find(({ id }) => id === paymentId);
  if (!payment?.isRenewal) return false;
  const tries = Array.from({ length: payment.attemptCount }, (_, i) => renewalKeyOf(payment.id, i));
  return tries.includes(attemptKey ?? "");
}
