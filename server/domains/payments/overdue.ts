// Announces a payment request that is overdue: its due date has passed, and it still waits for its payer.
import { unpaidStatuses } from "@/db/schema/values";
import { schedule, unschedule } from "@/server/domains/jobs/queue";
import type { Later } from "@/server/domains/jobs/runner";
import { hasEvent } from "@/server/domains/records/event-store";
import { inBackground } from "@/server/domains/records/in-background";
import type { WriteContext } from "@/server/kit/context";
import { iso } from "@/server/process/clock";
import type { Runtime } from "@/server/process/runtime";
import { announce } from "./announce";
import { amountDue, type PaymentStatus, statusAt } from "./derive";
import { refundStatuses } from "./status-tabs";
import { lockPayment, type PaymentRow } from "./store";

const task = "payments.overdue";

/** Without a refund something is always due in the unpaid statuses; after one, something may be. */
const waitingStatuses: readonly PaymentStatus[] = [...unpaidStatuses, ...refundStatuses];

/** When the payment request becomes overdue, epoch ms, as far as its stored row says; null if it does not. */
const overdueFrom = (row: PaymentRow): number | null =>
  row.dueAt !== null && waitingStatuses.includes(row.status) && amountDue(row) > 0 ? row.dueAt + 1 : null;

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

/** The job: announces it once for each due date. Resolves to when it runs again if the due date lies ahead. */
export const announceOverdue = (runtime: Runtime, paymentId: string): Promise<Later | undefined> =>
  inBackground(runtime, task, async (ctx) => {
    const row = await lockPayment(ctx.db, paymentId);
    const from = row && overdueFrom(row);
    if (!row || row.dueAt === null || !from) return undefined;
    if (ctx.now < from) return { again: from, isAct: true };
    if (!waitingStatuses.includes(statusAt(row, ctx.now))) return undefined;
    // A failed attempt or the end of a dispute schedules the job again.
    if (await hasEvent(ctx.db, row.id, "payment.overdue", from)) return undefined;
    ctx.audit({ target: row.id, organizationId: row.organizationId, detail: { due_at: iso(row.dueAt) } });
    announce(ctx, "payment.overdue", row, row, { due_at: iso(row.dueAt), amount_due: amountDue(row) });
    return undefined;
  });
