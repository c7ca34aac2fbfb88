// A step that moves money of accounts by an admin's decision, as a call of the product.
import { createTransaction } from "@/server/domains/transactions/operations/create";
import type { CreateInput } from "../money";
import type { Action } from "./calls";
import { availableOf, isOpen } from "./questions";
import type { Scene } from "./scene";
import type { Step } from "./steps";

const once = { times: 1, key: "none", fault: null } as const;

/** The call. `remember` gets its answer. */
export function moving(
  scene: Scene,
  step: Extract<Step, { do: "move" | "transfer" }>,
  remember: (answer: unknown) => void,
): Action {
  const account_id = scene.account(step.account);
  const to = step.do === "transfer" ? scene.account(step.to) : null;
  const leaves = to !== null || (step.do === "move" && step.kind === "out");
  const money = { account_id, amount: step.amount, currency: "EUR" };
  const input = (): CreateInput => {
    if (to !== null) return { type: "transfer", destination_account_id: to, ...money };
    if (step.do === "move" && step.kind === "credit") return { type: "credit", ...money };
    return { type: "adjustment", direction: leaves ? "out" : "in", reason: "correction", ...money };
  };
  return {
    ...{ ...once, name: step.do === "move" ? step.kind : "transfer", key: step.key },
    call: (world, idempotencyKey) => world.call(createTransaction, scene.people.admin, input(), { idempotencyKey }),
    isAllowed: (now) => {
      if (to !== null && (to === account_id || !isOpen(now, to))) return false;
      return leaves ? step.amount <= availableOf(now, account_id) : isOpen(now, account_id);
    },
    remember,
  };
}
