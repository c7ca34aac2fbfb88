// The table of planned reminders of payment requests.
import { sql } from "drizzle-orm";
import type { Columns } from "../columns";
import type { paymentTables } from "./payments";
import { reminderSkips } from "./values";

export function reminderTables(k: Columns, { payments }: ReturnType<typeof paymentTables>) {
  /** The reminders planned for a payment request. Written with the payment request's row locked. */
  const paymentReminders = k.table(
    "payment_reminders",
    {
      paymentId: k
        .text("payment_id")
        .notNull()
        .references(() => payments.id),
      /** Days after the due date, or after the expiry of a payment request without one; negative before it. */
      offsetDays: k.integer("offset_days").notNull(),
      /** The date that it reminds of: of a plan, that of an installment. */
      dueAt: k.instant("due_at").notNull(),
      plannedAt: k.instant("planned_at").notNull(),
      /** Until when it waits for room within the limits on mails, or for the morning; null if it does not wait. */
      waitingUntil: k.instant("waiting_until"),
      /** When its mail was written; at most one of this and `skippedReason` is set. */
      sentAt: k.instant("sent_at"),
      mailId: k.text("mail_id"),
      skippedReason: k.oneOf("skipped_reason", [...reminderSkips]),
    },
    (t) => [
      k.primaryKey({ columns: [t.paymentId, t.offsetDays] }),
      k.check("payment_reminders_outcome", sql`${t.sentAt} is null or ${t.skippedReason} is null`),
    ],
  );

  return { paymentReminders };
}
