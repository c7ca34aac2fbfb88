// A step that marks a payment request as paid, as a call of the product.
import type * as z from "zod";
import { markPaid } from "@/server/domains/payments/operations/mark-paid";
import type { payment } from "@/server/domains/payments/schema";
import type { Action } from "./calls";
import type { Facts } from "./facts";
import { mayAct, requestOf } from "./questions";
import type { Scene } from "./scene";
import * as spec from "./spec";
import type { Step } from "./steps";

type Payment = z.output<typeof payment>;

/** The call; none if there is no payment request. */
export async function marking(
  scene: Scene,
  { request, amount, key }: Extract<Step, { do: "markPaid" }>,
  facts: Facts,
): Promise<Action[]> {
  const asked = scene.request(request);
  if (!asked) return [];
  const { sessionId, userId, call } = await scene.people.callerFor(asked.accountId, facts);
  const due = Math.max(1, spec.dueOf(requestOf(facts, asked.id)));
  const recorded = amount === "all" ? due : amount;
  const input = { payment_id: asked.id, amount: recorded, method: "cash", reason: "At the counter" } as const;
  return [
    {
      ...{ name: "markPaid", times: 1, key, fault: null, sessionId },
      call: (world, idempotencyKey) => call(world, markPaid, input, { idempotencyKey }),
      isAllowed: (now, sentAt) => {
        if (!mayAct(now, userId, asked.accountId)) return false;
        const target = requestOf(now, asked.id);
        return spec.mayPay(target, sentAt) && recorded <= spec.dueOf(target);
      },
      remember: (answer) => scene.memory.acceptMarked(answer as Payment, recorded),
    },
  ];
}
