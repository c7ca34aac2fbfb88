// Finds the payment that a payer has under way through a reusable link, so that coming back does not charge twice.
import * as z from "zod";
import type { Reader } from "@/db/client";
import type { WriteContext } from "@/server/kit/context";
import { foldEmail } from "@/server/kit/fields";
import { limits } from "@/server/kit/limits";
import { findUseUnderWay } from "../attempt-store";
import { attemptKeyOf } from "../form-token";
import type { PaymentRow } from "../store";
import { linkOf } from "./refresh-link";
import { holdsItsShare, payerKeyOf } from "./reserve-place";
import { attemptInDoubt } from "./uses-store";

/** The tokens of forms that the payer's browser was shown before. */
const shownForms = z.array(z.string().max(limits.linkToken)).max(limits.links.shownForms).default([]);

/** What a browser says about the payments that were begun in it. */
export const begunHere = {
  shown: shownForms,
  /**
   * The newest payment under way when the payer said to be somebody else. It and older ones are not this payer's; one
   * that was begun later may be.
   */
  not_mine: z.string().max(limits.linkToken).default(""),
};

const begun = z.strictObject(begunHere);

/** The newest use of the link that was begun in this browser and is being paid, perhaps by the same payer. */
export async function ownUse(q: Reader, linkId: string, { shown, not_mine: notMine }: z.output<typeof begun>) {
  const use = shown.length === 0 ? undefined : await findUseUnderWay(q, linkId, shown.map(attemptKeyOf));
  return use !== undefined && use.id > notMine ? use : undefined;
}

/**
 * Why the caller may not pay another use of the link. One reason is that somebody with this e-mail address, on the same
 * internet connection, has a payment whose outcome is not known, or one that only waits for a confirmation: both would
 * charge. On another connection it may be a stranger, who must not learn that.
 */
export async function problemWithPayer(
  ctx: WriteContext,
  link: PaymentRow,
  email: string | null,
): Promise<"being_checked" | "being_confirmed" | "too_many_unconfirmed" | null> {
  const payer = { linkId: link.id, payerKey: payerKeyOf(ctx, link.id) };
  const status = email === null ? undefined : await attemptInDoubt(ctx.db, { ...payer, emailKey: foldEmail(email) });
  if (status !== undefined) return status === "processing" ? "being_checked" : "being_confirmed";
  return (await holdsItsShare(ctx, link)) ? "too_many_unconfirmed" : null;
}

/** What keeps a use that has no place yet from being paid: see {@link problemWithPayer}. */
export async function problemsWithUse(ctx: WriteContext, use: PaymentRow) {
  const link = use.place === null ? await linkOf(ctx, use) : null;
  const problem = link && (await problemWithPayer(ctx, link, use.customer?.email ?? null));
  return problem ? [problem] : [];
}
