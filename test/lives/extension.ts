// A step that moves the expiry of a payment request, as a call of the product.
import { extendPayment } from "@/server/domains/payments/operations/extend";
import type { Action } from "./calls";
import type { Facts } from "./facts";
import { isAvailable, mayAct, requestOf } from "./questions";
import type { Scene } from "./scene";
import * as spec from "./spec";
import type { Step } from "./steps";

/** The call; none if there is no payment request. */
export async function extension(
  scene: Scene,
  { request, ms, key }: Extract<Step, { do: "extend" }>,
  facts: Facts,
): Promise<Action[]> {
  const asked = scene.request(request);
  if (!asked) return [];
  scene.movedAlone.add(asked.id);
  const { sessionId, userId, call } = await scene.people.callerFor(asked.accountId, facts);
  const until = facts.now + ms;
  const input = { payment_id: asked.id, expires_at: new Date(until).toISOString() };
  return [
    {
      ...{ name: "extend", times: 1, key, fault: null, sessionId },
      call: (world, idempotencyKey) => call(world, extendPayment, input, { idempotencyKey }),
      isAllowed: (now, sentAt) =>
        mayAct(now, userId, asked.accountId) &&
        isAvailable(now, asked.accountId) &&
        spec.mayExtend(requestOf(now, asked.id), sentAt, until),
    },
  ];
}
