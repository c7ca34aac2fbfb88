// The job that sends the planned reminders of a payment request, each at its time and once, or notes why one is not sent.
import { type AccountRow, lockAccount } from "@/server/domains/accounts/store";
import type { Later } from "@/server/domains/jobs/runner";
import { mailThrottles } from "@/server/domains/mails/throttles";
import { inBackground } from "@/server/domains/records/in-background";
import { secondsToWait } from "@/server/fairness/throttle";
import type { WriteContext } from "@/server/kit/context";
import type { Runtime } from "@/server/process/runtime";
import { factsOf } from "./facts";
import { announceReminder, countedOf, writeRequestMail } from "./mail-request";
import { isOpenReminder, nextReminder } from "./reminder-plan";
import { type ReminderRow, type ReminderSkip, remindersOfOne, updateReminder } from "./reminder-store";
import { isAvailable, refusalToPay } from "./rules";
import { lockPayment, type PaymentRow, readPayment } from "./store";

const task = "payments.remind";

/**
 * Sends the latest reminder that is due and skips earlier ones, which an outage has delayed. The mail and the note that
 * it was sent are one transaction under the payment request's lock, so neither a crash nor a second worker repeats it.
 * Nobody is reminded while a payment is disputed: what is due then waits until the dispute has ended.
 */
export const remindWhenDue = (runtime: Runtime, paymentId: string): Promise<Later | undefined> =>
  inBackground(runtime, task, async (ctx) => {
    const seen = await readPayment(ctx.db, paymentId);
    if (!seen) return undefined;
    const { organizationId, accountId } = seen;
    const scope = { organizationId, ownerUserId: null, accountId: null };
    const account = await lockAccount(ctx.db, scope, accountId, "share");
    const row = await lockPayment(ctx.db, paymentId);
    if (!account || !row) return undefined;
    const open = (await remindersOfOne(ctx.db, paymentId)).filter(isOpenReminder);
    const due = open.filter(({ plannedAt }) => plannedAt <= ctx.now);
    // The end of the dispute schedules the job again.
    if (due.length > 0 && row.disputeStatus === "open" && isWanted(row)) return undefined;
    const latest = due.at(-1);
    if (latest) {
      for (const earlier of due.slice(0, -1)) await updateReminder(ctx.db, earlier, { skippedReason: "superseded" });
      await sendOrSkip(ctx, account, row, latest);
    }
    const next = nextReminder(open.filter((reminder) => !due.includes(reminder)));
    return next && { again: next.plannedAt, isAct: true };
  });

/** Whether the payment request may want money again once its dispute has ended. */
const isWanted = ({ canceledAt, failedAt }: PaymentRow): boolean => canceledAt === null && failedAt === null;

async function sendOrSkip(
  ctx: WriteContext,
  account: AccountRow,
  row: PaymentRow,
  reminder: ReminderRow,
): Promise<void> {
  const { id: target, organizationId } = row;
  const detail = { offset_days: reminder.offsetDays };
  const to = row.customer?.email ?? null;
  const reason = await reasonToSkip(ctx, account, row, to);
  if (reason !== null || to === null) {
    const skippedReason = reason ?? "customer_without_email";
    await updateReminder(ctx.db, reminder, { skippedReason });
    ctx.audit({ target, organizationId, detail: { ...detail, skipped_reason: skippedReason } });
    return;
  }
  const mail = await writeRequestMail(ctx, account, row, { kind: "payment_reminder", to, message: null });
  await updateReminder(ctx.db, reminder, { sentAt: ctx.now, mailId: mail.id });
  ctx.audit({ target, organizationId, detail: { ...detail, mail_id: mail.id } });
  announceReminder(ctx, row, { mailId: mail.id, offsetDays: reminder.offsetDays });
}

/** Why the reminder is not sent; null if it is. Counts it against the limits of mails in that case. */
async function reasonToSkip(
  ctx: WriteContext,
  account: AccountRow,
  row: PaymentRow,
  to: string | null,
): Promise<ReminderSkip | null> {
  const refusal = refusalToPay(await factsOf(ctx.db, row), ctx.now);
  if (refusal !== null) return refusal;
  if (!isAvailable(account)) return "account_unavailable";
  if (to === null) return "customer_without_email";
  const seconds = await secondsToWait(ctx.db, ctx.realNow, mailThrottles(countedOf(row, to), null));
  return seconds === null ? null : "rate_limited";
}
