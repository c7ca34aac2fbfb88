// Steps about the customers of payment requests: they are merged, erased, mailed and reminded.
import { eraseCustomer } from "@/server/domains/closing/operations/erase-customer";
import { mergeCustomer } from "@/server/domains/closing/operations/merge-customer";
import { remindPayment } from "@/server/domains/payments/operations/remind";
import { sendPayment } from "@/server/domains/payments/operations/send";
import type { Action } from "./calls";
import { isSubscriber, mayErase, mayMerge, noteErased } from "./erasure";
import type { Facts } from "./facts";
import { isAvailable, mayAct, requestOf } from "./questions";
import type { Asked, Scene } from "./scene";
import * as spec from "./spec";
import type { Step } from "./steps";

type Addressing = Extract<Step, { do: "address" }>;

const once = { times: 1, fault: null } as const;

/** The call of a step; none if what it acts on does not exist. */
export async function addressing(scene: Scene, step: Addressing, facts: Facts): Promise<Action[]> {
  const customerOf = ({ id }: Asked) => facts.payments.find((row) => row.id === id)?.customerId ?? null;
  const hasOne = (one: Asked) => customerOf(one) !== null;
  const asked = scene.request(step.request, (one) => (step.into % 2 === 0 ? hasOne(one) : isSubscriber(facts, one)));
  const customer = asked && customerOf(asked);
  if (!asked || customer === null || customer === undefined) return [];
  const { accountId } = asked;
  const { sessionId, userId, call } = await scene.people.callerFor(accountId, facts);
  if (step.act === "send" || step.act === "remind") {
    const operation = step.act === "send" ? sendPayment : remindPayment;
    const input = { payment_id: asked.id };
    return [
      {
        ...{ ...once, name: step.act, key: step.key, sessionId },
        call: (world, idempotencyKey) => call(world, operation, input, { idempotencyKey }),
        isAllowed: (now, sentAt) =>
          mayAct(now, userId, accountId) && isAvailable(now, accountId) && mayBeAsked(now, asked.id, sentAt),
      },
    ];
  }
  // Customers of closed accounts are merged and erased too.
  const owns = (now: Facts) =>
    userId === null || now.accounts.some(({ id, ownerUserId }) => id === accountId && ownerUserId === userId);
  if (step.act === "erase") {
    return [
      {
        ...{ ...once, name: "erase", key: "none", sessionId },
        call: (world) => call(world, eraseCustomer, { customer_id: customer }),
        isAllowed: (now) => {
          const isAllowed = owns(now) && mayErase(now, customer);
          if (isAllowed) noteErased(scene, now, customer);
          return isAllowed;
        },
        // Erasing changes stored answers, too.
        remember: () => {
          scene.memory.keyed.length = 0;
        },
      },
    ];
  }
  const others = scene.requests.filter((one) => one.accountId === accountId && customerOf(one) !== customer);
  const into = others.map(customerOf).filter((id) => id !== null)[step.into % Math.max(1, others.length)];
  if (!into) return [];
  return [
    {
      ...{ ...once, name: "merge", key: "none", sessionId },
      call: (world) => call(world, mergeCustomer, { customer_id: customer, into_customer_id: into }),
      isAllowed: (now) => owns(now) && mayMerge(now, customer, into),
    },
  ];
}

/** Whether the customer can be asked to pay: somebody has an address, and a payer may start. */
function mayBeAsked(facts: Facts, id: string, at: number): boolean {
  const row = facts.payments.find((one) => one.id === id);
  return row?.customer?.email != null && spec.mayRemind({ ...requestOf(facts, id), isShutOut: false }, at);
}
