// Whether a payment request is a reusable link, its status, and whether somebody can begin to use it.
import type { Draft } from "@/db/schema/values";

/** What decides about the status and the places of a reusable link. */
export interface Usage {
  usageLimit: number | null;
  usesCount: number;
  usesReserved: number;
}

/** Whether a payment request with this limit is a reusable link. */
export const isReusable = ({ usageLimit }: Pick<Usage, "usageLimit">): boolean => usageLimit !== 1;

/** The usage of a reusable link; null for any other payment request. */
export const usageOf = (row: Usage): Usage | null =>
  isReusable(row) ? { usageLimit: row.usageLimit, usesCount: row.usesCount, usesReserved: row.usesReserved } : null;

/** Whether every place was paid for: nobody can use the link again. */
export const isUsedUp = ({ usageLimit, usesCount }: Usage): boolean => usageLimit !== null && usesCount >= usageLimit;

/** Whether no place is left now. Places that are held while they are being paid may become free again. */
export const hasNoPlace = ({ usageLimit, usesCount, usesReserved }: Usage): boolean =>
  usageLimit !== null && usesCount + usesReserved >= usageLimit;

interface LinkFacts extends Usage {
  draft: Draft | null;
  canceledAt: number | null;
  expiresAt: number | null;
  /** Left out where a pause does not matter: a paused link may be sent. */
  pausedAt?: number | null;
}

/** The status of a link at `now` (epoch ms): its uses decide only whether it is used up. */
export function linkStatus(facts: LinkFacts, now: number): "canceled" | "draft" | "paid" | "expired" | "pending" {
  if (facts.canceledAt !== null) return "canceled";
  if (facts.draft !== null) return "draft";
  if (isUsedUp(facts)) return "paid";
  return facts.expiresAt !== null && now >= facts.expiresAt ? "expired" : "pending";
}

/** Whether the merchant has paused a link that is otherwise open. What is being paid goes on. */
export const isPaused = (facts: LinkFacts, now: number): boolean =>
  (facts.pausedAt ?? null) !== null && linkStatus(facts, now) === "pending";

/** Why nobody can begin to use the link at `now`; null if somebody can. */
export function refusalToUse(facts: LinkFacts, now: number) {
  switch (linkStatus(facts, now)) {
    case "pending":
      if (isPaused(facts, now)) return "payment_not_payable";
      return hasNoPlace(facts) ? "link_used_up" : null;
    case "paid":
      return "link_used_up";
    case "expired":
      return "payment_expired";
    default:
      return "payment_not_payable";
  }
}

/**
 * Why a use that was begun before gets no place of its link at `now`; null if it gets one. When it expires is up to the
 * use: its expiry follows that of the link, unless somebody has moved it alone.
 */
export const refusalOfPlace = (link: LinkFacts, now: number) => refusalToUse(forUse(link), now);

/** The link as it matters to a use that was begun before. */
export const forUse = (link: LinkFacts): LinkFacts => ({ ...link, expiresAt: null });
