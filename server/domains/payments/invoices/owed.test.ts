// An issued invoice is owed until it is paid or canceled, whatever time has ended; and nothing is due of a canceled one.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createTransaction } from "@/server/domains/transactions/operations/create";
import { dayMs } from "@/server/kit/limits";
import { runJobs } from "@/test/jobs";
import { expectSoundLedger } from "@/test/money";
import { ask, openPage, payWith, type RequestFields } from "@/test/payer";
import { expectOneTruth } from "@/test/payment-truth";
import { openWorld, type TestOrganization, type World } from "@/test/world";
import { applyCredit } from "../operations/apply-credit";
import { cancelPayment } from "../operations/cancel";
import { getPayment } from "../operations/get";
import { listPaymentRequests } from "../operations/list";
import { markPaid } from "../operations/mark-paid";
import { paymentStatus } from "../operations/status";

let world: World;
let acme: TestOrganization;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  acme = await world.organization();
});
afterAll(async () => {
  await expectSoundLedger(world);
  await world.close();
});

const actor = () => acme.member.actor;
const invoice = (fields: RequestFields = {}) => ask(world, actor(), { type: "invoice", amount: 1250, ...fields });
const get = (payment_id: string) => world.call(getPayment, actor(), { payment_id });
const cash = { method: "cash", reason: "Paid at the counter" } as const;
const customer = { email: "ada@example.com", reference: "ada" };

/** An invoice that time has ended: its authorization has lapsed, or it has expired. Recorded, or not yet. */
async function ended(how: "lapsed" | "expired", isRecorded: boolean): Promise<string> {
  const expires_at = new Date(world.clock.now() + dayMs).toISOString();
  const terms = how === "lapsed" ? { capture_method: "manual" as const } : { expires_at };
  const { payment, token } = await invoice({ ...terms, customer });
  if (how === "lapsed") await payWith(world, token);
  world.clock.advance(8 * dayMs);
  if (isRecorded) await runJobs(world);
  expect(await get(payment.payment_id)).toMatchObject({ status: "expired", amount_due: 1250 });
  return payment.payment_id;
}

const cases = (["lapsed", "expired"] as const).flatMap((how) => [true, false].map((recorded) => ({ how, recorded })));

describe.each(cases)("an invoice that has $how (recorded: $recorded)", ({ how, recorded }) => {
  it("can be marked as paid, in part and then in full", async () => {
    const payment_id = await ended(how, recorded);
    const part = await world.call(markPaid, actor(), { payment_id, amount: 250, ...cash });
    expect(part).toMatchObject({ status: "expired", amount_paid: 250, amount_due: 1000 });
    expect(await world.call(markPaid, actor(), { payment_id, ...cash })).toMatchObject({ status: "paid" });
    await expectOneTruth(world, payment_id);
  });

  it("takes a transaction, and its customer's credit", async () => {
    const other = await invoice({ customer, amount: 100 });
    const surplus = { payment_id: other.payment.payment_id, amount: 300, overpayment: "credit" } as const;
    await world.call(markPaid, actor(), { ...surplus, ...cash });
    const payment_id = await ended(how, recorded);
    const money = { type: "payment", payment_id, amount: 1050, currency: "EUR" } as const;
    await world.call(createTransaction, actor(), { ...money, account_id: acme.member.accountId });
    expect(await world.call(applyCredit, actor(), { payment_id })).toMatchObject({ status: "paid", amount_paid: 1250 });
    await expectOneTruth(world, payment_id);
  });

  it("can be canceled, with a credit note of what was due", async () => {
    const payment_id = await ended(how, recorded);
    await world.call(markPaid, actor(), { payment_id, amount: 250, ...cash });
    const canceled = await world.call(cancelPayment, actor(), { payment_id });
    expect(canceled).toMatchObject({ status: "canceled", amount_due: 0 });
    expect(canceled.credit_notes.map(({ amount }) => amount)).toEqual([1000]);
    await expect(world.call(cancelPayment, actor(), { payment_id })).rejects.toThrow();
    await expectOneTruth(world, payment_id);
  });
});

it("refuses money for other payment requests that time has ended, and does not cancel them", async () => {
  const { payment } = await ask(world, actor(), { expires_at: new Date(world.clock.now() + dayMs).toISOString() });
  const { payment_id } = payment;
  world.clock.advance(dayMs);
  const money = world.call(markPaid, actor(), { payment_id, ...cash });
  await expect(money).rejects.toMatchObject({ code: "payment_expired" });
  const cancelation = world.call(cancelPayment, actor(), { payment_id });
  await expect(cancelation).rejects.toMatchObject({ code: "payment_not_cancelable" });
});

it("says everywhere that nothing is due of what is canceled, also after a part was paid", async () => {
  const { payment, token } = await invoice({ allow_partial: true });
  const { payment_id } = payment;
  await world.call(markPaid, actor(), { payment_id, amount: 250, ...cash });
  const canceled = await world.call(cancelPayment, actor(), { payment_id });
  expect(canceled).toMatchObject({ status: "canceled", amount_paid: 250, amount_due: 0 });
  expect(await world.call(paymentStatus, actor(), { payment_id })).toMatchObject({ amount_due: 0 });
  expect(await openPage(world, token)).toMatchObject({ state: "canceled", amount_due: 0 });
  const { data } = await world.call(listPaymentRequests, actor(), {});
  expect(data.map(({ amount_due }) => amount_due)).toEqual([0]);
});
