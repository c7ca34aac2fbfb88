// Steps that change, finalize or copy a payment request, as calls of the product.
import type * as z from "zod";
import { duplicatePayment } from "@/server/domains/payments/operations/duplicate";
import { finalizePayment } from "@/server/domains/payments/operations/finalize";
import { updatePaymentRequest } from "@/server/domains/payments/operations/update";
import type { payment } from "@/server/domains/payments/schema";
import type { Action } from "./calls";
import { noteDone } from "./dismissing";
import { isAddressed } from "./erasure";
import type { Facts } from "./facts";
import { isDeliverySound } from "./lines";
import { installmentsOf } from "./plan";
import { isAvailable, mayAct, requestOf } from "./questions";
import type { Asked, Scene } from "./scene";
import * as spec from "./spec";
import { arePartsPossible, isDueAfter } from "./spec-parts";
import type { Change, Step } from "./steps";

type Payment = z.output<typeof payment>;
type Drafting = Extract<Step, { do: "change" | "finalize" | "duplicate" }>;

/** The call; none if there is no payment request. */
export async function drafting(scene: Scene, step: Drafting, facts: Facts): Promise<Action[]> {
  const likes = ({ id }: Asked) => spec.mayFinalize(requestOf(facts, id));
  const asked = scene.request(step.request, step.do === "duplicate" ? undefined : likes);
  if (!asked) return [];
  const { id: payment_id, accountId } = asked;
  const { sessionId, userId, call } = await scene.people.callerFor(accountId, facts);
  const shared = { name: step.do, times: 1, key: step.key, fault: null, sessionId } as const;
  const may = (now: Facts) => mayAct(now, userId, accountId);
  if (step.do === "change") {
    const { patch, isAllowed } = changeOf(step.to, requestOf(facts, payment_id).terms, facts.now);
    const input = { payment_id, ...patch };
    scene.movedAlone.add(payment_id);
    return [
      {
        ...shared,
        call: (world, idempotencyKey) => call(world, updatePaymentRequest, input, { idempotencyKey }),
        isAllowed: (now, sentAt) =>
          may(now) && isTotal(now, payment_id, step.to) && isAllowed(requestOf(now, payment_id), sentAt),
      },
    ];
  }
  if (step.do === "finalize") {
    return [
      {
        ...shared,
        call: (world, idempotencyKey) => call(world, finalizePayment, { payment_id }, { idempotencyKey }),
        isAllowed(now, sentAt) {
          const request = requestOf(now, payment_id);
          const { expiresAt } = request.terms;
          const isTimely = expiresAt === null || expiresAt > sentAt;
          const isKnown = isAddressed(now, payment_id);
          const isDelivered = isDeliverySound(
            now.payments.find(({ id }) => id === payment_id),
            sentAt,
          );
          const isSound = isTimely && isDelivered && arePartsPossible(request, sentAt) && isDueAfter(request, sentAt);
          return may(now) && isAvailable(now, accountId) && spec.mayFinalize(request) && isSound && isKnown;
        },
        remember: (answer) => scene.noteLink(asked, (answer as Payment).payment_url),
      },
    ];
  }
  return [
    {
      ...shared,
      async call(world, idempotencyKey) {
        scene.copying.add(payment_id);
        try {
          return await call(world, duplicatePayment, { payment_id }, { idempotencyKey });
        } catch (error) {
          scene.copying.delete(payment_id);
          throw error;
        }
      },
      isAllowed: may,
      remember: (answer) => {
        const copy = answer as Payment;
        scene.noteCopy(copy.payment_id, accountId);
        // A copy answers the payer who asked for a new link.
        noteDone(scene, payment_id, Date.parse(copy.created_at));
        scene.copying.delete(payment_id);
      },
    },
  ];
}

/** Whether an amount that is sent is the total of the line items, if there are any. */
function isTotal({ payments }: Facts, paymentId: string, to: Change): boolean {
  const row = payments.find(({ id }) => id === paymentId);
  return !("amount" in to) || !row || row.lineItems.length === 0 || row.amount === to.amount;
}

/** What is sent, and whether the rules allow it. */
function changeOf(to: Change, { installments }: spec.Terms, now: number) {
  const mayChange = (request: spec.Request, at: number) => spec.mayFinalize(request) || spec.mayChange(request, at);
  if ("amount" in to) {
    const plan = installments && installmentsOf(to.amount, (i) => installments[i]?.due_at ?? 0);
    const isEnough = ({ terms }: spec.Request) => (terms.minimumAmount ?? 0) <= to.amount;
    return {
      patch: { ...to, ...(installments && { installments: plan }) },
      isAllowed: (request: spec.Request) => spec.mayFinalize(request) && isEnough(request),
    };
  }
  if ("description" in to) return { patch: to, isAllowed: mayChange };
  if ("dueMs" in to) {
    const due = now + to.dueMs;
    return {
      patch: { due_at: new Date(due).toISOString() },
      isAllowed: (request: spec.Request, at: number) => mayChange(request, at) && spec.mayBeDueAt(request, due),
    };
  }
  const until = now + to.expiresMs;
  return {
    patch: { expires_at: new Date(until).toISOString() },
    isAllowed: (request: spec.Request, at: number) => mayChange(request, at) && spec.mayExpireAt(request, at, until),
  };
}
