// Whether a payer can ask, or has asked, for a new link. The event that says so is the record of it.
import { and, eq, gt } from "drizzle-orm";
import type { Reader, Tx } from "@/db/client";
import { events } from "@/db/tables";
import { dayMs } from "@/server/kit/limits";
import { derivePaymentStatus, type PaymentFacts } from "./derive";
import { refusalToExtend } from "./rules";
import type { PaymentRow } from "./store";

export const linkRequested = "payment.link_requested";

/**
 * Whether the payer of a payment request can ask for a new link at `now`, or has done so within a day and since it
 * expired; null where the account could not give one.
 */
export async function newLinkOf(
  q: Reader | Tx,
  { id, expiresAt }: Pick<PaymentRow, "id" | "expiresAt">,
  facts: PaymentFacts,
  now: number,
): Promise<"possible" | "requested" | null> {
  if (derivePaymentStatus(facts, now) !== "expired" || refusalToExtend(facts, now) !== null) return null;
  return (await hasAskedSince(q, id, Math.max(now - dayMs, (expiresAt ?? 0) - 1))) ? "requested" : "possible";
}

/** Whether somebody asked for a new link for the payment request after `since` (epoch ms). */
const hasAskedSince = async (q: Reader | Tx, paymentId: string, since: number): Promise<boolean> =>
  (await q.$count(
    events,
    and(eq(events.objectId, paymentId), eq(events.type, linkRequested), gt(events.createdAt, since)),
  )) > 0;
