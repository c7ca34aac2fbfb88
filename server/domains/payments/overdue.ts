// Announces payment requests that are overdue: a due date has passed, and what was due then still waits for its payer.
import { unpaidStatuses } from "@/db/schema/values";
import { schedule, unschedule } from "@/server/domains/jobs/queue";
import type { Later } from "@/server/domains/jobs/runner";
import { eventData } from "@/server/domains/records/event-store";
import { inBackground } from "@/server/domains/records/in-background";
import type { WriteContext } from "@/server/kit/context";
import { iso } from "@/server/process/clock";
import type { Runtime } from "@/server/process/runtime";
import { announce } from "./announce";
import { amountDue, type PaymentStatus, statusAt } from "./derive";
import { openPart, paidOfPlan, sharesOf } from "./installments";
import { refundStatuses } from "./status-tabs";
import { lockPayment, type PaymentRow } from "./store";

const task = "payments.overdue";
const type = "payment.overdue";

/** Without a refund something is always due in the unpaid statuses; after one, something may be. */
const waitingStatuses: readonly PaymentStatus[] = [...unpaidStatuses, ...refundStatuses];

/** What is still to be paid of the payment request, by due dates in epoch ms: one, or that of each open installment. */
function openDates(row: PaymentRow): { at: number; amount: number }[] {
  if (!waitingStatuses.includes(row.status) || row.disputeStatus === "open" || amountDue(row) === 0) return [];
  if (row.installments === null) return row.dueAt === null ? [] : [{ at: row.dueAt, amount: amountDue(row) }];
  const open = sharesOf(row.installments, paidOfPlan(row)).filter((share) => openPart(share) > 0);
  return open.map((share) => ({ at: share.due_at, amount: openPart(share) }));
}

/** When something of the payment request is overdue first; null if nothing is or becomes so. */
function overdueFrom(row: PaymentRow): number | null {
  const [first] = openDates(row);
  return first ? first.at + 1 : null;
}

/**
 * Schedules, moves or removes the job that announces that a payment request is overdue, after a change from `before`,
 * which is null for one that has just become final.
 */
export async function followDueDate(ctx: WriteContext, before: PaymentRow | null, after: PaymentRow): Promise<void> {
  const { id: objectId, organizationId } = after;
  const [was, dueAt] = [before && overdueFrom(before), overdueFrom(after)];
  if (dueAt === was) return;
  if (dueAt === null) await unschedule(ctx, task, objectId);
  else await schedule(ctx, { kind: task, organizationId, objectId, dueAt });
}

/** The job: announces each due date that has passed, once. Resolves to when it runs again for the next one. */
export const announceOverdue = (runtime: Runtime, paymentId: string): Promise<Later | undefined> =>
  inBackground(runtime, task, async (ctx) => {
    const row = await lockPayment(ctx.db, paymentId);
    // A failed attempt or the end of a dispute, after which it waits again, schedules the job again.
    if (!row || !waitingStatuses.includes(statusAt(row, ctx.now))) return undefined;
    const dates = openDates(row);
    const known = new Set((await eventData(ctx.db, row.id, type)).map((data) => data.due_at));
    for (const { at, amount } of dates) {
      const due_at = iso(at);
      if (at >= ctx.now || known.has(due_at)) continue;
      ctx.audit({ target: row.id, organizationId: row.organizationId, detail: { due_at } });
      announce(ctx, type, row, row, { due_at, amount_overdue: amount });
    }
    const next = dates.find(({ at }) => at >= ctx.now);
    return next && { again: next.at + 1, isAct: true };
  });
