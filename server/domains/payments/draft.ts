// Drafts of payment requests: what their rows have instead of a link, and what begins once they are final.
import { schedule } from "@/server/domains/jobs/queue";
import type { WriteContext } from "@/server/kit/context";
import type { ServerKeys } from "@/server/process/server-key";
import { newLink } from "./link";
import { followDueDate } from "./overdue";
import { planReminders } from "./reminder-plan";
import type { ReminderRow } from "./reminder-store";
import { reminderBase } from "./reminder-times";
import type { PaymentRow } from "./store";

/** The columns that make a row a draft, which has no link. */
export const draftColumns = (offsets: readonly number[] | null) => ({
  status: "draft" as const,
  draft: { offsets_days: offsets },
  linkHash: null,
  linkNonce: null,
  linkKeyId: null,
});

/** The same columns of a payment request that has just become final. */
export const finalColumns = (id: string, keys: ServerKeys) => ({
  status: "pending" as const,
  draft: null,
  ...newLink(keys, id),
});

/** What begins once a payment request is final: the time to pay, the wait for its due date, and its reminders. */
export async function beginFinal(
  ctx: WriteContext,
  row: PaymentRow,
  offsets: readonly number[] | null,
): Promise<ReminderRow[]> {
  const { id: objectId, organizationId, expiresAt } = row;
  if (expiresAt !== null) await schedule(ctx, { kind: "payments.expire", organizationId, objectId, dueAt: expiresAt });
  await followDueDate(ctx, null, row);
  const base = reminderBase(row);
  return offsets && base !== null ? planReminders(ctx, row, base, offsets) : [];
}
