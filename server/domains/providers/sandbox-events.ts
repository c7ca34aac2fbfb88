// Events that somebody brings about in the sandbox: what each makes of a charge or refund. Pure.
import type { PaymentMethod, TransactionFailure } from "@/db/schema/values";
import type { ChargeDispute, ChargeRequest, ChargeStatus, RefundRequest } from "./provider";
import { authorizationLifetimeMs } from "./provider";
import { taken } from "./sandbox-changes";
import { chargeOutcome, declinedAs, disputeOf, newReference, returned } from "./sandbox-rules";
import type { SandboxRow } from "./store";
import { refused } from "./test-cards";

/** The events that the sandbox can be made to bring. */
export const simulatedEvents = [
  ...(["authorize", "capture", "decline", "settle", "refund_fail"] as const),
  ...(["dispute", "dispute_won", "dispute_lost"] as const),
] as const;
export type SimulatedEvent = (typeof simulatedEvents)[number];
export type DisputeEvent = Extract<SimulatedEvent, `dispute${string}`>;
/** The events that decide about a charge. */
export type ChargeEvent = Exclude<SimulatedEvent, "refund_fail" | DisputeEvent>;

/** What the sandbox knows about a charge. One that it never received is `processing`: its outcome is still open. */
export interface ChargeState {
  status: ChargeStatus;
  captureMethod: ChargeRequest["captureMethod"];
  /** Whether the card is declined once the payer has confirmed the payment. */
  isDeclined: boolean;
  /** Epoch ms. */
  createdAt: number;
}

/**
 * The status of a charge after the event; null if the event does not fit. An outcome that the sandbox has reached and not
 * reported stays: the event then only reports it.
 */
export function chargeAfter(event: ChargeEvent, charge: ChargeState, now: number): ChargeStatus | null {
  const { status, captureMethod, isDeclined, createdAt } = charge;
  const wanted = captureMethod === "manual" ? "authorized" : "succeeded";
  const isOpen = status === "processing" || status === "requires_action";
  const reached = (end: ChargeStatus): ChargeStatus | null => (isOpen || status === end ? end : null);
  switch (event) {
    case "authorize":
      return wanted === "authorized" ? reached(wanted) : null;
    case "capture":
      if (status === "authorized") return now < createdAt + authorizationLifetimeMs ? "succeeded" : null;
      return wanted === "succeeded" ? reached(wanted) : null;
    case "decline":
      return reached("declined");
    case "settle":
      if (!isOpen) return status;
      return status === "requires_action" && isDeclined ? "declined" : wanted;
  }
}

/** The change of a charge's row that leads to a status of {@link chargeAfter}. */
export function chargeChange(charge: SandboxRow, status: ChargeStatus, now: number): Partial<SandboxRow> {
  if (status === charge.status) return {};
  if (status === "declined") return declinedAs(charge, chargeOutcome(charge).failure ?? refused);
  return status === "succeeded" ? taken(charge, charge.amount, now) : { status, amountCaptured: 0 };
}

const unknownCard: PaymentMethod = { type: "card", brand: null, last4: null, exp_month: null, exp_year: null };

/** The row of a charge that the sandbox has not received, and whose outcome is open. */
export function openCharge(
  request: Pick<ChargeRequest, "idempotencyKey" | "amount" | "currency" | "captureMethod">,
  now: number,
): SandboxRow {
  const { captureMethod, ...columns } = request;
  const outcome = { method: unknownCard, failure: null, captureMethod, isChallenged: false, refund: "at once" };
  const reference = newReference("charge");
  const own = { kind: "charge", status: "processing", chargeReference: null, amountCaptured: 0 } as const;
  return { reference, ...columns, ...own, outcome, createdAt: now, updatedAt: now };
}

/** The row of a refund that the sandbox has not received, and whose outcome is open. */
export function openRefund(request: RefundRequest, now: number): SandboxRow {
  const own = { kind: "refund", status: "pending", amountCaptured: 0, outcome: { failure: null } } as const;
  return { reference: newReference("refund"), ...request, ...own, createdAt: now, updatedAt: now };
}

/** The change of a refund's row after the event. An outcome that it has reached stays when it is settled. */
export function refundChange(event: "settle" | "refund_fail", status: string, now: number): Partial<SandboxRow> {
  if (event === "refund_fail") return { status: "failed", outcome: { failure: returned } };
  return status === "pending" ? { status: "succeeded", outcome: { failure: null, movedAt: now } } : {};
}

/**
 * The dispute of a charge after the event; null if the event does not fit. `left` is what is neither refunded nor being
 * refunded, in minor units: all of it is disputed.
 */
export function disputeAfter(event: DisputeEvent, charge: SandboxRow, left: number): ChargeDispute | null {
  const dispute = disputeOf(charge);
  if (event === "dispute") return dispute || left === 0 ? null : newDispute(charge, left);
  if (dispute?.status !== "open") return null;
  return { ...dispute, status: event === "dispute_won" ? "won" : "lost" };
}

/** The dispute of a charge that its payer opens: the sandbox knows one of each charge. */
export const newDispute = ({ reference, currency }: SandboxRow, amount: number): ChargeDispute => ({
  ...{ reference: `${reference}_dispute`, status: "open", amount, currency },
});

/** The change of a charge's row that leads to a dispute of {@link disputeAfter}. */
export const disputeChange = (charge: SandboxRow, dispute: ChargeDispute): Partial<SandboxRow> => ({
  outcome: { ...chargeOutcome(charge), dispute },
});

/** The change of an unknown refund that the sandbox refuses, because less of its charge is left. */
export const refusedRefund = (failure: TransactionFailure): Partial<SandboxRow> => ({
  status: "failed",
  outcome: { failure },
});
