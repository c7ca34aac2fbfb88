// Which card is that of a subscription: one that was stored with a card link becomes it when payments settle it.
import type { MethodRow } from "@/server/domains/payments/methods/store";
import { readTransaction } from "@/server/domains/transactions/store";
import type { WriteContext } from "@/server/kit/context";
import { findCardLink, markCardLinkUsed } from "./card-link-store";
import { changeSubscription } from "./change";
import { isLive } from "./rules";
import { lockSubscription, readSubscription, type SubscriptionRow } from "./store";

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

/** What {@link cardOf} resolves to for a subscription without a card. */
const noCard = "none";

const nameOf = ({ methodId }: Pick<SubscriptionRow, "methodId">): string => methodId ?? noCard;

/** Which card the subscription, which is locked, has. */
export async function cardOf(ctx: WriteContext, subscriptionId: string): Promise<string> {
  const row = await readSubscription(ctx.db, subscriptionId);
  if (!row) throw new Error(`No subscription has the id ${subscriptionId}.`);
  return nameOf(row);
}

/**
 * Whether the subscription, which is locked, got another card since the charge began, on a page or with a link. If so, the
 * result of the charge says nothing about that card. The order is that of the database: processes have different clocks.
 */
export async function hasOtherCardSince(ctx: WriteContext, row: SubscriptionRow, chargeId: string): Promise<boolean> {
  const charge = await readTransaction(ctx.db, chargeId);
  if (charge === undefined || charge.cardBefore === null) throw new Error(`${chargeId} is no charge for a renewal.`);
  return charge.cardBefore !== nameOf(row);
}
