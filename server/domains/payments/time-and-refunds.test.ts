// How time and refunds alone change a payment request: an authorization that lapses, a partial refund.
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTransaction } from "@/server/domains/transactions/operations/create";
import { getTransaction } from "@/server/domains/transactions/operations/get";
import { listTransactions } from "@/server/domains/transactions/operations/list";
import { eventTypesOf } from "@/test/events";
import { ask, openPage, payWith, transactionsOf } from "@/test/payer";
import { expectOneTruth } from "@/test/payment-truth";
import { openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";
import { cancelPayment } from "./operations/cancel";
import { getPayment } from "./operations/get";
import { markPaid } from "./operations/mark-paid";
import { refundPayment } from "./operations/refund";

let world: World;
let org: TestOrganization;
beforeAll(async () => {
  world = await openWorld();
  org = await world.organization();
});
afterAll(() => world.close());

test("an authorization is expired for every reader from its instant on", async () => {
  const { payment, token } = await ask(world, org.member.actor, { capture_method: "manual" });
  await payWith(world, token);
  const [held] = await transactionsOf(world, payment.payment_id);
  if (!held?.captureBefore) throw new Error("Nothing is held.");
  const seen = async () => {
    const one = await world.call(getTransaction, org.member.actor, { transaction_id: held.id });
    const among = async (status: "authorized" | "expired") =>
      (await world.call(listTransactions, org.member.actor, { status: [status] })).data.some(
        (item) => item.transaction_id === held.id,
      );
    const request = await world.call(getPayment, org.member.actor, { payment_id: payment.payment_id });
    return [one.status, await among("authorized"), await among("expired"), request.status];
  };
  world.clock.advance(held.captureBefore - world.clock.now() - 1);
  expect(await seen()).toEqual(["authorized", true, false, "authorized"]);
  world.clock.advance(1);
  expect(await seen()).toEqual(["expired", false, true, "expired"]);
});

/** A payment request for 1000 of which 400 were paid offline and 100 of those refunded. */
async function partlyGivenBack() {
  const { payment, token } = await ask(world, org.member.actor, { amount: 1000 });
  const part = { type: "payment", amount: 400, currency: "EUR", payment_id: payment.payment_id } as const;
  const { transaction_id } = await world.call(createTransaction, org.admin.actor, part);
  const refund = { type: "refund", parent_transaction_id: transaction_id, amount: 100 } as const;
  await world.call(createTransaction, org.admin.actor, refund);
  const read = () => world.call(getPayment, org.admin.actor, { payment_id: payment.payment_id });
  expect(await read()).toMatchObject({ status: "partially_refunded", amount_due: 600 });
  return { id: payment.payment_id, token, read };
}

test("the rest of a partly refunded payment request can be paid", async () => {
  const { token, read } = await partlyGivenBack();
  expect(await openPage(world, token)).toMatchObject({ state: "open", amount_due: 600 });
  await payWith(world, token);
  expect(await read()).toMatchObject({ status: "partially_refunded", amount_paid: 1000, amount_due: 0 });
  expect(await openPage(world, token)).toMatchObject({ state: "partially_refunded" });
});

test.each([
  ["a part", 100],
  ["all", 400],
])("the payment that completes the amount is announced as paid after a refund of %s", async (_title, refunded) => {
  const { payment, token } = await ask(world, org.member.actor, { amount: 1000 });
  const { payment_id } = payment;
  await world.call(markPaid, org.admin.actor, { payment_id, method: "cash", reason: "Deposit", amount: 400 });
  await world.call(refundPayment, org.admin.actor, { payment_id, amount: refunded });
  const before = (await eventTypesOf(world, payment_id)).length;
  world.clock.advance(1000);
  if (refunded === 100) await payWith(world, token);
  else await world.call(markPaid, org.admin.actor, { payment_id, method: "cash", reason: "The rest" });
  const read = await world.call(getPayment, org.admin.actor, { payment_id });
  expect(read).toMatchObject({ status: "partially_refunded", amount_due: 0 });
  expect(read.paid_at).not.toBeNull();
  expect((await eventTypesOf(world, payment_id)).slice(before).at(-1)).toBe("payment.paid");
  await expectOneTruth(world, payment_id);
});

test("each part that is paid or refunded is announced", async () => {
  const { payment } = await ask(world, org.member.actor, { amount: 1000 });
  const { payment_id } = payment;
  const mark = (amount: number) =>
    world.call(markPaid, org.admin.actor, { payment_id, method: "cash", reason: "A part", amount });
  await mark(400);
  await mark(300);
  const [first, second] = await transactionsOf(world, payment_id);
  const refund = (transaction_id: string | undefined) =>
    world.call(refundPayment, org.admin.actor, { payment_id, transaction_id, amount: 50 });
  await refund(first?.id);
  await refund(second?.id);
  expect(await eventTypesOf(world, payment_id)).toEqual([
    ...["payment.created", "payment.partially_paid", "payment.partially_paid"],
    ...["payment.partially_refunded", "payment.updated"],
  ]);
});

test("a partly refunded payment request can be canceled once", async () => {
  const { id, token, read } = await partlyGivenBack();
  await world.call(cancelPayment, org.admin.actor, { payment_id: id });
  expect(await read()).toMatchObject({ status: "canceled", amount_paid: 400, amount_refunded: 100 });
  expect(await openPage(world, token)).toMatchObject({ state: "canceled" });
  expect(await refusalOf(world.call(cancelPayment, org.admin.actor, { payment_id: id }))).toBe(
    "payment_not_cancelable",
  );
});
