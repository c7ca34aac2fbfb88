// What must hold for reminders: each goes once, while its payment request can be paid, or is skipped.
import type { Facts } from "./facts";
import { must, mustEqual } from "./violation";

/** The statuses in which somebody can be asked to pay. */
const payable = ["pending", "partially_paid", "partially_refunded", "refunded"];

/** Invariants 10 and 21, for reminders. */
export function checkReminders({ reminders, payments, events, jobs }: Facts): void {
  for (const { paymentId, offsetDays, plannedAt, sentAt, skippedReason } of reminders) {
    const name = `the reminder ${offsetDays} of ${paymentId}`;
    const own = events.filter(
      ({ type, objectId, data }) =>
        type === "payment.reminder_sent" && objectId === paymentId && data.offset_days === offsetDays,
    );
    const sent = own.map(({ createdAt }) => createdAt);
    const request = payments.find(({ id }) => id === paymentId);
    const plan = request?.installments ?? null;
    if (plan === null) mustEqual(sent, sentAt === null ? [] : [sentAt], "10", `${name}: its events`);
    // Reminders are planned again for each installment, and what is kept says when the latest went.
    else must(sent.length <= plan.length, "10", `${name} went ${sent.length} times for ${plan.length} installments`);
    must(sentAt === null || sent.at(-1) === sentAt, "10", `${name} has no event`);
    for (const { data, createdAt } of own) {
      // An advance of the clock carries it out at its own instant, even if others have written at the end by then.
      const end = request?.expiresAt ?? Number.POSITIVE_INFINITY;
      const mayGo = payable.includes(String(data.status)) || (data.status === "expired" && createdAt < end);
      must(mayGo, "20", `${name} went while ${data.status}`);
    }
    must(sentAt === null || sentAt >= plannedAt, "20", `${name} went before its time`);
    // The end of a dispute schedules what was due during it.
    const waits = sentAt === null && skippedReason === null && request?.disputeStatus !== "open";
    const job = jobs.find(({ kind, objectId }) => kind === "payments.remind" && objectId === paymentId);
    must(!waits || job !== undefined, "21", `${name} has no job`);
  }
}
