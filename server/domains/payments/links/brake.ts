// The brake of a reusable link: anybody can open one, so attempts count by link, whichever use they belong to.
import { readCount, renewCount } from "@/db/throttles";
import { addressBucketOf, bucketOf, secondsToWait, type Throttle } from "@/server/fairness/throttle";
import type { WriteContext } from "@/server/kit/context";
import { hourMs, limits, minuteMs } from "@/server/kit/limits";
import { neighborhoodOf } from "@/server/kit/peer";
import type { CardFailure } from "../declines";
import { hasOpenConfirmations } from "./uses-store";

const { slow, perNeighborhood, unconfirmedOnLink } = limits.links;

const unlimited = Number.MAX_SAFE_INTEGER;

/** Counts the failed attempts of a link in an hour. Nothing is refused because of it alone. */
const failuresOf = (linkId: string, failure: CardFailure): Throttle => ({
  bucket: `link-${failure}:${linkId}`,
  limit: unlimited,
  windowMs: hourMs,
});

/** The counter that exists while somebody at the caller's address is known to have paid through the link. */
const paidFrom = ({ request }: WriteContext, linkId: string) => ({
  bucket: `${addressBucketOf("link-paid", request.ip)}:${bucketOf("link", linkId)}`,
});

/** Counts the payments of a link in the clock hour of this instant (epoch ms). Kept until the next one is over, too. */
const paymentsOf = (linkId: string, at: number): Throttle => ({
  bucket: `link-payments:${linkId}:${Math.floor(at / hourMs)}`,
  limit: unlimited,
  windowMs: 2 * hourMs,
});

const countOf = async ({ db, realNow }: WriteContext, { bucket }: Pick<Throttle, "bucket">): Promise<number> =>
  (await readCount(db, bucket, realNow))?.count ?? 0;

/** Counts a failed attempt on the link. */
export async function noteFailure(ctx: WriteContext, linkId: string, failure: CardFailure): Promise<void> {
  await secondsToWait(ctx.db, ctx.realNow, [failuresOf(linkId, failure)]);
}

/** Whether to tell the merchant that many attempts have failed on the link within an hour. */
export const hasManyFailures = async (ctx: WriteContext, linkId: string): Promise<boolean> =>
  (await countOf(ctx, failuresOf(linkId, "declined"))) >= limits.links.declines ||
  (await countOf(ctx, failuresOf(linkId, "abandoned"))) >= (await mostUnconfirmed(ctx, linkId));

/**
 * How many confirmations without an answer are suspicious: more on a link with more payments. Those of two clock hours
 * count, because confirmations of the last hour must not stand alone once the next hour begins.
 */
async function mostUnconfirmed(ctx: WriteContext, linkId: string): Promise<number> {
  const [now, before] = [ctx.realNow, ctx.realNow - hourMs];
  const paid = (await countOf(ctx, paymentsOf(linkId, now))) + (await countOf(ctx, paymentsOf(linkId, before)));
  return Math.max(unconfirmedOnLink, paid);
}

/** Notes that the caller has paid. For a time, its address is not slowed when many attempts fail on the link. */
export async function notePaid(ctx: WriteContext, linkId: string): Promise<void> {
  await renewCount(ctx.db, paidFrom(ctx, linkId).bucket, ctx.realNow + slow.knownMs);
  await secondsToWait(ctx.db, ctx.realNow, [paymentsOf(linkId, ctx.realNow)]);
}

/**
 * Whether somebody may be trying out cards on the link: many were declined within an hour, or many confirmations, and
 * more than were paid, are open or were never given.
 */
async function isUnderTrial(ctx: WriteContext, linkId: string): Promise<boolean> {
  if ((await countOf(ctx, failuresOf(linkId, "declined"))) >= ctx.runtime.env.linkDeclines) return true;
  const abandoned = await countOf(ctx, failuresOf(linkId, "abandoned"));
  const most = await mostUnconfirmed(ctx, linkId);
  return abandoned >= most || hasOpenConfirmations(ctx.db, linkId, most - abandoned);
}

/**
 * Limits failed attempts on a link, per address and per neighborhood of addresses. An attempt counts until it succeeds,
 * so one whose confirmation is open, or was never given, counts like a decline. While somebody may be trying out cards
 * on the link, strangers are slowed down: an address whose card has failed has to wait, and all strangers have to wait
 * for a moment once several cards have failed within a minute. A payer who has paid through the link before is not slowed
 * down. The counters are the same whatever the limits are, so that an attempt that succeeds is credited
 * back to each. None without a link.
 */
export async function brakeOf(ctx: WriteContext, linkId: string | null): Promise<Throttle[]> {
  if (linkId === null) return [];
  const { ip } = ctx.request;
  const link = bucketOf("link", linkId);
  const most = await mostFailures(ctx, linkId);
  return [
    { bucket: `${addressBucketOf("link-address", ip)}:${link}`, limit: most.address, windowMs: hourMs },
    { bucket: `link-neighborhood:${neighborhoodOf(ip)}:${link}`, limit: most.neighborhood, windowMs: hourMs },
    { bucket: `link-pace:${link}`, limit: most.perMinute, windowMs: minuteMs },
  ];
}

/**
 * How many attempts may fail on the link: of the caller's address, of its neighborhood, and of all in a minute. Strangers
 * leave as many to known payers in their neighborhood as they may use up themselves. More would cost too little: one card
 * that works makes many addresses known.
 */
async function mostFailures(ctx: WriteContext, linkId: string) {
  const address = ctx.runtime.env.payFailuresPerLink;
  const neighborhood = perNeighborhood * address;
  if ((await countOf(ctx, paidFrom(ctx, linkId))) > 0)
    return { address, neighborhood: 2 * neighborhood, perMinute: unlimited };
  if (await isUnderTrial(ctx, linkId)) return { ...slow, neighborhood: Math.min(slow.neighborhood, neighborhood) };
  return { address, neighborhood, perMinute: unlimited };
}

/**
 * Limits the uses of a link that one address, and one neighborhood of addresses, begin in an hour, whatever becomes of
 * them: cards that are tried out may also succeed. No success is credited back.
 */
export function throttlesOfUses({ runtime, request: { ip } }: WriteContext, linkId: string): Throttle[] {
  const link = bucketOf("link", linkId);
  const limit = runtime.env.linkUsesPerIp;
  return [
    { bucket: `${addressBucketOf("link-use", ip)}:${link}`, limit, windowMs: hourMs },
    { bucket: `link-uses:${neighborhoodOf(ip)}:${link}`, limit: perNeighborhood * limit, windowMs: hourMs },
  ];
}
