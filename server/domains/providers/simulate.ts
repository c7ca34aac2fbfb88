// Brings events about in the sandbox: changes its row as a real provider would, and sends the event about it.
import type { Reader, Tx } from "@/db/client";
import type { Clock } from "@/server/process/clock";
import { providerEvent } from "./event";
import type { ChargeRequest, ChargeStatus, RefundRequest } from "./provider";
import {
  type ChargeEvent,
  type ChargeState,
  chargeAfter,
  chargeChange,
  type DisputeEvent,
  disputeAfter,
  disputeChange,
  openCharge,
  openRefund,
  refundChange,
  refusedRefund,
} from "./sandbox-events";
import { chargeOutcome, refundFailure } from "./sandbox-rules";
import {
  findSandboxByKey,
  findSandboxCharge,
  insertSandboxOnce,
  lockSandboxCharge,
  type SandboxRow,
  sandboxLeft,
  updateSandbox,
} from "./store";

/** A charge of ours, whether or not the sandbox has received it. */
export type SimulatedCharge = Pick<ChargeRequest, "idempotencyKey" | "amount" | "currency" | "captureMethod">;

/** The charge as the sandbox has it now. */
const stateOf = ({ captureMethod }: SimulatedCharge, row: SandboxRow | undefined, now: number): ChargeState =>
  row
    ? {
        status: row.status as ChargeStatus,
        captureMethod: chargeOutcome(row).captureMethod,
        isDeclined: chargeOutcome(row).failure !== null,
        createdAt: row.createdAt,
      }
    : { status: "processing", captureMethod, isDeclined: false, createdAt: now };

/** Which of the events fit the charge now. */
export async function eventsOfCharge(
  q: Reader,
  charge: SimulatedCharge,
  events: readonly ChargeEvent[],
  now: number,
): Promise<ChargeEvent[]> {
  const row = await findSandboxByKey(q, "charge", charge.idempotencyKey);
  return events.filter((event) => chargeAfter(event, stateOf(charge, row, now), now) !== null);
}

interface Bringing {
  now: number;
  clock: Clock;
}

/** Brings an event of a charge about. False, with nothing sent, if it does not fit. */
export async function simulateCharge(
  tx: Tx,
  event: ChargeEvent,
  charge: SimulatedCharge,
  { now, clock }: Bringing,
): Promise<boolean> {
  const { idempotencyKey } = charge;
  const known =
    (await findSandboxByKey(tx, "charge", idempotencyKey)) ?? (await insertSandboxOnce(tx, openCharge(charge, now)));
  const row = await lockSandboxCharge(tx, known.reference, now);
  if (!row) throw new Error(`The sandbox lost the charge ${known.reference}.`);
  const status = chargeAfter(event, stateOf(charge, row, now), now);
  if (status === null) return false;
  await change(tx, row, chargeChange(row, status, now));
  await providerEvent()(tx, { idempotencyKey, delayMs: 0 }, clock);
  return true;
}

/** When the payer will dispute the charge by itself, in epoch ms; null if not. */
export async function disputeAtOf(q: Reader, idempotencyKey: string): Promise<number | null> {
  const row = await findSandboxByKey(q, "charge", idempotencyKey);
  return (row && chargeOutcome(row).disputeAt) ?? null;
}

/** Brings an event of a refund about. */
export async function simulateRefund(
  tx: Tx,
  event: "settle" | "refund_fail",
  refund: RefundRequest,
  { now, clock }: Bringing,
): Promise<void> {
  const { idempotencyKey, chargeReference } = refund;
  const charge = await lockSandboxCharge(tx, chargeReference, now);
  const known = await findSandboxByKey(tx, "refund", idempotencyKey);
  // One that arrives only now is refused if a dispute has taken the money meanwhile.
  const left = charge ? await sandboxLeft(tx, charge) : 0;
  const failure = known ? null : refundFailure(charge, refund.currency, refund.amount, left);
  const row = known ?? (await insertSandboxOnce(tx, openRefund(refund, now)));
  await change(tx, row, failure ? refusedRefund(failure) : refundChange(event, row.status, now));
  await providerEvent()(tx, { idempotencyKey, delayMs: 0 }, clock);
}

/** Which of a dispute's events fit the charge now. */
export async function eventsOfDispute(
  q: Reader,
  chargeReference: string,
  events: readonly DisputeEvent[],
): Promise<DisputeEvent[]> {
  const charge = await findSandboxCharge(q, chargeReference);
  if (!charge) return [];
  const left = await sandboxLeft(q, charge);
  return events.filter((event) => disputeAfter(event, charge, left) !== null);
}

/** Brings an event of a charge's dispute about. False, with nothing sent, if it does not fit. */
export async function simulateDispute(
  tx: Tx,
  event: DisputeEvent,
  { idempotencyKey, chargeReference }: Pick<RefundRequest, "idempotencyKey" | "chargeReference">,
  { now, clock }: Bringing,
): Promise<boolean> {
  const charge = await lockSandboxCharge(tx, chargeReference, now);
  const dispute = charge && disputeAfter(event, charge, await sandboxLeft(tx, charge));
  if (!dispute) return false;
  await change(tx, charge, disputeChange(charge, dispute));
  await providerEvent()(tx, { idempotencyKey, delayMs: 0 }, clock);
  return true;
}

async function change(tx: Tx, { reference }: SandboxRow, patch: Partial<SandboxRow>): Promise<void> {
  if (Object.keys(patch).length > 0) await updateSandbox(tx, reference, patch);
}
