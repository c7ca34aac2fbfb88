// The sandbox provider: test cards, and a memory of its own in the database. It never sees a real card.
import type { Reader, Tx } from "@/db/client";
import type { PaymentMethod } from "@/db/schema/values";
import type { Runtime } from "@/server/process/runtime";
import { readCard } from "./card-form";
import { providerEvent } from "./event";
import type {
  ChargeRequest,
  ChargeResult,
  ChargeStatus,
  PaymentProvider,
  ProviderResult,
  RefundRequest,
} from "./provider";
import { authorizationLifetimeMs } from "./provider";
import {
  chargeOutcome,
  courseOf,
  declinedAs,
  lateMs,
  neverCharged,
  newCharge,
  newReference,
  refundFailure,
  refundOutcome,
  refundResult,
  returned,
} from "./sandbox-rules";
import {
  findSandboxByKey,
  findSandboxCharge,
  insertSandboxOnce,
  lockSandboxCharge,
  type SandboxRow,
  sandboxRefunded,
  updateSandbox,
} from "./store";
import { lostAnswer, lostAnswerCode, noAnswerCode, notConfirmed, troubledCard } from "./test-cards";

export type ChallengeAnswer = "complete" | "fail";

/** The address of the page on which the payer confirms a charge. */
const challengeUrl = (appUrl: string, reference: string): string => `${appUrl}/sandbox/challenge/${reference}`;

export type Sandbox = ReturnType<typeof sandboxProvider>;

/** The sandbox of this installation. Throws for an organization that moves real money. */
export function sandboxProvider(runtime: Pick<Runtime, "db" | "clock" | "env">, livemode: boolean) {
  if (livemode) throw new Error("The sandbox provider does not exist in live mode.");
  const { db, clock, env } = runtime;

  const chargeResult = (row: SandboxRow): ChargeResult => ({
    kind: "charge",
    reference: row.reference,
    status: row.status as ChargeStatus,
    amountCaptured: row.amountCaptured,
    actionUrl: row.status === "requires_action" ? challengeUrl(env.appUrl, row.reference) : null,
    method: chargeOutcome(row).method,
    failure: row.status === "declined" ? chargeOutcome(row).failure : null,
  });

  const provider = {
    name: "sandbox",

    check(details) {
      const card = readCard(details, clock.now());
      return "problems" in card ? card.problems : [];
    },

    async start(request: ChargeRequest, signal?: AbortSignal) {
      const now = clock.now();
      const card = readCard(request.details, now);
      if ("problems" in card) throw new Error("The sandbox takes only its test cards.");
      const trouble = card.checked.number === troubledCard ? card.checked.securityCode : null;
      if (trouble === noAnswerCode) return silence(signal);
      const isLost = trouble === lostAnswerCode;
      const charge = newCharge(request, card.checked, isLost, now);
      const row = await db.write(async (tx) => {
        signal?.throwIfAborted();
        const made = await insertSandboxOnce(tx, charge);
        await tell(tx, made.idempotencyKey, now, isLost ? lateMs : 0);
        return made;
      });
      if (isLost) throw new Error(lostAnswer);
      return chargeResult(row);
    },

    async giveUp(request: Omit<ChargeRequest, "details">, signal?: AbortSignal) {
      const row = await db.write((tx) => {
        signal?.throwIfAborted();
        return insertSandboxOnce(tx, neverCharged(request, clock.now()));
      });
      return chargeResult(row);
    },

    capture: (reference: string, amount: number, signal?: AbortSignal) =>
      change(reference, signal, (charge, now) => {
        if (charge.status !== "authorized") return null;
        if (now >= charge.createdAt + authorizationLifetimeMs) return { status: "canceled", amountCaptured: 0 };
        if (amount > charge.amount) throw new Error("The sandbox cannot capture more than was authorized.");
        return { status: "succeeded", amountCaptured: amount };
      }),

    cancel: (reference: string, from: "authorized" | "requires_action", signal?: AbortSignal) =>
      change(reference, signal, (charge) => {
        if (charge.status !== from) return null;
        return from === "authorized" ? { status: "canceled", amountCaptured: 0 } : declinedAs(charge, notConfirmed);
      }),

    async refund(request: RefundRequest, signal?: AbortSignal) {
      const now = clock.now();
      const row = await db.write(async (tx) => {
        signal?.throwIfAborted();
        const charge = await lockSandboxCharge(tx, request.chargeReference, now);
        const known = await findSandboxByKey(tx, "refund", request.idempotencyKey);
        if (known) return known;
        const left = charge ? charge.amountCaptured - (await sandboxRefunded(tx, charge.reference)) : 0;
        const failure = refundFailure(charge, request.currency, request.amount, left);
        const { status, next } = failure ? { status: "failed" as const } : courseOf(charge, now);
        await tell(tx, request.idempotencyKey, now, next ? next.at - now : 0);
        return insertSandboxOnce(tx, {
          reference: newReference("refund"),
          idempotencyKey: request.idempotencyKey,
          kind: "refund",
          status,
          chargeReference: request.chargeReference,
          amount: request.amount,
          currency: request.currency,
          outcome: { failure, ...(next ? { next } : {}) },
          createdAt: now,
          updatedAt: now,
        });
      });
      return refundResult(row);
    },

    async lookup(kind: ProviderResult["kind"], idempotencyKey: string, _signal?: AbortSignal) {
      const row = await findSandboxByKey(db.read, kind, idempotencyKey);
      if (!row) return null;
      return kind === "charge" ? chargeResult(row) : refundResult(await grown(row));
    },
  } satisfies PaymentProvider;

  /** The payer's answer to the request to confirm a charge. A second answer changes nothing. */
  const answerChallenge = (reference: string, answer: ChallengeAnswer, signal?: AbortSignal): Promise<ChargeResult> =>
    change(reference, signal, (charge) => {
      const { failure, captureMethod } = chargeOutcome(charge);
      if (charge.status !== "requires_action") return null;
      if (answer === "fail") return declinedAs(charge, notConfirmed);
      if (failure) return declinedAs(charge, failure);
      return captureMethod === "manual"
        ? { status: "authorized", amountCaptured: 0 }
        : { status: "succeeded", amountCaptured: charge.amount };
    });

  return { ...provider, answerChallenge, findChallenge };

  /** Moves a charge on, once; `step` says how, or null if it stays as it is. */
  async function change(
    reference: string,
    signal: AbortSignal | undefined,
    step: (charge: SandboxRow, now: number) => Partial<SandboxRow> | null,
  ): Promise<ChargeResult> {
    const now = clock.now();
    const row = await db.write(async (tx) => {
      signal?.throwIfAborted();
      const charge = await lockSandboxCharge(tx, reference, now);
      if (!charge) throw new Error(`The sandbox knows no charge ${reference}.`);
      const next = step(charge, now);
      if (!next) return charge;
      await updateSandbox(tx, reference, next);
      await tell(tx, charge.idempotencyKey, now, 0);
      return { ...charge, ...next };
    });
    return chargeResult(row);
  }

  /** Reports a change to whoever asked for the charge or refund, as a provider's event does. */
  function tell(tx: Tx, idempotencyKey: string, now: number, delayMs: number): Promise<void> {
    return providerEvent()(tx, { idempotencyKey, at: now + delayMs }, now);
  }

  /** The refund as time has made it. */
  async function grown(row: SandboxRow): Promise<SandboxRow> {
    const { next } = refundOutcome(row);
    if (!next || clock.now() < next.at) return row;
    const failure = next.status === "failed" ? returned : null;
    const change = { status: next.status, outcome: { failure } };
    await db.write((tx) => updateSandbox(tx, row.reference, change));
    return { ...row, ...change };
  }

  /** A charge that its payer was asked to confirm; undefined if there is none with this reference. */
  async function findChallenge(q: Reader, reference: string): Promise<SandboxChallenge | undefined> {
    const row = await findSandboxCharge(q, reference);
    if (!row) return undefined;
    const { isChallenged, method } = chargeOutcome(row);
    if (!isChallenged || method === null) return undefined;
    const { amount, currency, idempotencyKey } = row;
    const isOpen = row.status === "requires_action";
    return { transactionId: idempotencyKey, amount, currency, isOpen, method };
  }
}

/** A call that is never answered. */
const silence = (signal?: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason));
  });

/** What the cardholder's bank knows of a charge. */
export interface SandboxChallenge {
  transactionId: string;
  /** Minor units. */
  amount: number;
  currency: string;
  isOpen: boolean;
  method: PaymentMethod;
}
