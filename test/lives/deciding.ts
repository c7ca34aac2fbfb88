// Steps that decide about what a lost dispute took, and about money that came late, as calls of the product.
import { acceptLate } from "@/server/domains/payments/operations/accept-late";
import { reopenPayment } from "@/server/domains/payments/operations/reopen";
import { writeOffPayment } from "@/server/domains/payments/operations/write-off";
import type { Action } from "./calls";
import type { Facts } from "./facts";
import { isAvailable, mayAct } from "./questions";
import type { Scene } from "./scene";
import type { Step } from "./steps";

type Row = Facts["payments"][number];

/** Whether its customer was erased, so that nobody can be asked for money again. */
const isErased = ({ customerId }: Row, { customers }: Facts): boolean =>
  customers.some(({ id, erasedAt }) => id === customerId && erasedAt !== null);

/** Whether the account is the user's, open or closed; null means the admin. */
const owns = ({ accounts }: Facts, userId: string | null, accountId: string): boolean =>
  accounts.some((one) => one.id === accountId && (userId === null || one.ownerUserId === userId));

const rules = {
  reopen: (row: Row, facts: Facts, userId: string | null) =>
    mayAct(facts, userId, row.accountId) &&
    isAvailable(facts, row.accountId) &&
    row.amountLost > 0 &&
    row.canceledAt === null &&
    !isErased(row, facts),
  writeOff: (row: Row, facts: Facts, userId: string | null) => owns(facts, userId, row.accountId) && row.amountLost > 0,
  acceptLate: (row: Row, facts: Facts, userId: string | null) =>
    owns(facts, userId, row.accountId) && row.paidLateAt !== null,
} as const;

/** The call; none if there is no payment request. Those that wait for a decision come first. */
export async function deciding(
  scene: Scene,
  { how, request, key }: Extract<Step, { do: "decide" }>,
  facts: Facts,
): Promise<Action[]> {
  const rowOf = (id: string, now: Facts) => now.payments.find((row) => row.id === id);
  const asked = scene.request(request, ({ id }) => {
    const row = rowOf(id, facts);
    return row !== undefined && (how === "acceptLate" ? row.paidLateAt !== null : row.amountLost > 0);
  });
  if (!asked) return [];
  const { sessionId, userId, call } = await scene.people.callerFor(asked.accountId, facts);
  const input = { payment_id: asked.id };
  return [
    {
      ...{ name: how, times: 1, key, fault: null, sessionId },
      call: (world, idempotencyKey) => {
        if (how === "reopen") return call(world, reopenPayment, input, { idempotencyKey });
        if (how === "writeOff") return call(world, writeOffPayment, input, { idempotencyKey });
        return call(world, acceptLate, input, { idempotencyKey });
      },
      isAllowed: (now) => {
        const row = rowOf(asked.id, now);
        return row !== undefined && rules[how](row, now, userId);
      },
    },
  ];
}
