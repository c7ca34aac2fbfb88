// Finds the payment that a payer has under way through a reusable link, so that coming back does not charge twice.
import * as z from "zod";
import type { Reader } from "@/db/client";
import type { WriteContext } from "@/server/kit/context";
import { foldEmail } from "@/server/kit/fields";
import { limits } from "@/server/kit/limits";
import { findUseUnderWay } from "../attempt-store";
import { attemptKeyOf } from "../form-token";
import type { PaymentRow } from "../store";
import { holdsItsShare, payerKeyOf } from "./reserve-place";
import { isInDoubt } from "./uses-store";

/** The tokens of forms that the payer's browser was shown before. */
export const shownForms = z.array(z.string().max(limits.linkToken)).max(limits.links.shownForms).default([]);

/** The use of the link that the payer's own browser is paying. */
export const ownUse = async (q: Reader, linkId: string, shown: z.output<typeof shownForms>) =>
  shown.length === 0 ? undefined : findUseUnderWay(q, linkId, shown.map(attemptKeyOf));

/**
 * Why the caller may not begin another use of the link. One reason is that somebody with this e-mail address, on the same
 * internet connection, has a payment whose outcome is not known. On another connection it may be a stranger, who must not
 * learn that.
 */
export async function problemWithPayer(
  ctx: WriteContext,
  link: PaymentRow,
  email: string | null,
): Promise<"being_checked" | "too_many_unconfirmed" | null> {
  const payer = { linkId: link.id, payerKey: payerKeyOf(ctx, link.id) };
  if (email !== null && (await isInDoubt(ctx.db, { ...payer, emailKey: foldEmail(email) }))) return "being_checked";
  return (await holdsItsShare(ctx, link)) ? "too_many_unconfirmed" : null;
}
