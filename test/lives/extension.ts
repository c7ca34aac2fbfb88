// Steps that let payers pay on: moving the expiry of a payment request, and allowing cards again, as calls of the product.
import { allowCards } from "@/server/domains/payments/operations/allow-cards";
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

/** The call that allows cards again; none if there is no payment request. */
export async function allowingCards(
  scene: Scene,
  { request, key }: Extract<Step, { do: "allowCards" }>,
  facts: Facts,
): Promise<Action[]> {
  const asked = scene.request(request);
  if (!asked) return [];
  const { sessionId, userId, call } = await scene.people.callerFor(asked.accountId, facts);
  const input = { payment_id: asked.id };
  return [
    {
      ...{ name: "allowCards", times: 1, key, fault: null, sessionId },
      call: (world, idempotencyKey) => call(world, allowCards, input, { idempotencyKey }),
      isAllowed: (now) => mayAct(now, userId, asked.accountId) && spec.mayAllowCards(requestOf(now, asked.id)),
    },
  ];
}
