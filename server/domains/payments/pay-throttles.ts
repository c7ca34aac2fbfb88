// The throttles of pay forms and of attempts to pay.
import { addressBucketOf, bucketOf, fullUntil, type Throttle } from "@/server/fairness/throttle";
import type { ReadContext, WriteContext } from "@/server/kit/context";
import { hourMs, limits } from "@/server/kit/limits";
import type { Env } from "@/server/process/env";
import type { PaymentRow } from "./store";

/** Limits forms that make no attempt, with invalid fields or about a confirmation, per address and link. */
export function formThrottle({ request }: WriteContext, paymentId: string): Throttle {
  const bucket = `${addressBucketOf("pay-form", request.ip)}:${bucketOf("link", paymentId)}`;
  return { bucket, limit: limits.payFormsPerHour, windowMs: hourMs };
}

/**
 * Limits failed attempts per address, on one link and on all. An attempt that succeeds or gets no answer is credited
 * back. An address that is full says nothing about others, so a stranger does not keep the customer from paying.
 */
export function failureThrottles(context: Caller, payment: Throttled): Throttle[] {
  const { payFailuresPerIp }: Env = context.runtime.env;
  const bucket = addressBucketOf("pay-address", context.request.ip);
  return [failuresOnLink(context, payment), { bucket, limit: payFailuresPerIp, windowMs: hourMs }];
}

/** The pages for another card of a subscription have counters of their own, whatever happens on its first pay page. */
export const onCardPages = (firstPaymentId: string): Throttled => ({
  id: `card ${firstPaymentId}`,
  cardsAllowedAt: null,
});

/** Limits failed attempts of one address on one link. The count begins anew once the merchant allows cards again. */
function failuresOnLink({ runtime, request }: Caller, { id, cardsAllowedAt }: Throttled): Throttle {
  const { payFailuresPerLink }: Env = runtime.env;
  const bucket = `${addressBucketOf("pay-link", request.ip)}:${bucketOf("link", `${id} ${cardsAllowedAt ?? ""}`)}`;
  return { bucket, limit: payFailuresPerLink, windowMs: hourMs };
}

/** When the caller may try a card on the link again; null if that is possible now. Epoch ms, in real time. */
export const cardsPossibleAt = (context: ReadContext, payment: Throttled): Promise<number | null> =>
  fullUntil(context.db, context.realNow, failuresOnLink(context, payment));

type Caller = Pick<ReadContext, "runtime" | "request">;
type Throttled = Pick<PaymentRow, "id" | "cardsAllowedAt">;
