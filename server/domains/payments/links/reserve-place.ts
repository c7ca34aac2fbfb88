// Reserves a place of a reusable link for a use, before the provider is asked. The place itself follows from the attempt.
import type { WriteContext } from "@/server/kit/context";
import { throttled } from "@/server/kit/errors";
import { limits } from "@/server/kit/limits";
import type { Fail } from "@/server/kit/operation";
import { addressBlock } from "@/server/kit/peer";
import { deriveBytes } from "@/server/secrets/secret";
import type { AttemptRow } from "../attempt-store";
import { refreshPayment } from "../refresh";
import { type PaymentRow, readPayment } from "../store";
import { linkOf } from "./refresh-link";
import { mostUnconfirmed } from "./rules";
import { refusalToUse } from "./usage";
import { countUnconfirmed } from "./uses-store";

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
  if (link === null) return;
  const refusal = refusalToUse(link, ctx.now);
  if (refusal !== null) fail(refusal);
  await checkUnconfirmed(ctx, link);
}

/** Refuses another place of a limited link to an address that holds its share with cards that are not confirmed. */
export async function checkUnconfirmed(ctx: WriteContext, link: PaymentRow): Promise<void> {
  const most = link.usageLimit === null ? null : mostUnconfirmed(link.usageLimit);
  if (most === null) return;
  const held = await countUnconfirmed(ctx.db, { linkId: link.id, payerKey: payerKeyOf(ctx, link.id) });
  if (held >= most) throw throttled(limits.charge.confirmMs / 1000);
}

/**
 * Gives up an attempt that waits for its confirmation if its address now holds more than its share of the places:
 * attempts that begin at the same time do not see each other's. Its use is canceled, and an immediate look-up ends the
 * confirmation at the provider. Returns whether it did.
 */
export async function releaseExcess(ctx: WriteContext, attempt: AttemptRow): Promise<boolean> {
  if (attempt.status !== "requires_action" || attempt.paymentId === null) return false;
  const use = await readPayment(ctx.db, attempt.paymentId);
  const link = use ? await linkOf(ctx, use) : null;
  if (!use || !link || link.usageLimit === null || use.payerKey === null) return false;
  const held = await countUnconfirmed(ctx.db, { linkId: link.id, payerKey: use.payerKey });
  if (held <= mostUnconfirmed(link.usageLimit)) return false;
  await refreshPayment(ctx, use.id, { canceledAt: ctx.now });
  return true;
}
