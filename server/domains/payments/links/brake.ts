// The brake of a reusable link: anybody can open one, so failed attempts count by link, whichever use they belong to.
import { readCount } from "@/db/throttles";
import { addressBucketOf, bucketOf, secondsToWait, type Throttle } from "@/server/fairness/throttle";
import type { WriteContext } from "@/server/kit/context";
import { hourMs, limits, minuteMs } from "@/server/kit/limits";
import { neighborhoodOf } from "@/server/kit/peer";

const { slow } = limits.links;

/** Counts the declined cards of a link in an hour. Nothing is refused because of it alone. */
const declinesOf = (linkId: string): Throttle => ({
  bucket: `link-declines:${linkId}`,
  limit: Number.MAX_SAFE_INTEGER,
  windowMs: hourMs,
});

/** Notes that somebody at the caller's address has paid through the link. */
const paidFrom = ({ request }: WriteContext, linkId: string): Throttle => ({
  bucket: `${addressBucketOf("link-paid", request.ip)}:${bucketOf("link", linkId)}`,
  limit: Number.MAX_SAFE_INTEGER,
  windowMs: slow.knownMs,
});

const countOf = async ({ db, realNow }: WriteContext, { bucket }: Throttle): Promise<number> =>
  (await readCount(db, bucket, realNow))?.count ?? 0;

/** Counts a declined card of the link. Resolves to how many were declined within the hour. */
export async function noteDecline(ctx: WriteContext, linkId: string): Promise<number> {
  await secondsToWait(ctx.db, ctx.realNow, [declinesOf(linkId)]);
  return countOf(ctx, declinesOf(linkId));
}

/** Notes that the caller's card was not declined. Beyond many declines on the link, its address is not slowed. */
export async function notePaid(ctx: WriteContext, linkId: string): Promise<void> {
  await secondsToWait(ctx.db, ctx.realNow, [paidFrom(ctx, linkId)]);
}

/**
 * Limits failed attempts on a link, per address and per neighborhood of addresses. After `LINK_DECLINES` declines within
 * an hour, strangers are slowed down: an address whose card has failed has to wait, and so has everybody for a moment
 * once several cards have failed within a minute. The link stays open to all others. None if there is no link. The same
 * counters whatever the limits, so that an attempt that succeeds is credited back everywhere.
 */
export async function brakeOf(ctx: WriteContext, linkId: string | null): Promise<Throttle[]> {
  if (linkId === null) return [];
  const { env } = ctx.runtime;
  const isSlow =
    (await countOf(ctx, declinesOf(linkId))) >= env.linkDeclines && (await countOf(ctx, paidFrom(ctx, linkId))) === 0;
  const { ip } = ctx.request;
  const link = bucketOf("link", linkId);
  const most = isSlow
    ? slow
    : { address: env.payFailuresPerLink, neighborhood: Number.MAX_SAFE_INTEGER, perMinute: Number.MAX_SAFE_INTEGER };
  return [
    { bucket: `${addressBucketOf("link-address", ip)}:${link}`, limit: most.address, windowMs: hourMs },
    { bucket: `link-neighborhood:${neighborhoodOf(ip)}:${link}`, limit: most.neighborhood, windowMs: hourMs },
    { bucket: `link-pace:${link}`, limit: most.perMinute, windowMs: minuteMs },
  ];
}
