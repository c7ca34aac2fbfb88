// Updates the row of a reusable link: from a command, from the time, or because one of its uses has changed.
import type { Reader } from "@/db/client";
import { schedule, unschedule } from "@/server/domains/jobs/queue";
import { notifyAdmins } from "@/server/domains/users/notices";
import { bucketOf, secondsToWait } from "@/server/fairness/throttle";
import type { WriteContext } from "@/server/kit/context";
import { dayMs, hourMs } from "@/server/kit/limits";
import { announce } from "../announce";
import type { CardFailure } from "../declines";
import { type PaymentRow, readPayment, updatePayment } from "../store";
import { hasManyFailures, noteFailure } from "./brake";
import { hasNoPlace, linkStatus } from "./usage";

type Change = Partial<
  Pick<
    PaymentRow,
    | ("canceledAt" | "cancellationReason" | "expiresAt" | "expiresAlone" | "viewedAt")
    | ("usesCount" | "usesReserved" | "amountPaid" | "amountRefunded")
    | "manyDeclinesAt"
  >
>;

/** Writes the change of a link, which the caller has locked, with the status that follows. Emits its events. */
export async function refreshLink(ctx: WriteContext, row: PaymentRow, change: Change = {}): Promise<PaymentRow> {
  const columns = { ...row, ...change };
  const status = linkStatus(columns, ctx.now);
  const updated = await updatePayment(ctx.db, row.id, {
    ...change,
    status,
    paidAt: row.paidAt ?? (status === "paid" ? ctx.now : null),
    version: row.version + 1,
    updatedAt: Math.max(ctx.now, row.updatedAt),
  });
  if (!updated) throw new Error(`The reusable link ${row.id} no longer exists although it was locked.`);
  for (const type of eventsOf(row, updated)) announce(ctx, type, row, updated);
  const { id: objectId, organizationId, expiresAt } = updated;
  if (status !== "pending") await unschedule(ctx, "payments.expire", objectId);
  else if (expiresAt !== null && (expiresAt !== row.expiresAt || row.status !== "pending"))
    await schedule(ctx, { kind: "payments.expire", organizationId, objectId, dueAt: expiresAt });
  return updated;
}

function eventsOf(before: PaymentRow, after: PaymentRow): string[] {
  const events: string[] = [];
  if (after.expiresAt !== before.expiresAt) events.push("payment.updated");
  else if (after.status !== before.status) events.push(eventOfStatus(after.status));
  if (after.viewedAt !== before.viewedAt) events.push("payment.viewed");
  if (after.manyDeclinesAt !== before.manyDeclinesAt) events.push("payment.many_declines");
  return events;
}

/** A full link has an event of its own: `payment.paid` tells about money, and no money was paid for the link itself. */
function eventOfStatus(status: PaymentRow["status"]): string {
  if (status === "paid") return "payment.used_up";
  return status === "pending" ? "payment.updated" : `payment.${status}`;
}

/** The link of a use, which the caller has locked; null for any other payment request. */
export async function linkOf(
  { db }: { db: Reader },
  { parentPaymentId }: Pick<PaymentRow, "parentPaymentId">,
): Promise<PaymentRow | null> {
  if (parentPaymentId === null) return null;
  const link = await readPayment(db, parentPaymentId);
  if (!link) throw new Error(`The reusable link ${parentPaymentId} does not exist.`);
  return link;
}

/** Whether the payment request, locked with its link, has a place or may take one. Only uses of links need one. */
export async function mayTakePlace(ctx: { db: Reader }, row: PaymentRow): Promise<boolean> {
  const link = row.place === null ? await linkOf(ctx, row) : null;
  return link === null || (link.canceledAt === null && !hasNoPlace(link));
}

/** Follows a change of one of the link's uses, with both rows locked: its places and the sums of its uses. */
export async function followUse(ctx: WriteContext, link: PaymentRow, before: PaymentRow, after: PaymentRow) {
  const gained = (place: PaymentRow["place"]) => Number(after.place === place) - Number(before.place === place);
  const change = {
    usesCount: link.usesCount + gained("taken"),
    usesReserved: link.usesReserved + gained("held"),
    amountPaid: link.amountPaid + after.amountPaid - before.amountPaid,
    amountRefunded: link.amountRefunded + after.amountRefunded - before.amountRefunded,
  };
  const hasChanged = Object.entries(change).some(([name, value]) => link[name as keyof typeof change] !== value);
  if (hasChanged) await refreshLink(ctx, link, change);
}

/**
 * Counts an attempt that was declined or never confirmed. Announces, at most once an hour, that so many failed that
 * somebody may be trying out stolen cards, and mails that to the admins at most once a day.
 */
export async function countFailure(ctx: WriteContext, linkId: string, failure: CardFailure): Promise<void> {
  await noteFailure(ctx, linkId, failure);
  if (!(await hasManyFailures(ctx, linkId))) return;
  const link = await readPayment(ctx.db, linkId);
  const isNew = link && (link.manyDeclinesAt === null || ctx.now >= link.manyDeclinesAt + hourMs);
  if (!isNew) return;
  await refreshLink(ctx, link, { manyDeclinesAt: ctx.now });
  const daily = { bucket: bucketOf("link-declines-mail", linkId), limit: 1, windowMs: dayMs };
  if ((await secondsToWait(ctx.db, ctx.realNow, [daily])) !== null) return;
  await notifyAdmins(ctx, link.organizationId, { notice: "cards_declined", subject: link.description ?? link.id });
}
