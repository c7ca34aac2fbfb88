// Applies what a provider says about an attempt to store a card without money, wherever it comes from.
import { schedule, unschedule } from "@/server/domains/jobs/queue";
import type { ChargeResult } from "@/server/domains/providers/provider";
import type { WriteContext } from "@/server/kit/context";
import { limits } from "@/server/kit/limits";
import { refreshPayment } from "../refresh";
import { lockPayment } from "../store";
import { type MethodRow, readMethod, updateMethod } from "./store";

/** How far an attempt has come. The furthest status wins, so results may arrive in any order and number. */
const progress: Readonly<Record<MethodRow["status"], number>> = {
  processing: 0,
  requires_action: 1,
  failed: 2,
  stored: 3,
};

/** Settles the result: updates the attempt and its payment request. Idempotent. */
export async function settleMethod(ctx: WriteContext, id: string, result: ChargeResult): Promise<MethodRow> {
  const seen = await readMethod(ctx.db, id);
  if (!seen) throw new Error(`No stored method has the id ${id}.`);
  await lockPayment(ctx.db, seen.paymentId);
  const row = (await readMethod(ctx.db, id)) ?? seen;
  const status = statusOf(result);
  if (progress[status] <= progress[row.status]) return row;
  const isOver = status === "stored" || status === "failed";
  const after = await updateMethod(ctx.db, id, {
    status,
    providerReference: status === "stored" ? (result.storedMethod ?? null) : null,
    attemptReference: row.attemptReference ?? result.reference,
    actionUrl: status === "requires_action" ? result.actionUrl : null,
    paymentMethod: row.paymentMethod ?? result.method,
    failure: status === "failed" ? result.failure : null,
    settledAt: isOver ? ctx.now : null,
    updatedAt: ctx.now,
  });
  const job = { kind: "payments.look_up_method", organizationId: row.organizationId, objectId: id } as const;
  if (isOver) await unschedule(ctx, job.kind, id);
  else if (status === "requires_action")
    await schedule(ctx, { ...job, dueAt: row.createdAt + limits.charge.confirmMs });
  await refreshPayment(ctx, row.paymentId);
  return after;
}

function statusOf({ status, storedMethod }: ChargeResult): MethodRow["status"] {
  if (status === "succeeded" || status === "authorized") return storedMethod ? "stored" : "failed";
  if (status === "requires_action" || status === "processing") return status;
  return "failed";
}
