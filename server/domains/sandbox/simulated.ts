// What the sandbox can bring about for a payment request, by the state of its payments and refunds.
import type { Reader, Tx } from "@/db/client";
import type { PaymentRow } from "@/server/domains/payments/store";
import type { ChargeEvent, DisputeEvent, SimulatedEvent } from "@/server/domains/providers/sandbox-events";
import {
  eventsOfCharge,
  eventsOfDispute,
  type SimulatedCharge,
  simulateCharge,
  simulateDispute,
  simulateRefund,
} from "@/server/domains/providers/simulate";
import type { WriteContext } from "@/server/kit/context";
import { type DisputedPayment, openAttempt, paidAtSandbox, type Refund, standingRefund } from "./simulated-store";

type Attempt = NonNullable<Awaited<ReturnType<typeof openAttempt>>>;

/** The events that fit an attempt as we know it; the sandbox may know more. */
function eventsFor({ status, captureRequested }: Attempt): ChargeEvent[] {
  if (status !== "authorized") return ["authorize", "capture", "decline", "settle"];
  // What was decided is carried out, instead of another amount.
  return captureRequested === null ? ["capture"] : ["settle"];
}

const refundEvents = ({ refund }: Refund): ("settle" | "refund_fail")[] =>
  refund.status === "pending" ? ["settle", "refund_fail"] : ["refund_fail"];

const chargeOf = ({ id, amount, currency }: Attempt, { captureMethod }: PaymentRow): SimulatedCharge => ({
  idempotencyKey: id,
  ...{ amount, currency, captureMethod },
});

/** The events that fit the payment request now. */
export async function fittingEvents(q: Reader, payment: PaymentRow, now: number): Promise<SimulatedEvent[]> {
  const attempt = await openAttempt(q, payment.id);
  const refund = await standingRefund(q, payment.id);
  const ofCharge = attempt ? await eventsOfCharge(q, chargeOf(attempt, payment), eventsFor(attempt), now) : [];
  const ofDispute = await disputeEventsOf(q, payment.id);
  return [...new Set<SimulatedEvent>([...ofCharge, ...(refund ? refundEvents(refund) : []), ...ofDispute])];
}

/** Which disputes the events are about: the first opens one, the others decide an open one. */
const before = { dispute: "none", dispute_won: "open", dispute_lost: "open" } as const satisfies Record<
  DisputeEvent,
  DisputedPayment
>;
const disputeEvents = Object.keys(before) as DisputeEvent[];
const isOfDispute = (event: SimulatedEvent): event is DisputeEvent => event in before;

async function disputeEventsOf(q: Reader, paymentId: string): Promise<DisputeEvent[]> {
  const found = await Promise.all(
    (["none", "open"] as const).map(async (status) => {
      const payment = await paidAtSandbox(q, paymentId, status);
      const events = disputeEvents.filter((event) => before[event] === status);
      return payment ? eventsOfDispute(q, payment.providerReference ?? "", events) : [];
    }),
  );
  return found.flat();
}

/**
 * Brings the event about for the payment request, which the caller has locked. An event of a dispute is about the latest
 * payment that was never disputed, or whose dispute is open; any other about the attempt in progress, else the latest
 * refund. Resolves to the id of that transaction; null, with nothing sent, if the event does not fit.
 */
export async function bringEvent(
  ctx: Pick<WriteContext, "db" | "now" | "runtime">,
  payment: PaymentRow,
  event: SimulatedEvent,
): Promise<string | null> {
  const bringing = { now: ctx.now, clock: ctx.runtime.clock };
  if (isOfDispute(event)) return bringToDispute(ctx.db, payment.id, event, bringing);
  const attempt = await openAttempt(ctx.db, payment.id);
  if (attempt && event !== "refund_fail" && eventsFor(attempt).includes(event)) {
    const isBrought = await simulateCharge(ctx.db, event, chargeOf(attempt, payment), bringing);
    return isBrought ? attempt.id : null;
  }
  return event === "settle" || event === "refund_fail" ? bringToRefund(ctx.db, payment.id, event, bringing) : null;
}

async function bringToDispute(
  tx: Tx,
  paymentId: string,
  event: DisputeEvent,
  bringing: Parameters<typeof simulateDispute>[3],
): Promise<string | null> {
  const found = await paidAtSandbox(tx, paymentId, before[event]);
  if (!found?.providerReference) return null;
  const charge = { idempotencyKey: found.id, chargeReference: found.providerReference };
  return (await simulateDispute(tx, event, charge, bringing)) ? found.id : null;
}

async function bringToRefund(
  tx: Tx,
  paymentId: string,
  event: "settle" | "refund_fail",
  bringing: Parameters<typeof simulateRefund>[3],
): Promise<string | null> {
  const found = await standingRefund(tx, paymentId);
  if (!found || !refundEvents(found).includes(event)) return null;
  const { id: idempotencyKey, amount, currency } = found.refund;
  const request = { idempotencyKey, chargeReference: found.chargeReference, amount, currency };
  await simulateRefund(tx, event, request, bringing);
  return idempotencyKey;
}
