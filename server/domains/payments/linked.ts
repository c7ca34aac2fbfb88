// The payment request behind a link, for calls without a caller: they learn from it whose time it is.
import { inTimeOf } from "@/server/domains/organizations/time";
import type { WriteContext } from "@/server/kit/context";
import { linkHashOf } from "./link";
import { findByLink, type LinkedPayment, lockLinked } from "./store";

interface InTime extends LinkedPayment {
  /** The call's context in the time of the payment request's organization. */
  ctx: WriteContext;
}

/** The payment request behind a link; undefined for an unknown link. */
export async function findLinked(ctx: WriteContext, token: string): Promise<InTime | undefined> {
  const hash = linkHashOf(token);
  const seen = hash === null ? undefined : await findByLink(ctx.db, hash);
  return seen && { ...seen, ctx: await inTimeOf(ctx, seen.payment.organizationId) };
}

/**
 * The same with row locks: the account's status and the payment request cannot change until the transaction ends. The
 * organization's clock comes first in the order of locks.
 */
export async function lockByLink(ctx: WriteContext, token: string): Promise<InTime | undefined> {
  const seen = await findLinked(ctx, token);
  const locked = seen && (await lockLinked(ctx.db, seen));
  return locked && { ...locked, ctx: seen.ctx };
}
