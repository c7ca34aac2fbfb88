// How the sandbox answers a charge or refund. Pure, apart from the random references.
import { randomBytes } from "node:crypto";
import type { PaymentMethod, TransactionFailure } from "@/db/schema/values";
import { type CheckedCard, hasEnded } from "./card-form";
import {
  type ChargeDispute,
  type ChargeRequest,
  type ChargeStatus,
  notReceived,
  type RefundResult,
  type StoredChargeRequest,
  type UnsentCharge,
} from "./provider";
import type { SandboxRow } from "./store";
import { type Decline, expired, type TestCard } from "./test-cards";

interface ChargeOutcome extends Record<string, unknown> {
  /** Null for a charge that was given up before it arrived. */
  method: PaymentMethod | null;
  failure: TransactionFailure | null;
  captureMethod: ChargeRequest["captureMethod"];
  isChallenged: boolean;
  refund: TestCard["refund"];
  /** Set if the payer disputes the charge by itself. */
  isDisputed?: boolean;
  /** Set if the card is stored once the charge succeeds: how later charges of it are declined, null if they succeed. */
  stored?: { decline: Decline | null };
  /** When the money was taken (epoch ms). */
  movedAt?: number;
  /** When the payer disputes the charge by itself (epoch ms). */
  disputeAt?: number;
  dispute?: ChargeDispute;
}

interface RefundOutcome extends Record<string, unknown> {
  failure: TransactionFailure | null;
  /** When the money was returned (epoch ms). */
  movedAt?: number;
  /** The status that follows with time alone, and when (epoch ms). */
  next?: { status: RefundResult["status"]; at: number };
}

/** The delay of a result that a test card delays on purpose. */
export const lateMs = 5_000;

/** A reference with 96 random bits. */
export const newReference = (kind: "charge" | "refund"): string => `sandbox_${kind}_${randomBytes(12).toString("hex")}`;

/** The format of a charge's reference, so that other text is rejected before a query. */
export const chargeReference = /^sandbox_charge_[0-9a-f]{24}$/;

/** What the sandbox stores about a charge in addition to its columns. */
export const chargeOutcome = (row: SandboxRow): ChargeOutcome => row.outcome as ChargeOutcome;

/** What the sandbox stores about a refund in addition to its columns. */
export const refundOutcome = (row: SandboxRow): RefundOutcome => row.outcome as RefundOutcome;

/** The dispute of a charge; null if it was not disputed. */
export const disputeOf = (row: SandboxRow): ChargeDispute | null => chargeOutcome(row).dispute ?? null;

/** The change that declines a charge. */
export const declinedAs = (charge: SandboxRow, failure: Decline): Partial<SandboxRow> => ({
  status: "declined",
  outcome: { ...chargeOutcome(charge), failure },
});

/** The row of a new charge. */
export function newCharge(request: ChargeRequest, { card, method }: CheckedCard, skipsDecline: boolean, now: number) {
  const failure = skipsDecline ? null : card.decline;
  const taken: ChargeStatus = request.captureMethod === "manual" ? "authorized" : "succeeded";
  const status: ChargeStatus = card.isChallenged ? "requires_action" : failure ? "declined" : taken;
  const { captureMethod } = request;
  const outcome: ChargeOutcome = {
    method,
    failure,
    captureMethod,
    isChallenged: card.isChallenged,
    refund: card.refund,
    ...(request.storesMethod && { stored: { decline: card.later } }),
    ...(card.isDisputed && { isDisputed: true }),
    ...(status === "succeeded" && { movedAt: now }),
    ...(card.isDisputed && status === "succeeded" && { disputeAt: now + lateMs }),
  };
  return {
    reference: newReference("charge"),
    idempotencyKey: request.idempotencyKey,
    kind: "charge" as const,
    status,
    amount: request.amount,
    amountCaptured: status === "succeeded" ? request.amount : 0,
    currency: request.currency,
    outcome,
    createdAt: now,
    updatedAt: now,
  };
}

/** The reference of the card that the charge stored: its own. Null if it stored none. */
export const storedMethodOf = (charge: SandboxRow): string | null =>
  chargeOutcome(charge).stored && ["authorized", "succeeded"].includes(charge.status) ? charge.reference : null;

/** The failure of a charge of a card that the sandbox has not stored, or has forgotten. */
const notStored: TransactionFailure = { code: "card_not_stored", message: "The provider has not stored this card." };

/** The row of a charge of the card that `origin` stored. */
export function newStoredCharge(request: StoredChargeRequest, origin: SandboxRow, now: number) {
  const { idempotencyKey, amount, currency } = request;
  const { method, stored, refund, isDisputed } = chargeOutcome(origin);
  const expiry = { month: method?.exp_month ?? 0, year: method?.exp_year ?? 0 };
  const declined = hasEnded(expiry, now) ? expired : (stored?.decline ?? null);
  const failure = storedMethodOf(origin) === null ? notStored : declined;
  const isTaken = failure === null;
  const outcome: ChargeOutcome = {
    ...{ method, failure, captureMethod: "automatic", isChallenged: false, refund },
    ...(isTaken && { movedAt: now }),
    ...(isDisputed && isTaken && { isDisputed: true, disputeAt: now + lateMs }),
  };
  return {
    reference: newReference("charge"),
    ...{ idempotencyKey, kind: "charge" as const, amount, currency, outcome },
    status: isTaken ? ("succeeded" as const) : ("declined" as const),
    amountCaptured: isTaken ? amount : 0,
    ...{ createdAt: now, updatedAt: now },
  };
}

/** The row for a charge that was given up: a call that arrives later with the same key finds it and makes no charge. */
export function neverCharged(request: UnsentCharge, now: number) {
  const { idempotencyKey, amount, currency, captureMethod } = request;
  const outcome: ChargeOutcome = {
    method: null,
    failure: notReceived,
    captureMethod,
    isChallenged: false,
    refund: "at once",
  };
  return {
    reference: newReference("charge"),
    idempotencyKey,
    kind: "charge" as const,
    status: "declined" as const,
    amount,
    amountCaptured: 0,
    currency,
    outcome,
    createdAt: now,
    updatedAt: now,
  };
}

/** The failure of a refund that the card's bank returned. */
export const returned: TransactionFailure = {
  code: "expired_or_canceled_card",
  message: "The card's bank has sent the refund back.",
};

/** The first status of a refund of this charge, and the status that follows later, if any. */
export function firstRefundStatus(
  charge: SandboxRow | undefined,
  now: number,
): Pick<RefundOutcome, "next"> & { status: RefundResult["status"] } {
  const course = charge ? chargeOutcome(charge).refund : "at once";
  const at = now + lateMs;
  if (course === "slow") return { status: "pending", next: { status: "succeeded", at } };
  return course === "returned" ? { status: "succeeded", next: { status: "failed", at } } : { status: "succeeded" };
}

/** Why a refund cannot be made, or null if it can. `left` is what can still be refunded, in minor units. */
export function refundFailure(
  charge: SandboxRow | undefined,
  currency: string,
  amount: number,
  left: number,
): TransactionFailure | null {
  if (!charge || charge.currency !== currency) {
    return { code: "charge_not_found", message: "The provider has no such charge." };
  }
  if (amount > left)
    return { code: "refund_too_large", message: "The refund is larger than what is left of the charge." };
  return null;
}

/** A refund's row as the result of a provider call. */
export const refundResult = (row: SandboxRow): RefundResult => ({
  kind: "refund",
  reference: row.reference,
  status: row.status as RefundResult["status"],
  failure: refundOutcome(row).failure,
  movedAt: refundOutcome(row).movedAt ?? null,
});
