// The job that delivers a mail. It has no transaction open while it talks to the server, so a mail may be sent twice.
import type { Later } from "@/server/domains/jobs/runner";
import { inBackground } from "@/server/domains/records/in-background";
import { secondsToWait } from "@/server/fairness/throttle";
import type { WriteContext } from "@/server/kit/context";
import { limits, minuteMs } from "@/server/kit/limits";
import type { Runtime } from "@/server/process/runtime";
import { linkOf, placeholderOf } from "./links";
import { retryDelayMs } from "./rules";
import { lockMail, type MailRow, readMail, updateMail } from "./store";
import { mailThrottles } from "./throttles";
import { type Outcome, type Outgoing, sendMail } from "./transport";

/** What becomes of a mail that is not handed to a server. */
type Kept = { status: "queued" | "held" | "failed"; lastError: string | null };

/** Delivers a queued mail, and says when to try again. A mail in another state is done. */
export async function deliverMail(runtime: Runtime, mailId: string): Promise<Later | undefined> {
  const row = await readMail(runtime.db.read, mailId);
  if (row?.status !== "queued") return undefined;
  const { mail: settings } = runtime.env;
  if (settings === null) return waitForServer(runtime, row);
  const outgoing = await outgoingOf(runtime, row);
  // Not a failure: what the mail was about is settled, or has changed since.
  if (outgoing === null) return keep(runtime, row, { status: "held", lastError: "link_expired" });
  const seconds = await secondsOverLimit(runtime, row);
  if (seconds !== null) return waitForRoom(runtime, row, seconds);
  const outcome = await sendMail(settings, outgoing);
  return inBackground(runtime, "mails.deliver", (ctx) => recordOutcome(ctx, row, outcome));
}

/** The mail with its secret link in place; null if the link is no longer of use or the bodies are gone. */
async function outgoingOf(runtime: Runtime, row: MailRow): Promise<Outgoing | null> {
  const { id, messageId, fromName, replyTo, toAddress: to, subject, text, html } = row;
  if (text === null || html === null) return null;
  const mail = { messageId, fromName, replyTo, to, subject };
  const url = await linkOf({ db: runtime.db.read, runtime }, row);
  if (url === undefined) return { ...mail, text, html };
  if (url === null) return null;
  // A URL of ours has no characters that HTML would escape.
  const filled = (body: string) => body.replaceAll(placeholderOf(id), () => url);
  return { ...mail, text: filled(text), html: filled(html) };
}

/** Leaves the mail to a process that has a mail server. If none has had one for long, the mail is held. */
async function waitForServer(runtime: Runtime, row: MailRow): Promise<Later | undefined> {
  const now = runtime.clock.now();
  if (now - row.updatedAt < limits.mail.patienceMs) return { again: now + minuteMs };
  return keep(runtime, row, { status: "held", lastError: null });
}

/**
 * Counts an automatic mail at its first try, or returns how many seconds it has to wait. One that somebody sends was
 * counted, or refused, when it was written.
 */
async function secondsOverLimit({ db, clock }: Runtime, row: MailRow): Promise<number | null> {
  if (!row.isAutomatic || row.attempts > 0) return null;
  return db.write((tx) => secondsToWait(tx, clock.now(), mailThrottles(row, null)));
}

/** Tries again once there is room within the limits. A mail that has waited for too long has failed. */
async function waitForRoom(runtime: Runtime, row: MailRow, seconds: number): Promise<Later | undefined> {
  const now = runtime.clock.now();
  const isLate = now - row.createdAt >= limits.mail.patienceMs;
  await keep(runtime, row, { status: isLate ? "failed" : "queued", lastError: "rate_limited" });
  return isLate ? undefined : { again: now + seconds * 1000 };
}

const keep = (runtime: Runtime, row: MailRow, { status, lastError }: Kept): Promise<undefined> =>
  inBackground(runtime, "mails.deliver", async (ctx) => {
    const current = await lockMail(ctx.db, row.id);
    if (current?.status !== "queued") return undefined;
    await updateMail(ctx.db, row.id, { status, lastError, updatedAt: ctx.now });
    if (status !== "queued") announce(ctx, { ...row, status, lastError });
    return undefined;
  });

async function recordOutcome(ctx: WriteContext, row: MailRow, outcome: Outcome): Promise<Later | undefined> {
  const current = await lockMail(ctx.db, row.id);
  // Another worker recorded the same try.
  if (current?.status !== "queued" || current.attempts !== row.attempts) return undefined;
  const attempts = row.attempts + 1;
  const tried = { attempts, updatedAt: ctx.now };
  if (outcome.isSent) {
    announce(ctx, await updateMail(ctx.db, row.id, { ...tried, status: "sent", lastError: null, sentAt: ctx.now }));
    return undefined;
  }
  const delay = outcome.isFinal ? null : retryDelayMs(attempts);
  const lastError = outcome.answer;
  if (delay !== null) {
    await updateMail(ctx.db, row.id, { ...tried, lastError });
    return { again: ctx.now + delay };
  }
  announce(ctx, await updateMail(ctx.db, row.id, { ...tried, status: "failed", lastError }));
  return undefined;
}

/** Records how the delivery ended, without the address and the server's answer: those can be erased, records cannot. */
function announce(
  ctx: WriteContext,
  { id, organizationId, accountId, paymentId, kind, status, attempts }: MailRow,
): void {
  ctx.audit({ target: id, organizationId, detail: { kind, status, attempts } });
  if (status !== "sent" && status !== "failed") return;
  const data = { mail_id: id, kind, status, attempts, payment_id: paymentId };
  ctx.emit({ type: `mail.${status}`, object: id, organizationId, accountId, data });
}
