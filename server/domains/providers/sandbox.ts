// The sandbox provider: accepts test cards only and keeps its own rows in the database.
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
  RefundResult,
  StoredChargeRequest,
  UnsentCharge,
} from "./provider";
import { answered, type ChallengeAnswer, canceled, captured } from "./sandbox-changes";
import { currentCharge, currentRefund } from "./sandbox-due";
import {
  chargeOutcome,
  disputeOf,
  firstRefundStatus,
  lateMs,
  neverCharged,
  newCharge,
  newReference,
  newStoredCharge,
  refundFailure,
  refundResult,
  storedMethodOf,
} from "./sandbox-rules";
import {
  findSandboxByKey,
  findSandboxCharge,
  insertSandboxOnce,
  lockSandboxCharge,
  type SandboxRow,
  sandboxLeft,
  updateSandbox,
} from "./store";
import { lostAnswer, lostAnswerCode, noAnswerCode, troubledCard } from "./test-cards";

/** The address of the page on which the payer confirms a charge. */
const challengeUrl = (appUrl: string, reference: string): string => `${appUrl}/sandbox/challenge/${reference}`;

/** What the sandbox needs to run: the installation's database, clock and settings. */
type SandboxRuntime = Pick<Runtime, "db" | "clock" | "env">;

export type Sandbox = ReturnType<typeof sandboxProvider>;

/** The sandbox provider. Throws in live mode. */
export function sandboxProvider(runtime: SandboxRuntime, livemode: boolean) {
  if (livemode) throw new Error("The sandbox provider does not exist in live mode.");
  const provider = {
    name: "sandbox",
    check(details) {
      const card = readCard(details, runtime.clock.now());
      return "problems" in card ? card.problems : [];
    },
    start: (request: ChargeRequest, signal?: AbortSignal) => start(runtime, request, signal),
    chargeStored: (request: StoredChargeRequest, signal?: AbortSignal) => chargeStored(runtime, request, signal),
    forget: (methodReference: string, signal?: AbortSignal) => forget(runtime, methodReference, signal),
    giveUp: (request: UnsentCharge, signal?: AbortSignal) => giveUp(runtime, request, signal),
    capture: (reference: string, amount: number, signal?: AbortSignal) =>
      changeCharge(runtime, reference, signal, (charge, now) => captured(charge, amount, now)),
    cancel: (reference: string, from: "authorized" | "requires_action", signal?: AbortSignal) =>
      changeCharge(runtime, reference, signal, (charge) => canceled(charge, from)),
    refund: (request: RefundRequest, signal?: AbortSignal) => refund(runtime, request, signal),
    lookup: (kind: ProviderResult["kind"], idempotencyKey: string, _signal?: AbortSignal) =>
      lookup(runtime, kind, idempotencyKey),
  } satisfies PaymentProvider;
  return {
    ...provider,
    answerChallenge: (reference: string, answer: ChallengeAnswer, signal?: AbortSignal) =>
      answerChallenge(runtime, reference, answer, signal),
    findChallenge,
  };
}

async function start(runtime: SandboxRuntime, request: ChargeRequest, signal?: AbortSignal): Promise<ChargeResult> {
  const now = runtime.clock.now();
  const card = readCard(request.details, now);
  if ("problems" in card) throw new Error("The sandbox accepts only its test cards.");
  const trouble = card.checked.number === troubledCard ? card.checked.securityCode : null;
  if (trouble === noAnswerCode) return neverAnswers(signal);
  const isLost = trouble === lostAnswerCode;
  const charge = newCharge(request, card.checked, isLost, now);
  const row = await runtime.db.write(async (tx) => {
    signal?.throwIfAborted();
    const made = await insertSandboxOnce(tx, charge);
    await sendEvent(tx, runtime, made.idempotencyKey, isLost || chargeOutcome(made).disputeAt ? lateMs : 0);
    return made;
  });
  if (isLost) throw new Error(lostAnswer);
  return chargeResult(runtime, row);
}

/**
 * Charges a card that an earlier charge stored: its reference is that of this charge. One that was forgotten, or was never
 * stored, is declined.
 */
async function chargeStored(
  runtime: SandboxRuntime,
  request: StoredChargeRequest,
  signal?: AbortSignal,
): Promise<ChargeResult> {
  const now = runtime.clock.now();
  const row = await runtime.db.write(async (tx) => {
    signal?.throwIfAborted();
    const origin = await findSandboxCharge(tx, request.methodReference);
    if (!origin) throw new Error("The sandbox has never stored this card.");
    const made = await insertSandboxOnce(tx, newStoredCharge(request, origin, now));
    const delayMs = chargeOutcome(made).disputeAt ? lateMs : 0;
    await sendEvent(tx, runtime, made.idempotencyKey, delayMs);
    return made;
  });
  return chargeResult(runtime, row);
}

/** Forgets the card that a charge stored. Its charges, disputes and refunds stay. */
async function forget(runtime: SandboxRuntime, methodReference: string, signal?: AbortSignal): Promise<void> {
  await runtime.db.write(async (tx) => {
    signal?.throwIfAborted();
    const origin = await lockSandboxCharge(tx, methodReference, runtime.clock.now());
    if (!origin) return;
    const { stored: _, ...outcome } = chargeOutcome(origin);
    await updateSandbox(tx, methodReference, { outcome });
  });
}

async function giveUp(runtime: SandboxRuntime, request: UnsentCharge, signal?: AbortSignal): Promise<ChargeResult> {
  const row = await runtime.db.write((tx) => {
    signal?.throwIfAborted();
    return insertSandboxOnce(tx, neverCharged(request, runtime.clock.now()));
  });
  return chargeResult(runtime, row);
}

async function refund(runtime: SandboxRuntime, request: RefundRequest, signal?: AbortSignal): Promise<RefundResult> {
  const now = runtime.clock.now();
  const { idempotencyKey, chargeReference, amount, currency } = request;
  const row = await runtime.db.write(async (tx) => {
    signal?.throwIfAborted();
    const charge = await lockSandboxCharge(tx, chargeReference, now);
    const known = await findSandboxByKey(tx, "refund", idempotencyKey);
    if (known) return known;
    const left = charge ? await sandboxLeft(tx, charge) : 0;
    const failure = refundFailure(charge, currency, amount, left);
    const { status, next } = failure ? { status: "failed" as const } : firstRefundStatus(charge, now);
    await sendEvent(tx, runtime, idempotencyKey, next ? next.at - now : 0);
    return insertSandboxOnce(tx, {
      reference: newReference("refund"),
      kind: "refund",
      idempotencyKey,
      chargeReference,
      status,
      amount,
      currency,
      outcome: { failure, ...(status === "succeeded" && { movedAt: now }), ...(next ? { next } : {}) },
      createdAt: now,
      updatedAt: now,
    });
  });
  return refundResult(row);
}

async function lookup(
  runtime: SandboxRuntime,
  kind: ProviderResult["kind"],
  idempotencyKey: string,
): Promise<ProviderResult | null> {
  const row = await findSandboxByKey(runtime.db.read, kind, idempotencyKey);
  if (!row) return null;
  if (kind === "refund") return refundResult(await currentRefund(runtime, row));
  return chargeResult(runtime, await currentCharge(runtime, row));
}

const chargeResult = ({ env }: SandboxRuntime, row: SandboxRow): ChargeResult => ({
  kind: "charge",
  reference: row.reference,
  status: row.status as ChargeStatus,
  amountCaptured: row.amountCaptured,
  actionUrl: row.status === "requires_action" ? challengeUrl(env.appUrl, row.reference) : null,
  method: chargeOutcome(row).method,
  failure: row.status === "declined" ? chargeOutcome(row).failure : null,
  storedMethod: storedMethodOf(row),
  dispute: disputeOf(row),
  movedAt: chargeOutcome(row).movedAt ?? null,
});

/** Changes a charge as `next` says; null from `next` leaves it unchanged. */
async function changeCharge(
  runtime: SandboxRuntime,
  reference: string,
  signal: AbortSignal | undefined,
  next: (charge: SandboxRow, now: number) => Partial<SandboxRow> | null,
): Promise<ChargeResult> {
  const now = runtime.clock.now();
  const row = await runtime.db.write(async (tx) => {
    signal?.throwIfAborted();
    const charge = await lockSandboxCharge(tx, reference, now);
    if (!charge) throw new Error(`The sandbox has no charge ${reference}.`);
    const patch = next(charge, now);
    if (!patch) return charge;
    await updateSandbox(tx, reference, patch);
    const after = { ...charge, ...patch };
    // The caller gets the charge itself as the answer, so the next event is the dispute.
    await sendEvent(tx, runtime, charge.idempotencyKey, chargeOutcome(after).disputeAt ? lateMs : 0);
    return after;
  });
  return chargeResult(runtime, row);
}

/** Records the payer's answer to a confirmation. Of several answers, only the first one counts and changes anything. */
async function answerChallenge(
  runtime: SandboxRuntime,
  reference: string,
  answer: ChallengeAnswer,
  signal: AbortSignal | undefined,
): Promise<{ charge: ChargeResult; isFirst: boolean }> {
  let isFirst = false;
  const charge = await changeCharge(runtime, reference, signal, (row, now) => {
    const patch = answered(row, answer, now);
    isFirst = patch !== null;
    return patch;
  });
  return { charge, isFirst };
}

/** Sends a provider event about a charge or refund, which arrives after `delayMs`. */
const sendEvent = (tx: Tx, { clock }: SandboxRuntime, idempotencyKey: string, delayMs: number): Promise<void> =>
  providerEvent()(tx, { idempotencyKey, delayMs }, clock);

/** The charge that the payer was asked to confirm; undefined if none has this reference. */
async function findChallenge(q: Reader, reference: string): Promise<SandboxChallenge | undefined> {
  const row = await findSandboxCharge(q, reference);
  if (!row) return undefined;
  const { isChallenged, method } = chargeOutcome(row);
  if (!isChallenged || method === null) return undefined;
  const { amount, currency, idempotencyKey } = row;
  const isOpen = row.status === "requires_action";
  return { transactionId: idempotencyKey, amount, currency, isOpen, method };
}

/** A call that is never answered. Rejects when its signal aborts. */
const neverAnswers = (signal?: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason));
  });

/** What the cardholder's bank knows about a charge. */
export interface SandboxChallenge {
  transactionId: string;
  /** Minor units. */
  amount: number;
  currency: string;
  isOpen: boolean;
  method: PaymentMethod;
}
