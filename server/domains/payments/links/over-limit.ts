// Flags the payer beyond the limit of a reusable link: not the one who held a place in time, but one who came too late.
import type { WriteContext } from "@/server/kit/context";
import { announce } from "../announce";
import { type PaymentRow, updatePayment } from "../store";
import { isUsedUp } from "./usage";
import { findLatecomer } from "./uses-store";

/**
 * Announces who is beyond the limit if a use, changed from `before` to `after`, has paid for one more place than its link
 * has. The caller has locked the link, as it is before the change.
 */
export async function flagExcess(ctx: WriteContext, link: PaymentRow, before: PaymentRow, after: PaymentRow) {
  if (before.place === "taken" || after.place !== "taken" || !isUsedUp(link)) return;
  const tell = (was: PaymentRow, is: PaymentRow) =>
    announce(ctx, "payment.over_limit", was, is, { parent_payment_id: link.id });
  if (after.overLimitAt !== null) return tell(before, after);
  // Nobody changes uses of the link meanwhile: its lock comes first.
  const late = await findLatecomer(ctx.db, link.id);
  const excess = late ?? after;
  const flagged = await updatePayment(ctx.db, excess.id, {
    ...{ overLimitAt: ctx.now, version: excess.version + 1, updatedAt: Math.max(ctx.now, excess.updatedAt) },
  });
  if (flagged) tell(late ?? before, flagged);
}
