// Applies what a provider says about an attempt to store a card without money, wherever it comes from.
import type { TransactionFailure } from "@/db/schema/values";
import { schedule, unschedule } from "@/server/domains/jobs/queue";
import type { ChargeResult } from "@/server/domains/providers/provider";
import type { WriteContext } from "@/server/kit/context";
import { limits } from "@/server/kit/limits";
import { refreshPayment } from "../refresh";
import { lockPayment, type PaymentRow } from "../store";
import { subscriptions } from "../subscriptions";
import { forgetLater } from "./forget-later";
import { type MethodRow, readMethod, updateMethod } from "./store";

/** How far an attempt has come. The furthest status wins, so results may arrive in any order and number. */
const progress: Readonly<Record<MethodRow["status"], number>> = {
  processing: 0,
  requires_action: 1,
  failed: 2,
  stored: 3,
};

/** The failure of an attempt whose payment request or subscription no longer wanted the card when it was stored. */
const canceledBefore: TransactionFailure = {
  code: "canceled",
  message: "The payment request was canceled, or the link or the subscription ended, before the card was stored.",
};

/**
 * Settles the result: updates the attempt and its payment request or, with a card link, the subscription. A card that was
 * stored after nobody wanted it any more is not kept, here or at the provider: unlike money, nothing of it has to be
 * accounted for. Idempotent.
 */
export async function settleMethod(ctx: WriteContext, id: string, result: ChargeResult): Promise<MethodRow> {
  const seen = await readMethod(ctx.db, id);
  if (!seen) throw new Error(`No stored method has the id ${id}.`);
  const payment = await lockPayment(ctx.db, seen.paymentId);
  const row = (await readMethod(ctx.db, id)) ?? seen;
  const isTooLate = statusOf(result) === "stored" && !(await isWanted(ctx, row, payment));
  const status = isTooLate ? "failed" : statusOf(result);
  // The provider may have stored the card of an attempt that was given up: it is to be forgotten.
  const isUnkept = isTooLate && row.status === "failed" && row.failure?.code !== canceledBefore.code;
  if (progress[status] <= progress[row.status] && !isUnkept) return named(ctx, row, result);
  const isOver = status === "stored" || status === "failed";
  const after = await updateMethod(ctx.db, id, {
    status,
    // Also of a card that is not kept: the provider has stored it, and is to forget it.
    providerReference: status === "stored" || isTooLate ? (result.storedMethod ?? null) : null,
    attemptReference: row.attemptReference ?? result.reference,
    actionUrl: status === "requires_action" ? result.actionUrl : null,
    paymentMethod: row.paymentMethod ?? result.method,
    failure: isTooLate ? canceledBefore : status === "failed" ? result.failure : null,
    settledAt: isOver ? ctx.now : null,
    updatedAt: ctx.now,
  });
  if (isTooLate) await forgetLater(ctx, after);
  const job = { kind: "payments.look_up_method", organizationId: row.organizationId, objectId: id } as const;
  if (isOver) await unschedule(ctx, job.kind, id);
  else if (status === "requires_action")
    await schedule(ctx, { ...job, dueAt: row.createdAt + limits.charge.confirmMs });
  if (row.cardLink === null) await refreshPayment(ctx, row.paymentId);
  else if (status === "stored") await subscriptions().useCard(ctx, after);
  return after;
}

/** Notes the provider's reference of an attempt that was given up before it arrived. */
const named = async (ctx: WriteContext, row: MethodRow, { reference }: ChargeResult): Promise<MethodRow> =>
  row.attemptReference !== null || reference === null
    ? row
    : updateMethod(ctx.db, row.id, { attemptReference: reference, updatedAt: ctx.now });

/** Whether the card may be kept. With a card link, this locks the subscription. */
const isWanted = async (ctx: WriteContext, { cardLink }: MethodRow, payment?: PaymentRow): Promise<boolean> =>
  cardLink === null ? payment?.canceledAt == null : subscriptions().mayUseCard(ctx, cardLink);

function statusOf({ status, storedMethod }: ChargeResult): MethodRow["status"] {
  if (status === "succeeded" || status === "authorized") return storedMethod ? "stored" : "failed";
  if (status === "requires_action" || status === "processing") return status;
  return "failed";
}
