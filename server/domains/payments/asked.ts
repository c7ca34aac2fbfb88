// Whether a payer can ask, or has asked, for a new link.
import { dayMs } from "@/server/kit/limits";
import { derivePaymentStatus, type PaymentFacts } from "./derive";
import { isReusable } from "./links/usage";
import { refusalToExtend } from "./rules";
import type { PaymentRow } from "./store";

export const linkRequested = "payment.link_requested";

/** Whether the payer asked for a new link, and nobody has answered or dismissed that since. */
export const hasAskedForLink = ({ linkRequestedAt, linkAnsweredAt }: Pick<PaymentRow, Asked>): boolean =>
  linkRequestedAt !== null && linkRequestedAt > (linkAnsweredAt ?? 0);
type Asked = "linkRequestedAt" | "linkAnsweredAt";

/**
 * Whether the payer of a payment request can ask for a new link at `now`, or has done so within a day and since it
 * expired; null where the account could not give one.
 */
export function newLinkOf(
  payment: Pick<PaymentRow, "expiresAt" | "usageLimit" | "parentPaymentId" | "linkRequestedAt">,
  facts: PaymentFacts,
  now: number,
): "possible" | "requested" | null {
  const { expiresAt, parentPaymentId, linkRequestedAt } = payment;
  // The payer of a reusable link can open it again.
  if (isReusable(payment) || parentPaymentId !== null) return null;
  if (derivePaymentStatus(facts, now) !== "expired" || refusalToExtend(facts) !== null) return null;
  const since = Math.max(now - dayMs, (expiresAt ?? 0) - 1);
  return linkRequestedAt !== null && linkRequestedAt > since ? "requested" : "possible";
}
