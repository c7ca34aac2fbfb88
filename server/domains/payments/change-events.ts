// Which events announce a change of a payment request.
import { hasEvent } from "@/server/domains/records/event-store";
import type { WriteContext } from "@/server/kit/context";
import { amountDue, isPaidUp } from "./derive";
import type { PaymentStatus } from "./rules";
import { refundStatuses } from "./status-tabs";
import type { PaymentRow } from "./store";

/** The events of a change. What the customer paid comes first: it is announced whatever was refunded before. */
export async function eventsOf(ctx: WriteContext, before: PaymentRow, after: PaymentRow): Promise<string[]> {
  if (after.amountReopened > before.amountReopened) return ["payment.reopened"];
  if (after.amountWrittenOff > before.amountWrittenOff) return ["payment.written_off"];
  if (after.expiresAt !== before.expiresAt || after.extendedAt !== before.extendedAt) return ["payment.updated"];
  const isPaid = !isPaidUp(before) && isPaidUp(after);
  if (isPaid) return before.status === "authorized" ? ["payment.captured", "payment.paid"] : ["payment.paid"];
  const isMore = after.amountPaid > before.amountPaid && openAfterPart.includes(after.status);
  if (isMore && amountDue(after) > 0) return ["payment.partially_paid"];
  // A surplus has an event of its own. It is not a refund, even if the status then says that a part was refunded.
  if (isMore) return after.status === before.status ? [] : ["payment.updated"];
  if (before.status === "disputed" && (await isAsBefore(ctx, before, after))) return ["payment.updated"];
  if (after.status !== before.status) return eventsOfStatus(before.status, after.status);
  const names = ["amountRefunded", "amountDisputed", "disputeStatus"] as const;
  return names.every((name) => after[name] === before[name]) ? [] : ["payment.updated"];
}

/**
 * Whether a dispute that has ended leaves nothing new to announce: the customer got nothing back by it, and the payment
 * request did not end meanwhile.
 */
async function isAsBefore(ctx: WriteContext, before: PaymentRow, after: PaymentRow): Promise<boolean> {
  if (["disputed", "canceled"].includes(after.status)) return false;
  if (after.status === "failed") return hasEvent(ctx.db, after.id, "payment.failed", after.failedAt ?? 0);
  if (after.status === "expired") return hasEvent(ctx.db, after.id, "payment.expired", after.expiresAt ?? 0);
  return after.amountDisputed < before.amountDisputed || !refundStatuses.some((status) => status === after.status);
}

/**
 * The statuses of a payment request of which a part was paid, and possibly refunded, also while another attempt is under
 * way or disputed. Money that arrives after its end has an event of its own.
 */
const openAfterPart: readonly PaymentStatus[] = [
  ...(["partially_paid", "partially_refunded", "refunded", "failed"] as const),
  ...(["processing", "requires_action", "disputed"] as const),
];

/** The events of a change from one status to another that is not due to a payment. */
function eventsOfStatus(before: PaymentStatus, after: PaymentStatus): string[] {
  switch (after) {
    case "expired":
      return [before === "authorized" ? "payment.authorization_expired" : "payment.expired"];
    case "pending":
    case "partially_paid":
      return [wasTried(before) ? "payment.attempt_failed" : "payment.updated"];
    // A dispute has events of its own, with its transaction.
    case "disputed":
    case "paid":
    case "draft":
      return ["payment.updated"];
    default:
      return [`payment.${after}`];
  }
}

const wasTried = (status: PaymentStatus): boolean => status === "processing" || status === "requires_action";
