// What a use of a reusable link keeps about its place, and whether it ends with its link.
import type { Attempt } from "../derive";
import type { PaymentRow } from "../store";
import { placeOf } from "./rules";
import { isUsedUp } from "./usage";

/** The columns of a use that follow from its attempts; none for any other payment request. */
export function columnsOfUse(row: PaymentRow, attempts: readonly Attempt[]) {
  if (row.parentPaymentId === null) return {};
  const place = placeOf(attempts);
  // Nothing is bounded by the address any more once it was paid.
  return { place, isIdle: place === null, payerKey: place === "taken" ? null : row.payerKey };
}

/** When a use that has no place ends because its link is canceled: `now`; null if it goes on. */
export const endWithLink = (link: PaymentRow | null, attempts: readonly Attempt[], now: number): number | null =>
  link !== null && link.canceledAt !== null && placeOf(attempts) === null ? now : null;

/**
 * Whether a use is paid although every place of its link has been paid for. A place that was given back may have gone to
 * somebody else when the provider reports that the charge succeeded after all.
 */
export const exceedsLimit = (link: PaymentRow | null, use: PaymentRow, attempts: readonly Attempt[]): boolean =>
  link !== null && use.place !== "taken" && placeOf(attempts) === "taken" && isUsedUp(link);
