// Reserves a place of a reusable link for a use, before the provider is asked. The place itself follows from the attempt.
import type { WriteContext } from "@/server/kit/context";
import type { Fail } from "@/server/kit/operation";
import { addressBlock } from "@/server/kit/peer";
import { deriveBytes } from "@/server/secrets/secret";
import type { AttemptRow } from "../attempt-store";
import { refreshPayment } from "../refresh";
import { type PaymentRow, readPayment } from "../store";
import { linkOf } from "./refresh-link";
import { heldByOne, mostUnconfirmed } from "./rules";
import { refusalOfPlace } from "./usage";
import { heldPlaces } from "./uses-store";

/**
 * What is kept of the address that begins a use of a link: its block, hashed with the server's key, because there are
 * few enough addresses to try them all.
 */
export function payerKeyOf({ request, runtime: { keys } }: WriteContext, linkId: string): string {
  const block = addressBlock(request.ip);
  return deriveBytes(keys, keys.current.id, "payer of a link", linkId, block).toString("base64url");
}

/** Why a use without a place cannot be paid: its link has none left, or has ended. */
type Refuse = Fail<"link_used_up" | "payment_expired" | "payment_not_payable">;

/** Refuses an attempt of a use that has no place unless its link, which the caller has locked too, gives it one. */
export async function checkPlace(ctx: WriteContext, use: PaymentRow, fail: Refuse): Promise<void> {
  const link = use.place === null ? await linkOf(ctx, use) : null;
  const refusal = link && refusalOfPlace(link, ctx.now);
  if (refusal) fail(refusal);
}

/** Whether the caller's address holds its share of the places of a limited link without having paid. */
export async function holdsItsShare(ctx: WriteContext, link: PaymentRow): Promise<boolean> {
  if (link.usageLimit === null) return false;
  const places = await heldPlaces(ctx, { linkId: link.id, payerKey: payerKeyOf(ctx, link.id), useId: "" });
  return heldByOne(places).count >= mostUnconfirmed(link.usageLimit);
}

/**
 * Gives up an attempt that waits for its confirmation or capture if its address now holds more than its share of the
 * places: attempts that begin at the same time do not see each other's, and only the provider tells the card. Its use is
 * canceled, and an immediate look-up ends the attempt at the provider. Returns whether it did.
 */
export async function releaseExcess(
  ctx: WriteContext,
  { status, paymentId }: Pick<AttemptRow, "paymentId"> & { status: string },
): Promise<boolean> {
  if ((status !== "requires_action" && status !== "authorized") || paymentId === null) return false;
  const use = await readPayment(ctx.db, paymentId);
  const link = use ? await linkOf(ctx, use) : null;
  if (!use || !link || link.usageLimit === null || use.payerKey === null || use.canceledAt !== null) return false;
  const held = heldByOne(await heldPlaces(ctx, { linkId: link.id, payerKey: use.payerKey, useId: use.id }));
  if (!held.hasOwn || held.count <= mostUnconfirmed(link.usageLimit)) return false;
  await refreshPayment(ctx, use.id, { canceledAt: ctx.now });
  return true;
}
