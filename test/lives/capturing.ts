// The capture of an authorization in a life, as a call of the product.
import { capturePayment } from "@/server/domains/payments/operations/capture";
import type { Action } from "./calls";
import { type Facts, paymentsOf } from "./facts";
import type { Caller } from "./people";
import { isReleased, mayAct, requestOf } from "./questions";
import type { Asked } from "./scene";
import * as spec from "./spec";
import type { Step } from "./steps";

const once = { times: 1, key: "none", fault: null } as const;

/** A merchant captures an authorization, in full or in part. */
export function capturing(
  { amount, key, fault }: Extract<Step, { do: "capture" }>,
  asked: Asked,
  facts: Facts,
  by: Caller,
): Action {
  const most = spec.capturable(requestOf(facts, asked.id), facts.now);
  const wanted = amount === "all" ? undefined : amount % 2 === 0 && most > 1 ? Math.ceil(most / 2) : amount;
  return {
    ...{ ...once, name: "capture", sessionId: by.sessionId, key, fault, strikes: "capture" },
    call: (world, idempotencyKey) =>
      by.call(world, capturePayment, { payment_id: asked.id, amount: wanted }, { idempotencyKey }),
    isAllowed: (now, sentAt) => {
      const capturable = spec.capturable(requestOf(now, asked.id), sentAt);
      return mayAct(now, by.userId, asked.accountId) && capturable > 0 && (wanted ?? 1) <= capturable;
    },
    // The provider has released it: only then did the authorization end before its time.
    mayFail: (code, now) =>
      code === "authorization_expired" &&
      paymentsOf(now, asked.id).some(({ id }) => now.charges.some((one) => isReleased(one, id))),
  };
}
