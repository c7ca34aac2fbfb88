// Which card is that of a subscription: one that was stored with a card link becomes it when payments settle it.
import { type MethodRow, readMethod } from "@/server/domains/payments/methods/store";
import type { WriteContext } from "@/server/kit/context";
import { findCardLink, markCardLinkUsed } from "./card-link-store";
import { changeSubscription } from "./change";
import { isLive } from "./rules";
import { lockSubscription, type SubscriptionRow } from "./store";

/** Whether a card that was entered with the link of this hash is still wanted. Locks the subscription. */
export async function mayUseCard(ctx: WriteContext, hash: string): Promise<boolean> {
  const seen = await findCardLink(ctx.db, hash);
  const row = seen && (await lockSubscription(ctx.db, seen.subscriptionId));
  // Only now, with the subscription locked, nobody replaces the link.
  const link = await findCardLink(ctx.db, hash);
  return row !== undefined && isLive(row) && link?.usedAt === null;
}

/** Makes the card that of its subscription, which {@link mayUseCard} has locked. The link has then done its work. */
export async function useCard(ctx: WriteContext, { id, cardLink, paymentMethod }: MethodRow): Promise<void> {
  const link = cardLink === null ? undefined : await findCardLink(ctx.db, cardLink);
  const row = link && (await lockSubscription(ctx.db, link.subscriptionId));
  if (!row) throw new Error(`The stored method ${id} has no card link.`);
  await markCardLinkUsed(ctx.db, link.hash, ctx.realNow);
  const more = { payment_method_last4: paymentMethod?.last4 ?? null };
  await changeSubscription(ctx, row, { methodId: id, isMethodRefused: false }, "updated", more);
}

/**
 * Whether the card of the subscription was stored at `since` or later, on a page or with a link. If so, a charge that began
 * at `since` was made with an earlier card, and its result says nothing about this one.
 */
export async function isStoredSince(
  { db }: WriteContext,
  { methodId }: Pick<SubscriptionRow, "methodId">,
  since: number,
): Promise<boolean> {
  const method = methodId === null ? undefined : await readMethod(db, methodId);
  return method?.settledAt != null && method.settledAt >= since;
}
