// What calls change in a charge of the sandbox. Pure.
import { authorizationLifetimeMs, neverConfirmed } from "./provider";
import { chargeOutcome, declinedAs, lateMs } from "./sandbox-rules";
import type { SandboxRow } from "./store";
import { notConfirmed } from "./test-cards";

export type ChallengeAnswer = "complete" | "fail";

/** The change of a charge that is captured; null if nothing changes. */
export function captured(charge: SandboxRow, amount: number, now: number): Partial<SandboxRow> | null {
  if (charge.status !== "authorized") return null;
  if (now >= charge.createdAt + authorizationLifetimeMs) return { status: "canceled", amountCaptured: 0 };
  if (amount > charge.amount) throw new Error("The sandbox cannot capture more than was authorized.");
  return taken(charge, amount, now);
}

/** The change of a charge of which an amount is taken: its test card may dispute it soon. */
export function taken(charge: SandboxRow, amount: number, now: number): Partial<SandboxRow> {
  const outcome = chargeOutcome(charge);
  const disputed = outcome.isDisputed ? { disputeAt: now + lateMs } : {};
  return { status: "succeeded", amountCaptured: amount, outcome: { ...outcome, movedAt: now, ...disputed } };
}

/** The change of a charge that is canceled; null if nothing changes. */
export function canceled(charge: SandboxRow, from: "authorized" | "requires_action"): Partial<SandboxRow> | null {
  if (charge.status !== from) return null;
  return from === "authorized" ? { status: "canceled", amountCaptured: 0 } : declinedAs(charge, neverConfirmed);
}

/** The change of a charge whose payer answered the confirmation; null if nothing changes. */
export function answered(charge: SandboxRow, answer: ChallengeAnswer, now: number): Partial<SandboxRow> | null {
  const { failure, captureMethod } = chargeOutcome(charge);
  if (charge.status !== "requires_action") return null;
  if (answer === "fail") return declinedAs(charge, notConfirmed);
  if (failure) return declinedAs(charge, failure);
  return captureMethod === "manual" ? { status: "authorized", amountCaptured: 0 } : taken(charge, charge.amount, now);
}
