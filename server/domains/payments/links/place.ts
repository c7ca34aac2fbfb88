// What a use of a reusable link keeps about its place, and whether it ends with its link.
import type { Attempt } from "../derive";
import type { PaymentRow } from "../store";
import { placeOf } from "./rules";
import { hasNoPlace, isUsedUp } from "./usage";

/** The columns of a use that follow from its attempts; none for any other payment request. */
export function columnsOfUse(row: PaymentRow, attempts: readonly Attempt[]) {
  if (row.parentPaymentId === null) return {};
  const place = placeOf(attempts);
  // A paid use no longer counts towards the share of its payer's address.
  return { place, isIdle: place === null, payerKey: place === "taken" ? null : row.payerKey };
}

/** When a use that has no place ends because its link is canceled: `now`; null if it goes on. */
export const endWithLink = (link: PaymentRow | null, attempts: readonly Attempt[], now: number): number | null =>
  link !== null && link.canceledAt !== null && placeOf(attempts) === null ? now : null;

/**
 * When a use came too late, and when that made one payer too many; neither if it was in time. Its place was given back when the charge
 * seemed to have failed, and the last one has gone to somebody else, who may still be paying.
 */
export function latenessOf(link: PaymentRow | null, use: PaymentRow, attempts: readonly Attempt[], now: number) {
  const isNew = link !== null && use.place === null && placeOf(attempts) === "taken" && hasNoPlace(link);
  if (!isNew) return {};
  return { cameLateAt: now, overLimitAt: isUsedUp(link) ? now : null };
}
