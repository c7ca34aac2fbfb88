// The sandbox provider: test cards, and a memory of its own in the database. It never sees a real card.
import { randomBytes } from "node:crypto";
import type { PaymentMethod, TransactionFailure } from "@/db/schema/values";
import type { Runtime } from "@/server/kit/runtime";
import type { ChargeRequest, ChargeResult, ChargeStatus, PaymentProvider, RefundResult } from "./provider";
import {
  findSandboxByKey,
  holdSandboxCharge,
  insertSandboxOnce,
  type SandboxRow,
  sandboxRefunded,
  updateSandboxCharge,
} from "./store";
import { type CheckedCard, lostAnswerCode, noAnswerCode, readCard, troubledCard } from "./test-cards";

interface ChargeOutcome extends Record<string, unknown> {
  method: PaymentMethod;
  failure: (TransactionFailure & { retryable: boolean }) | null;
}

const newReference = (kind: "charge" | "refund"): string => `sandbox_${kind}_${randomBytes(12).toString("hex")}`;

/** The sandbox of this installation. Throws for an organization that moves real money. */
export function sandboxProvider(runtime: Pick<Runtime, "db" | "clock">, livemode: boolean): PaymentProvider {
  if (livemode) throw new Error("The sandbox provider does not exist in live mode.");
  const { db, clock } = runtime;

  return {
    name: "sandbox",

    check(details) {
      const card = readCard(details, clock.now());
      return "problems" in card ? card.problems : [];
    },

    async start(request) {
      const card = readCard(request.details, clock.now());
      if ("problems" in card) throw new Error("The sandbox takes only its test cards.");
      const trouble = card.checked.number === troubledCard ? card.checked.securityCode : null;
      if (trouble === noAnswerCode) return new Promise<never>(() => {});
      const charge = newCharge(request, card.checked, trouble === lostAnswerCode, clock.now());
      const row = await db.write((tx) => insertSandboxOnce(tx, charge));
      if (trouble === lostAnswerCode) throw new Error("The connection to the sandbox broke.");
      return chargeResult(row);
    },

    capture: (reference, amount) => change(reference, "succeeded", amount),

    cancel: (reference) => change(reference, "canceled", 0),

    async refund(request) {
      const now = clock.now();
      const row = await db.write(async (tx) => {
        const charge = await holdSandboxCharge(tx, request.chargeReference, now);
        const known = await findSandboxByKey(tx, "refund", request.idempotencyKey);
        if (known) return known;
        const left = charge ? charge.amountCaptured - (await sandboxRefunded(tx, charge.reference)) : 0;
        const failure = refundFailure(charge, request.currency, request.amount, left);
        return insertSandboxOnce(tx, {
          reference: newReference("refund"),
          idempotencyKey: request.idempotencyKey,
          kind: "refund",
          status: failure ? "failed" : "succeeded",
          chargeReference: request.chargeReference,
          amount: request.amount,
          currency: request.currency,
          outcome: { failure },
          createdAt: now,
          updatedAt: now,
        });
      });
      return refundResult(row);
    },

    async lookup(kind, idempotencyKey) {
      const row = await findSandboxByKey(db.read, kind, idempotencyKey);
      if (!row) return null;
      return kind === "charge" ? chargeResult(row) : refundResult(row);
    },

    parseEvent() {
      throw new Error("The sandbox sends no events: its answers are final.");
    },
  };

  /** Ends an authorization; anything else stays as it is, and the answer says how. */
  async function change(reference: string, status: "succeeded" | "canceled", amount: number): Promise<ChargeResult> {
    const now = clock.now();
    const row = await db.write(async (tx) => {
      const charge = await holdSandboxCharge(tx, reference, now);
      if (!charge) throw new Error(`The sandbox knows no charge ${reference}.`);
      if (charge.status !== "authorized") return charge;
      if (amount > charge.amount) throw new Error("The sandbox cannot capture more than was authorized.");
      const next = { status, amountCaptured: amount };
      await updateSandboxCharge(tx, reference, next);
      return { ...charge, ...next };
    });
    return chargeResult(row);
  }
}

function newCharge(request: ChargeRequest, { card, method }: CheckedCard, isUntroubled: boolean, now: number) {
  const failure = isUntroubled ? null : card.decline;
  const status: ChargeStatus = failure ? "declined" : request.captureMethod === "manual" ? "authorized" : "succeeded";
  const outcome: ChargeOutcome = { method, failure };
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

function refundFailure(
  charge: SandboxRow | undefined,
  currency: string,
  amount: number,
  left: number,
): TransactionFailure | null {
  if (!charge || charge.currency !== currency) {
    return { code: "charge_not_found", message: "The provider knows no such charge." };
  }
  if (amount > left)
    return { code: "refund_too_large", message: "The refund is larger than what is left of the charge." };
  return null;
}

function chargeResult(row: SandboxRow): ChargeResult {
  const outcome = row.outcome as ChargeOutcome;
  return {
    kind: "charge",
    reference: row.reference,
    status: row.status as ChargeStatus,
    amountCaptured: row.amountCaptured,
    method: outcome.method,
    failure: outcome.failure,
  };
}

function refundResult(row: SandboxRow): RefundResult {
  return {
    kind: "refund",
    reference: row.reference,
    status: row.status as RefundResult["status"],
    failure: (row.outcome.failure ?? null) as TransactionFailure | null,
  };
}
