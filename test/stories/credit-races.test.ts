// Customers' credit under real concurrency, from two processes where the engine supports several: nothing is spent twice.
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { dialect } from "@/db/dialect";
import { eraseCustomer } from "@/server/domains/closing/operations/erase-customer";
import { getCustomer } from "@/server/domains/customers/operations/get";
import { updatePaymentRequest } from "@/server/domains/payments/operations/update";
import { atOnce } from "@/test/at-once";
import { mergeCustomersOf } from "@/test/closing";
import {
  applyTo,
  askCustomer,
  creditsOf,
  failLate,
  makeCredit,
  newCustomer,
  overpay,
  owedTo,
  refund,
} from "@/test/credit";
import { deadlocksIn } from "@/test/deadlocks";
import { expectSoundLedger } from "@/test/money";
import { ask, formToken, paymentRow, submit } from "@/test/payer";
import { expectOneTruth } from "@/test/payment-truth";
import { anotherProcess, openWorld, type TestOrganization, type World } from "@/test/world";

let world: World;
let other: World;
let org: TestOrganization;
let customer: string;
beforeAll(async () => {
  world = await openWorld({ PAY_FAILURES_PER_IP: "10000" });
  other = dialect === "postgres" ? await anotherProcess(world) : world;
});
beforeEach(async () => {
  world.clock.advance(1000);
  org = await world.organization();
  customer = await newCustomer(world, actor());
});
afterAll(async () => {
  await expectSoundLedger(world);
  if (other !== world) await other.close();
  if (dialect === "postgres") expect(await deadlocksIn(world)).toBe(0);
  await world.close();
});

const rounds = Array.from({ length: 8 }, (_, i) => i);
const actor = () => org.member.actor;
const request = (amount: number, of = customer) => askCustomer(world, actor(), of, amount);
const credit = (amount: number, of = customer) => makeCredit(world, actor(), of, amount);
const apply = (id: string, amount?: number, from = world) => applyTo(from, actor(), id, amount);
const leftOf = async (source: string, of = customer) => (await creditsOf(world, of)).get(source);

it.each(rounds)("credit pays one of two payment requests (%i)", async (round) => {
  const source = await credit(100);
  const ids = [await request(100), await request(100)] as const;
  const answers = await atOnce(
    round,
    () => apply(ids[0], 100),
    () => apply(ids[1], 100, other),
  );
  expect(answers.sort()).toEqual(["done", "insufficient_credit"]);
  expect(await leftOf(source)).toEqual({ left: 0, spent: 100 });
  expect(await owedTo(world, customer)).toBe(0);
  for (const id of ids) await expectOneTruth(world, id);
});

it.each(rounds)("a payment request is paid out of credit once (%i)", async (round) => {
  await credit(300);
  const id = await request(100);
  const answers = await atOnce(
    round,
    () => apply(id),
    () => apply(id, undefined, other),
  );
  expect(answers.sort()).toEqual(["done", "payment_already_paid"]);
  expect(await owedTo(world, customer)).toBe(200);
  await expectOneTruth(world, id);
});

it.each(rounds)("credit is spent, or its source is refunded, never both (%i)", async (round) => {
  const source = await credit(50);
  const id = await request(50);
  const [applied, refunded] = await atOnce(
    round,
    () => apply(id),
    () => refund(other, actor(), source, 150),
  );
  const isApplied = applied === "done";
  const refusals = isApplied ? ["done", "refund_exceeds_captured"] : ["insufficient_credit", "done"];
  expect([applied, refunded]).toEqual(refusals);
  expect(await leftOf(source)).toEqual({ left: 0, spent: isApplied ? 50 : 0 });
  await expectOneTruth(world, id);
});

it.each(rounds)("credit that is given back can be refunded with its source, or later (%i)", async (round) => {
  const source = await credit(50);
  const [payment = ""] = (await apply(await request(50))).transaction_ids;
  const [given, refunded] = await atOnce(
    round,
    () => refund(world, actor(), payment),
    () => refund(other, actor(), source, 150),
  );
  expect(given).toBe("done");
  expect(["done", "refund_exceeds_captured"]).toContain(refunded);
  expect(await leftOf(source)).toEqual({ left: refunded === "done" ? 0 : 50, spent: 0 });
});

it.each(rounds)("a payment request is paid by card or out of credit (%i)", async (round) => {
  await credit(100);
  const { payment, token } = await ask(world, actor(), { amount: 100, customer: { customer_id: customer } });
  const form = await formToken(world, token);
  const id = payment.payment_id;
  const [applied] = await atOnce(
    round,
    () => apply(id),
    () => submit(other, token, form),
  );
  expect(["done", "payment_processing", "payment_already_paid"]).toContain(applied);
  expect(await paymentRow(world, id)).toMatchObject({ status: "paid", amountPaid: 100, amountOverpaid: 0 });
  expect(await owedTo(world, customer)).toBe(applied === "done" ? 0 : 100);
  await expectOneTruth(world, id);
});

it.each(rounds)("credit is spent by the customer or by its survivor (%i)", async (round) => {
  const survivor = await newCustomer(world, actor());
  const sources = [await credit(30), await credit(40, survivor)];
  const id = await request(50);
  const [merged, applied] = await atOnce(
    round,
    () => mergeCustomersOf(other, actor(), customer, survivor),
    () => apply(id),
  );
  expect([merged, applied]).toEqual(["done", "done"]);
  const paid = (await paymentRow(world, id)).amountPaid;
  expect([30, 50]).toContain(paid);
  expect([await owedTo(world, customer), await owedTo(world, survivor)]).toEqual([0, 70 - paid]);
  expect([...(await creditsOf(world, survivor)).keys()].sort()).toEqual(sources.sort());
  await expectOneTruth(world, id);
});

it.each(rounds)("credit pays a payment request of its customer, or the request goes to another (%i)", async (round) => {
  const another = await newCustomer(world, actor(), "Ada Lovelace");
  await credit(100);
  const id = await request(100);
  const answers = await atOnce(
    round,
    () => apply(id),
    () => other.call(updatePaymentRequest, actor(), { payment_id: id, customer: { customer_id: another } }),
  );
  const isPaid = answers[0] === "done";
  expect(answers).toEqual(isPaid ? ["done", "payment_not_updatable"] : ["insufficient_credit", "done"]);
  const { customerId, amountPaid } = await paymentRow(world, id);
  expect([customerId, amountPaid]).toEqual(isPaid ? [customer, 100] : [another, 0]);
});

it.each(rounds)("a surplus becomes credit of the survivor (%i)", async (round) => {
  const survivor = await newCustomer(world, actor());
  const id = await request(100);
  const answers = await atOnce(
    round,
    () => mergeCustomersOf(other, actor(), customer, survivor),
    () => overpay(world, actor(), id, 130),
  );
  expect(answers).toEqual(["done", "done"]);
  expect([await owedTo(world, customer), await owedTo(world, survivor)]).toEqual([0, 30]);
});

it.each(rounds)("a refund gives back to the survivor what it took of the credit (%i)", async (round) => {
  const survivor = await newCustomer(world, actor());
  const [source, spent] = [await credit(30), await credit(20)];
  const { transaction_id } = await refund(world, actor(), source, 30);
  const [payment = ""] = (await apply(await request(20))).transaction_ids;
  const answers = await atOnce(
    round,
    () => Promise.all([failLate(world, transaction_id), refund(world, actor(), payment)]),
    () => mergeCustomersOf(other, actor(), customer, survivor),
  );
  expect(answers).toEqual(["done", "done"]);
  expect([await owedTo(world, customer), await owedTo(world, survivor)]).toEqual([0, 50]);
  expect(await leftOf(spent, survivor)).toEqual({ left: 20, spent: 0 });
});

it.each(rounds)("a customer is erased, or a surplus becomes its credit (%i)", async (round) => {
  const id = await request(100);
  const [erased, paid] = await atOnce(
    round,
    () => other.call(eraseCustomer, actor(), { customer_id: customer }),
    () => overpay(world, actor(), id, 130),
  );
  const isErased = erased === "done";
  expect([erased, paid]).toEqual(isErased ? ["done", "customer_required"] : ["customer_in_use", "done"]);
  expect(await owedTo(world, customer)).toBe(isErased ? 0 : 30);
  const { erased_at } = await world.call(getCustomer, actor(), { customer_id: customer });
  expect(erased_at !== null).toBe(isErased);
});

it.each(rounds)("a customer is erased, or a refund gives its credit back (%i)", async (round) => {
  await credit(30);
  const [payment = ""] = (await apply(await request(30))).transaction_ids;
  const [erased, refunded] = await atOnce(
    round,
    () => other.call(eraseCustomer, actor(), { customer_id: customer }),
    () => refund(world, actor(), payment),
  );
  const isErased = erased === "done";
  expect([erased, refunded]).toEqual(isErased ? ["done", "customer_required"] : ["customer_in_use", "done"]);
  expect(await owedTo(world, customer)).toBe(isErased ? 0 : 30);
});

it.each(rounds)("the surplus of one of two payments becomes credit (%i)", async (round) => {
  const id = await request(100);
  const answers = await atOnce(
    round,
    () => overpay(world, actor(), id, 130),
    () => overpay(other, actor(), id, 150),
  );
  expect([...answers].sort()).toEqual(["done", "payment_already_paid"]);
  expect(await owedTo(world, customer)).toBe(answers[0] === "done" ? 30 : 50);
  await expectOneTruth(world, id);
});
