// Reserves a place of a reusable link for a use, before the provider is asked. The place itself follows from the attempt.
import { addressBucketOf, bucketOf } from "@/server/fairness/throttle";
import type { WriteContext } from "@/server/kit/context";
import { throttled } from "@/server/kit/errors";
import { limits } from "@/server/kit/limits";
import type { Fail } from "@/server/kit/operation";
import type { AttemptRow } from "../attempt-store";
import { refreshPayment } from "../refresh";
import { type PaymentRow, readPayment } from "../store";
import { linkOf } from "./refresh-link";
import { mostUnconfirmed } from "./rules";
import { hasNoPlace } from "./usage";
import { countUnconfirmed } from "./uses-store";

/** What is kept of the address that begins a use of a link: its block, hashed. */
export const payerKeyOf = ({ request }: WriteContext, linkId: string): string =>
  bucketOf("payer", `${linkId}:${addressBucketOf("payer", request.ip)}`);

/** Refuses an attempt of a use that has no place if its link, which the caller has locked too, has none left. */
export async function checkPlace(ctx: WriteContext, use: PaymentRow, fail: Fail<"link_used_up">): Promise<void> {
  const link = use.place === null ? await linkOf(ctx, use) : null;
  if (link === null) return;
  if (hasNoPlace(link)) fail("link_used_up");
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
