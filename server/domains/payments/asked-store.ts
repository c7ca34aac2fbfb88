// Whether a payer has asked for a new link. The event that says so is the record of it.
import { and, eq, gt } from "drizzle-orm";
import type { Reader, Tx } from "@/db/client";
import { events } from "@/db/tables";

export const linkRequested = "payment.link_requested";

/** Whether somebody asked for a new link for the payment request after `since` (epoch ms). */
export const hasAskedSince = async (q: Reader | Tx, paymentId: string, since: number): Promise<boolean> =>
  (await q.$count(
    events,
    and(eq(events.objectId, paymentId), eq(events.type, linkRequested), gt(events.createdAt, since)),
  )) > 0;
