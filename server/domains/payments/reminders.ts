// The job that sends the planned reminders of a payment request, each at its time and once, or notes why one is not sent.
import { type AccountRow, lockAccount } from "@/server/domains/accounts/store";
import type { Later } from "@/server/domains/jobs/runner";
import { mailThrottles } from "@/server/domains/mails/throttles";
import { inBackground } from "@/server/domains/records/in-background";
import { secondsToWait, type Throttle } from "@/server/fairness/throttle";
import type { WriteContext } from "@/server/kit/context";
import { iso } from "@/server/process/clock";
import type { Runtime } from "@/server/process/runtime";
import { factsOf } from "./facts";
import { announceReminder, countedOf, writeRequestMail } from "./mail-request";
import { goesAt, isOpenReminder, nextReminderAt, noteWaiting, remindOfLater } from "./reminder-plan";
import { type ReminderRow, type ReminderSkip, remindersOfOne, updateReminder } from "./reminder-store";
import { nextWaking, type Waking, wakingOf } from "./reminder-times";
import { isAvailable, refusalToRemind } from "./rules";
import { lockPayment, type PaymentRow, readPayment } from "./store";

const task = "payments.remind";

/**
 * Sends the latest reminder that is due and skips earlier ones, which an outage has delayed. The mail and the note that
 * it was sent are one transaction under the payment request's lock, so neither a crash nor a second worker repeats it.
 * Nobody is reminded while a payment is disputed: what is due then waits until the dispute has ended. Nor at night, or
 * beyond a limit on mails: it then waits for the next time of day at which there is room.
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
    const due = open.filter(({ plannedAt }) => plannedAt <= ctx.now).sort((a, b) => a.plannedAt - b.plannedAt);
    // The end of the dispute schedules the job again.
    if (due.length > 0 && row.disputeStatus === "open" && isWanted(row)) return undefined;
    const latest = due.at(-1);
    if (latest && goesAt(latest) <= ctx.now) {
      for (const earlier of due.slice(0, -1)) await updateReminder(ctx.db, earlier, { skippedReason: "superseded" });
      const outcome = await outcomeOf(ctx, account, row, latest);
      await updateReminder(ctx.db, latest, outcome);
      const over = due.filter((one) => one !== latest || outcome.waitingUntil === undefined);
      if (isWanted(row)) await remindOfLater(ctx, row, over);
    }
    const after = await remindersOfOne(ctx.db, paymentId);
    await noteWaiting(ctx, row, after);
    const again = nextReminderAt(after);
    return again === undefined ? undefined : { again, isAct: true };
  });

/** Whether the payment request may want money again once its dispute has ended. */
const isWanted = ({ canceledAt }: PaymentRow): boolean => canceledAt === null;

/** Sends the reminder that is due; or says why it is not sent, or until when it waits. */
async function outcomeOf(
  ctx: WriteContext,
  account: AccountRow,
  row: PaymentRow,
  { offsetDays }: ReminderRow,
): Promise<Parameters<typeof updateReminder>[2]> {
  const { id: target, organizationId } = row;
  const detail = { offset_days: offsetDays };
  const to = row.customer?.email ?? null;
  const reason = await reasonToSkip(ctx, account, row);
  if (reason !== null || to === null) {
    const skippedReason = reason ?? "customer_without_email";
    ctx.audit({ target, organizationId, detail: { ...detail, skipped_reason: skippedReason } });
    return { skippedReason };
  }
  const waitingUntil = await waitFor(ctx, row, { to, waking: await wakingOf(ctx.db, account) });
  if (waitingUntil !== null) {
    ctx.audit({ target, organizationId, detail: { ...detail, waiting_until: iso(waitingUntil) } });
    return { waitingUntil };
  }
  // In the sandbox, where a year may pass in a second, the delivery counts it in real time, too.
  const letter = { kind: "payment_reminder", to, message: null, isAutomatic: !row.livemode } as const;
  const mail = await writeRequestMail(ctx, account, row, letter);
  ctx.audit({ target, organizationId, detail: { ...detail, mail_id: mail.id } });
  announceReminder(ctx, row, { mailId: mail.id, offsetDays });
  return { sentAt: ctx.now, mailId: mail.id };
}

/** Why the reminder is not sent; null if it may be. */
async function reasonToSkip(ctx: WriteContext, account: AccountRow, row: PaymentRow): Promise<ReminderSkip | null> {
  const refusal = refusalToRemind(await factsOf(ctx.db, row), ctx.now);
  if (refusal !== null) return refusal;
  return isAvailable(account) ? null : "account_unavailable";
}

/** Until when the reminder waits, epoch ms. Null if it goes now; then it is counted against the limits on mails. */
async function waitFor(
  ctx: WriteContext,
  row: PaymentRow,
  { to, waking }: { to: string; waking: Waking },
): Promise<number | null> {
  const awake = nextWaking(ctx.now, waking);
  if (awake > ctx.now) return awake;
  const seconds = await secondsToWait(ctx.db, ctx.now, reminderThrottles(row, to));
  return seconds === null ? null : nextWaking(ctx.now + seconds * 1000, waking);
}

/**
 * The counters of a planned reminder, in the organization's time: those of all mails where that is real time, others in
 * the sandbox, so that it shows what would happen live.
 */
const reminderThrottles = (row: PaymentRow, to: string): Throttle[] =>
  mailThrottles(countedOf(row, to), null).map((one) =>
    row.livemode ? one : { ...one, bucket: `sandbox_${one.bucket}` },
  );
