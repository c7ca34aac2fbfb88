// Steps about the customers of payment requests: they are merged, erased, mailed and reminded.
import { eraseCustomer } from "@/server/domains/closing/operations/erase-customer";
import { mergeCustomer } from "@/server/domains/closing/operations/merge-customer";
import { remindPayment } from "@/server/domains/payments/operations/remind";
import { sendPayment } from "@/server/domains/payments/operations/send";
import type { Action } from "./calls";
import type { Facts } from "./facts";
import type { Asked, Scene } from "./scene";
import type { Step } from "./steps";

type Addressing = Extract<Step, { do: "address" }>;

/** No rule is stated a second time for these: whatever they answer, the invariants hold afterwards. */
const unjudged = { times: 1, fault: null, isAllowed: () => null } as const;

/** The call of a step; none if what it acts on does not exist. */
export async function addressing(scene: Scene, step: Addressing, facts: Facts): Promise<Action[]> {
  const customerOf = ({ id }: Asked) => facts.payments.find((row) => row.id === id)?.customerId ?? null;
  const asked = scene.request(step.request, (one) => customerOf(one) !== null);
  const customer = asked && customerOf(asked);
  if (!asked || customer === null || customer === undefined) return [];
  const { sessionId, call } = await scene.people.callerFor(asked.accountId, facts);
  if (step.act === "send" || step.act === "remind") {
    const operation = step.act === "send" ? sendPayment : remindPayment;
    const input = { payment_id: asked.id };
    return [
      {
        ...{ ...unjudged, name: step.act, key: step.key, sessionId },
        call: (world, idempotencyKey) => call(world, operation, input, { idempotencyKey }),
      },
    ];
  }
  if (step.act === "erase") {
    return [
      {
        ...{ ...unjudged, name: "erase", key: "none", sessionId },
        call: (world) => call(world, eraseCustomer, { customer_id: customer }),
        // Erasing changes stored answers, too.
        remember: () => {
          scene.memory.keyed.length = 0;
        },
      },
    ];
  }
  const others = scene.requests.filter((one) => one.accountId === asked.accountId && customerOf(one) !== customer);
  const into = others.map(customerOf).filter((id) => id !== null)[step.into % Math.max(1, others.length)];
  if (!into) return [];
  return [
    {
      ...{ ...unjudged, name: "merge", key: "none", sessionId },
      call: (world) => call(world, mergeCustomer, { customer_id: customer, into_customer_id: into }),
    },
  ];
}
