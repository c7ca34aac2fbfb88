// What time alone changes in the sandbox, written when a charge or refund is next looked up.
import type { Runtime } from "@/server/process/runtime";
import { newDispute } from "./sandbox-events";
import { chargeOutcome, refundOutcome, returned } from "./sandbox-rules";
import { findSandboxByKey, lockSandboxCharge, type SandboxRow, sandboxLeft, updateSandbox } from "./store";

/** The charge, after its payer has disputed it, if that is due by now. */
export async function currentCharge(
  { db, clock }: Pick<Runtime, "db" | "clock">,
  row: SandboxRow,
): Promise<SandboxRow> {
  const now = clock.now();
  if (now < (chargeOutcome(row).disputeAt ?? Number.POSITIVE_INFINITY)) return row;
  return db.write(async (tx) => {
    const charge = (await lockSandboxCharge(tx, row.reference, now)) ?? row;
    const { disputeAt, ...outcome } = chargeOutcome(charge);
    if (disputeAt === undefined) return charge;
    const amount = await sandboxLeft(tx, charge);
    const isOpened = amount > 0 && !outcome.dispute;
    const patch = { outcome: isOpened ? { ...outcome, dispute: newDispute(charge, amount) } : outcome };
    await updateSandbox(tx, row.reference, patch);
    return { ...charge, ...patch };
  });
}

/** The refund, after writing a status change that is due by now. */
export async function currentRefund(
  { db, clock }: Pick<Runtime, "db" | "clock">,
  row: SandboxRow,
): Promise<SandboxRow> {
  const now = clock.now();
  if (!isDue(row, now)) return row;
  return db.write(async (tx) => {
    // Every other change of a refund is made with its charge locked too.
    await lockSandboxCharge(tx, row.chargeReference ?? "", now);
    const fresh = (await findSandboxByKey(tx, "refund", row.idempotencyKey)) ?? row;
    const { next } = refundOutcome(fresh);
    if (!next) return fresh;
    const outcome = next.status === "failed" ? { failure: returned } : { failure: null, movedAt: next.at };
    const patch = { status: next.status, outcome };
    await updateSandbox(tx, row.reference, patch);
    return { ...fresh, ...patch };
  });
}

const isDue = (row: SandboxRow, now: number): boolean =>
  now >= (refundOutcome(row).next?.at ?? Number.POSITIVE_INFINITY);
