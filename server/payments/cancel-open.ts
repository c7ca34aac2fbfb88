// Ends what an account still has open, as part of closing the account.

import { schedule } from "@/server/jobs/queue";
import type { ReadContext, WriteContext } from "@/server/kit/context";
import { settle } from "@/server/transactions/settle";
import { openHoldsOf } from "./attempt-store";
import { refreshPayment } from "./refresh";
import { countOpenPayments, openPayments } from "./store";

/**
 * Cancels the account's open requests and lets their holds go in the ledger, in the caller's transaction; the number of
 * requests. The provider lets go afterwards, when the attempts are looked up. An attempt that is still under way may
 * succeed later; its money is then posted and its request is paid all the same.
 */
export async function cancelOpenPayments(ctx: WriteContext, accountId: string): Promise<number> {
  const open = await openPayments(ctx.db, accountId, ctx.now);
  for (const { id } of open) {
    await refreshPayment(ctx, id, { canceledAt: ctx.now });
    for (const hold of await openHoldsOf(ctx.db, id)) {
      await settle(ctx, hold.id, {
        kind: "charge",
        reference: hold.providerReference,
        status: "canceled",
        amountCaptured: hold.amountCaptured,
        actionUrl: null,
        method: null,
        failure: null,
      });
      const { id: objectId, organizationId } = hold;
      await schedule(ctx, { kind: "payments.lookup", organizationId, objectId, runAt: ctx.now });
    }
  }
  return open.length;
}

/** How many requests {@link cancelOpenPayments} would cancel now. */
export const openPaymentCount = ({ db, now }: ReadContext, accountId: string): Promise<number> =>
  countOpenPayments(db, accountId, now);
