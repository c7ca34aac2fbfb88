// Payments of parts at the same time: each form charges what its payer saw, or nothing.
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { dialect } from "@/db/dialect";
import { dayMs } from "@/server/kit/limits";
import { iso } from "@/server/process/clock";
import { makeCredit, newCustomer } from "@/test/credit";
import { expectSoundLedger } from "@/test/money";
import {
  ask,
  chosenOn,
  goodCard,
  openPage,
  paymentRow,
  payPart,
  type RequestFields,
  submit,
  transactionsOf,
} from "@/test/payer";
import { expectOneTruth } from "@/test/payment-truth";
import { anotherProcess, openWorld, type TestUser, type World } from "@/test/world";
import type { Choice } from "./choices";
import { applyCredit } from "./operations/apply-credit";
import { cancelPayment } from "./operations/cancel";
import { extendPayment } from "./operations/extend";
import { markPaid } from "./operations/mark-paid";
import { updatePaymentRequest } from "./operations/update";

let world: World;
/** Calls come from two processes if the engine supports several. */
let other: World;
let user: TestUser;
beforeAll(async () => {
  world = await openWorld({ PAY_FAILURES_PER_IP: "10000", PAY_FAILURES_PER_LINK: "10000" });
  other = dialect === "postgres" ? await anotherProcess(world) : world;
});
beforeEach(async () => {
  user = (await world.organization()).member;
});
afterAll(async () => {
  await expectSoundLedger(world);
  if (other !== world) await other.close();
  await world.close();
});

/** Two equal installments, and a third. */
const planned = (fields: RequestFields = {}) =>
  ask(world, user.actor, {
    amount: 500,
    ...fields,
    installments: [100, 100, 300].map((amount, i) => ({
      amount,
      due_at: iso(world.clock.now() + (i + 1) * 30 * dayMs),
    })),
  });
const mark = (from: World, payment_id: string, amount?: number) =>
  from.call(markPaid, user.actor, { payment_id, amount, method: "cash", reason: "Counter" });

/** A page in a tab of its own; sending its form resolves to "charged", a problem, or the code of the refusal. */
async function tab(token: string, from = world) {
  const page = await openPage(world, token);
  return (choice: Choice, typed: number | null = null): Promise<string> =>
    submit(from, token, page.form_token ?? "", { ...goodCard, ...chosenOn(page, choice, typed) }).then(
      (answer) => answer.problems[0] ?? "charged",
      (error: { code: string }) => error.code,
    );
}

async function expectPaid(paymentId: string, amounts: readonly number[]) {
  await expectOneTruth(world, paymentId);
  const paid = (await transactionsOf(world, paymentId)).filter((row) => row.amountCaptured > 0);
  expect(paid.map((row) => row.amountCaptured).sort()).toEqual([...amounts].sort());
  const { amount, amountPaid } = await paymentRow(world, paymentId);
  expect(amountPaid).toBe(amounts.reduce((sum, one) => sum + one, 0));
  expect(amountPaid).toBeLessThanOrEqual(amount ?? 0);
}

it("a form is out of date once another one has paid, although its choice would cost the same", async () => {
  const { payment, token } = await planned();
  const [first, second] = [await tab(token), await tab(token, other)];
  expect(await first("next")).toBe("charged");
  expect(await second("next")).toBe("amount_changed");
  expect(await second("all")).toBe("amount_changed");
  await expectPaid(payment.payment_id, [100]);
  expect(await (await tab(token))("next")).toBe("charged");
  await expectPaid(payment.payment_id, [100, 100]);
});

it("two tabs that pay an installment at once pay one", async () => {
  for (let round = 0; round < 5; round++) {
    const { payment, token } = await planned();
    const tabs = [await tab(token), await tab(token, other), await tab(token)];
    const ends = await Promise.all(tabs.map((send, i) => send(i === 2 ? "all" : "next")));
    expect(ends.filter((end) => end === "charged")).toHaveLength(1);
    for (const end of ends)
      expect(["charged", "amount_changed", "payment_processing", "payment_already_paid"]).toContain(end);
    await expectPaid(payment.payment_id, [ends[2] === "charged" ? 500 : 100]);
  }
});

it("of a payer and a merchant who act at once, the payer pays only what the page showed", async () => {
  for (let round = 0; round < 5; round++) {
    const { payment, token } = await planned();
    const send = await tab(token, other);
    const marked = mark(world, payment.payment_id, 50).then(
      () => "marked",
      (error: { code: string }) => error.code,
    );
    const [end, mine] = await Promise.all([send("next"), marked]);
    const outcome = `${end} ${mine}`;
    const possible: Record<string, number[]> = {
      "charged marked": [100, 50],
      "charged payment_processing": [100],
      "amount_changed marked": [50],
    };
    expect(Object.keys(possible)).toContain(outcome);
    await expectPaid(payment.payment_id, possible[outcome] ?? []);
  }
});

it("a payer and a cancellation at once end with one of them", async () => {
  for (let round = 0; round < 5; round++) {
    const { payment, token } = await planned();
    const send = await tab(token, other);
    const canceled = world.call(cancelPayment, user.actor, { payment_id: payment.payment_id }).then(
      () => "canceled",
      (error: { code: string }) => error.code,
    );
    const [end, mine] = await Promise.all([send("next"), canceled]);
    expect(["charged canceled", "charged payment_processing", "payment_not_payable canceled"]).toContain(
      `${end} ${mine}`,
    );
    await expectPaid(payment.payment_id, end === "charged" ? [100] : []);
  }
});

it("what becomes overdue, or is paid at the counter, changes what a form may charge", async () => {
  const { payment, token } = await planned();
  world.clock.advance(61 * dayMs);
  const late = await tab(token);
  const whole = await tab(token);
  await mark(world, payment.payment_id, 30);
  expect(await late("overdue")).toBe("amount_changed");
  expect(await whole("all")).toBe("amount_changed");
  await expectPaid(payment.payment_id, [30]);
  await payPart(world, token, "overdue");
  await expectPaid(payment.payment_id, [30, 170]);
});

it("one form makes one attempt, however often it is sent", async () => {
  const { payment, token } = await planned();
  const send = await tab(token);
  const ends = await Promise.all([send("next"), send("next"), send("all")]);
  expect(ends).toEqual(["charged", "charged", "charged"]);
  expect(await transactionsOf(world, payment.payment_id)).toHaveLength(1);
});

it("own amounts of two payers at once never exceed what is due", async () => {
  const { payment, token } = await ask(world, user.actor, { amount: 500, allow_partial: true, minimum_amount: 100 });
  const tabs = [await tab(token), await tab(token, other)];
  const ends = await Promise.all(tabs.map((send) => send("own", 300)));
  expect(ends.filter((end) => end === "charged")).toHaveLength(1);
  await expectPaid(payment.payment_id, [300]);
});

const endOf = (call: Promise<unknown>) =>
  call.then(
    () => "done",
    (error: { code: string }) => error.code,
  );

it("the last part is paid once: by one of two tabs, the counter, or credit", async () => {
  for (let round = 0; round < 5; round++) {
    const customer_id = await newCustomer(world, user.actor);
    await makeCredit(world, user.actor, customer_id, 300);
    const { payment, token } = await planned({ customer: { customer_id } });
    const { payment_id } = payment;
    await payPart(world, token, "next");
    await payPart(world, token, "next");
    const [first, second] = [await tab(token), await tab(token, other)];
    const ends = await Promise.all([
      first("all"),
      second("all"),
      endOf(mark(other, payment_id)),
      endOf(world.call(applyCredit, user.actor, { payment_id })),
    ]);
    expect(ends.filter((end) => end === "charged" || end === "done")).toHaveLength(1);
    await expectPaid(payment_id, [100, 100, 300]);
    expect((await paymentRow(world, payment_id)).amountOverpaid).toBe(0);
  }
});

it("credit that pays a part makes other forms out of date, and counts towards the oldest installment", async () => {
  const customer_id = await newCustomer(world, user.actor);
  await makeCredit(world, user.actor, customer_id, 150);
  const { payment, token } = await planned({ customer: { customer_id } });
  const [next, whole] = [await tab(token), await tab(token, other)];
  const row = await world.call(applyCredit, user.actor, { payment_id: payment.payment_id });
  expect(row.installments?.map((one) => [one.amount_paid, one.status])).toEqual([
    [100, "paid"],
    [50, "due"],
    [0, "upcoming"],
  ]);
  expect(row.due_at).toBe(row.installments?.[1]?.due_at);
  expect([await next("next"), await whole("all")]).toEqual(["amount_changed", "amount_changed"]);
  await payPart(world, token, "next");
  await expectPaid(payment.payment_id, [150, 50]);
});

it("a changed text or a later expiry neither loses nor repeats a payment at once", async () => {
  for (let round = 0; round < 5; round++) {
    const { payment, token } = await planned({ expires_at: iso(world.clock.now() + 100 * dayMs) });
    const { payment_id } = payment;
    const expires_at = iso(world.clock.now() + 200 * dayMs);
    const send = await tab(token, other);
    const [end, changed, extended] = await Promise.all([
      send("next"),
      endOf(world.call(updatePaymentRequest, user.actor, { payment_id, description: "Chairs" })),
      endOf(world.call(extendPayment, user.actor, { payment_id, expires_at })),
    ]);
    expect([end, changed, extended]).toEqual(["charged", "done", "done"]);
    const row = await paymentRow(world, payment_id);
    expect([row.description, iso(row.expiresAt ?? 0)]).toEqual(["Chairs", expires_at]);
    await expectPaid(payment_id, [100]);
  }
});
