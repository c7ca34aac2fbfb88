// The throttles of pay forms and of attempts to pay.
import { addressBucketOf, bucketOf, type Throttle } from "@/server/fairness/throttle";
import type { WriteContext } from "@/server/kit/context";
import { hourMs, limits } from "@/server/kit/limits";
import type { Env } from "@/server/process/env";

/** Limits forms that make no attempt, with invalid fields or about a confirmation, per address and link. */
export function formThrottle({ request }: WriteContext, paymentId: string): Throttle {
  const bucket = `${addressBucketOf("pay-form", request.ip)}:${bucketOf("link", paymentId)}`;
  return { bucket, limit: limits.payFormsPerHour, windowMs: hourMs };
}

/** Limits failed attempts per link and per address. An attempt that succeeds or gets no answer is credited back. */
export function failureThrottles({ runtime, request }: WriteContext, paymentId: string): Throttle[] {
  const { payFailuresPerLink, payFailuresPerIp }: Env = runtime.env;
  return [
    { bucket: bucketOf("pay-link", paymentId), limit: payFailuresPerLink, windowMs: hourMs },
    { bucket: addressBucketOf("pay-address", request.ip), limit: payFailuresPerIp, windowMs: hourMs },
  ];
}

/** Limits the uses of a reusable link that one address begins. No success is credited back: uses are rows. */
export function throttleOfUses({ runtime, request }: WriteContext, linkId: string): Throttle {
  const bucket = `${addressBucketOf("link-use", request.ip)}:${bucketOf("link", linkId)}`;
  return { bucket, limit: runtime.env.linkUsesPerIp, windowMs: hourMs };
}
