// Steps that record money received otherwise: for a payment request or an account, or out of a customer's credit.
import type * as z from "zod";
import { applyCredit } from "@/server/domains/payments/operations/apply-credit";
import { markPaid } from "@/server/domains/payments/operations/mark-paid";
import type { payment } from "@/server/domains/payments/schema";
import { createTransaction } from "@/server/domains/transactions/operations/create";
import type { Transaction } from "@/server/domains/transactions/schema";
import type { Action } from "./calls";
import { isKnown } from "./erasure";
import type { Facts } from "./facts";
import { customerFields } from "./offers";
import { mayAct, requestOf } from "./questions";
import type { Scene } from "./scene";
import * as spec from "./spec";
import type { Step } from "./steps";

type Payment = z.output<typeof payment>;

/** The call of a step; none if there is no payment request. */
export async function recording(
  scene: Scene,
  step: Extract<Step, { do: "markPaid" | "applyCredit" | "record" }>,
  facts: Facts,
): Promise<Action[]> {
  if (step.do === "record") return [await recordingOf(scene, step, facts)];
  return step.do === "markPaid" ? marking(scene, step, facts) : applying(scene, step, facts);
}

/** Money for a payment request, or for an account alone. */
async function recordingOf(
  scene: Scene,
  { request, account, amount, key, payer }: Extract<Step, { do: "record" }>,
  facts: Facts,
): Promise<Action> {
  const asked = request === null ? undefined : scene.request(request);
  const account_id = asked?.accountId ?? scene.account(account);
  const due = asked ? spec.dueOf(requestOf(facts, asked.id)) : 1;
  const recorded = amount === "all" ? Math.max(1, due) : amount;
  const customer = customerFields(account_id, payer);
  const payment_id = asked?.id;
  const input = { type: "payment", account_id, amount: recorded, currency: "EUR", payment_id, customer } as const;
  const { sessionId, userId, call } = await scene.people.callerFor(account_id, facts);
  return {
    ...{ name: "record", times: 1, key, fault: null, sessionId },
    call: (world, idempotencyKey) => call(world, createTransaction, input, { idempotencyKey }),
    isAllowed: (now, sentAt) => {
      if (!mayAct(now, userId, account_id)) return false;
      if (!asked) return true;
      const target = requestOf(now, asked.id);
      return spec.mayRecord(target, sentAt) && recorded <= spec.dueOf(target);
    },
    remember: (answer) => scene.memory.accept(answer as Transaction),
  };
}

async function marking(
  scene: Scene,
  { request, amount, key, surplus }: Extract<Step, { do: "markPaid" }>,
  facts: Facts,
): Promise<Action[]> {
  const asked = scene.request(request);
  if (!asked) return [];
  const { sessionId, userId, call } = await scene.people.callerFor(asked.accountId, facts);
  const due = Math.max(1, spec.dueOf(requestOf(facts, asked.id)));
  const recorded = (amount === "all" ? due : amount) + surplus;
  const overpayment = surplus > 0 ? ("credit" as const) : undefined;
  const input = { payment_id: asked.id, amount: recorded, method: "cash", reason: "Paid", overpayment } as const;
  return [
    {
      ...{ name: "markPaid", times: 1, key, fault: null, sessionId },
      call: (world, idempotencyKey) => call(world, markPaid, input, { idempotencyKey }),
      isAllowed: (now, sentAt) => {
        if (!mayAct(now, userId, asked.accountId)) return false;
        const target = requestOf(now, asked.id);
        // The payer of a reusable link, who may have typed anybody's address, gets no credit.
        const mayKeep = isKnown(now, asked.id) && target.terms.parentPaymentId === null;
        const due = spec.dueOf(target);
        const isWithin = recorded <= due || (surplus > 0 && mayKeep);
        return spec.mayRecord(target, sentAt) && isWithin && due > 0;
      },
      remember: (answer) => scene.memory.acceptMarked(answer as Payment, recorded),
    },
  ];
}

const customerOf = ({ payments }: Facts, id: string): string | null =>
  payments.find((row) => row.id === id)?.customerId ?? null;

/** What is left of the credit of a payment request's customer. */
function creditOf(facts: Facts, id: string): number {
  const customer = customerOf(facts, id);
  return facts.credits.reduce((sum, one) => sum + (one.customerId === customer ? one.amountLeft : 0), 0);
}

/** The call that applies credit; none if there is no payment request. It prefers one whose customer has some. */
async function applying(
  scene: Scene,
  { request, amount, key }: Extract<Step, { do: "applyCredit" }>,
  facts: Facts,
): Promise<Action[]> {
  const asked = scene.request(request, ({ id }) => creditOf(facts, id) > 0 && spec.dueOf(requestOf(facts, id)) > 0);
  if (!asked) return [];
  const { sessionId, userId, call } = await scene.people.callerFor(asked.accountId, facts);
  const most = Math.min(spec.dueOf(requestOf(facts, asked.id)), creditOf(facts, asked.id));
  const applied = amount === "all" ? Math.max(1, most) : amount;
  return [
    {
      ...{ name: "applyCredit", times: 1, key, fault: null, sessionId },
      call: (world, idempotencyKey) =>
        call(world, applyCredit, { payment_id: asked.id, amount: applied }, { idempotencyKey }),
      isAllowed: (now, sentAt) => {
        if (!mayAct(now, userId, asked.accountId)) return false;
        const target = requestOf(now, asked.id);
        return spec.mayRecord(target, sentAt) && applied <= Math.min(spec.dueOf(target), creditOf(now, asked.id));
      },
      remember: (answer) => scene.memory.acceptMarked(answer as Payment, applied),
    },
  ];
}
