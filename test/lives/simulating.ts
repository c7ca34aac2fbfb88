// Steps of the sandbox: an admin moves its clock, brings an event of the provider about, or repeats the provider's events.
import { moveSandboxClock } from "@/server/domains/sandbox/operations/move-clock";
import { simulateEvent } from "@/server/domains/sandbox/operations/simulate";
import { stormEvents } from "@/server/domains/sandbox/operations/storm";
import { dayMs } from "@/server/kit/limits";
import type { World } from "../world";
import type { Action } from "./calls";
import { type Facts, paymentsOf } from "./facts";
import type { Asked, Scene } from "./scene";
import type { Step } from "./steps";
import { must, mustEqual } from "./violation";

type Simulating = Extract<Step, { do: "moveClock" | "simulate" | "storm" }>;
type Event = Extract<Step, { do: "simulate" }>["event"];

const once = { times: 1, key: "none", fault: null } as const;

/** The calls of a step; none if what it acts on does not exist. */
export function simulating(scene: Scene, step: Simulating, facts: Facts): Action[] {
  const { admin } = scene.people;
  if (step.do === "moveClock") {
    const call = (world: World) => world.call(moveSandboxClock, admin, { advance: step.advance });
    const remember = (answer: unknown) => must(!isRunning(answer), "20", "an advance of the clock has not ended");
    return [{ ...once, name: "move clock", call, isAllowed: () => true, remember }];
  }
  if (step.do === "storm") {
    const { duplicates, shuffle } = step;
    const call = (world: World) => world.call(stormEvents, admin, { duplicates, shuffle });
    const remember = (answer: unknown) =>
      mustEqual(changedBy(answer), 0, "13", "events that were repeated and changed");
    return [{ ...once, name: "storm", call, isAllowed: () => true, remember }];
  }
  const { event, key } = step;
  const likes = ({ id }: Asked) => mayBring(facts, id, event, facts.now);
  const asked = scene.request(step.request, likes);
  if (!asked) return [];
  const input = { payment_id: asked.id, event };
  return [
    {
      ...{ ...once, name: `simulate ${event}`, key },
      call: (world, idempotencyKey) => world.call(simulateEvent, admin, input, { idempotencyKey }),
      isAllowed: (now, sentAt) => mayBring(now, asked.id, event, sentAt),
    },
  ];
}

const isRunning = (answer: unknown) => (answer as { running: boolean }).running;
const changedBy = (answer: unknown) => (answer as { changed: number }).changed;

/** The rules of simulated events a second time. */
function mayBring(facts: Facts, paymentId: string, event: Event, at: number): boolean {
  const refunds = facts.transactions.filter((row) => row.paymentId === paymentId && row.type === "refund");
  const isRefund = (...statuses: string[]) =>
    refunds.some(({ provider, status }) => provider !== null && statuses.includes(status));
  if (event === "refund_fail") return isRefund("pending", "succeeded");
  if (event === "dispute" || event === "dispute_won" || event === "dispute_lost") {
    return mayDispute(facts, paymentId, event);
  }
  const settlesRefund = event === "settle" && isRefund("pending");
  const open = facts.transactions.findLast(
    ({ type, status, ...row }) =>
      row.paymentId === paymentId && type === "payment" && /^(processing|requires_|authorized)/.test(status),
  );
  if (!open) return settlesRefund;
  const charge = facts.charges.find(({ idempotencyKey }) => idempotencyKey === open.id);
  const isHeld = charge?.status === "authorized";
  const isInTime = isHeld && at < charge.createdAt + 7 * dayMs;
  if (open.status === "authorized") {
    if (event === "capture") return open.captureRequested === null && isInTime;
    return event === "settle" && (open.captureRequested !== null || settlesRefund);
  }
  const isUndecided = charge === undefined || charge.status === "requires_action";
  const isManual = facts.payments.find(({ id }) => id === paymentId)?.captureMethod === "manual";
  if (event === "authorize") return isManual && (isUndecided || isHeld);
  if (event === "capture") return isHeld ? isInTime : !isManual && (isUndecided || charge.status === "succeeded");
  return event === "settle" || isUndecided || charge.status === "declined";
}

/** Whether the latest payment that was never disputed can be, or the latest open dispute be decided. */
function mayDispute(facts: Facts, paymentId: string, event: "dispute" | "dispute_won" | "dispute_lost"): boolean {
  const wanted = event === "dispute" ? "none" : "open";
  const latest = paymentsOf(facts, paymentId).findLast(
    ({ provider, amountCaptured, disputeStatus }) =>
      provider !== null && amountCaptured > 0 && disputeStatus === wanted,
  );
  const charge = latest && facts.charges.find(({ reference }) => reference === latest.providerReference);
  if (!charge) return false;
  const { dispute } = charge.outcome as { dispute?: { status: string } };
  if (event !== "dispute") return dispute?.status === "open";
  const refunds = facts.charges.filter(
    ({ chargeReference, status }) => chargeReference === charge.reference && /^(pending|succeeded)$/.test(status),
  );
  return !dispute && refunds.reduce((left, { amount }) => left - amount, charge.amountCaptured) > 0;
}
