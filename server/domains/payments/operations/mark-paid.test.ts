// Marking a payment request as paid: what it records, every refusal, and its races.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { dialect } from "@/db/dialect";
import { auditEntries } from "@/db/tables";
import { updateAccount } from "@/server/domains/accounts/operations/update";
import { createTransaction } from "@/server/domains/transactions/operations/create";
import { Failure } from "@/server/kit/errors";
import { limits } from "@/server/kit/limits";
import { closeAccountOf } from "@/test/closing";
import { expectSoundLedger } from "@/test/money";
import {
  ask,
  card,
  formToken,
  paymentRow,
  payPart,
  payWith,
  type RequestFields,
  submit,
  transactionsOf,
} from "@/test/payer";
import { expectOneTruth } from "@/test/payment-truth";
import { simulate } from "@/test/simulating";
import { anotherProcess, openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";
import { applyCredit } from "./apply-credit";
import { cancelPayment } from "./cancel";
import { capturePayment } from "./capture";
import { markPaid } from "./mark-paid";

let world: World;
/** Calls come from two processes if the engine supports several. */
let other: World;
let organization: TestOrganization;
beforeAll(async () => {
  world = await openWorld({ PAY_FAILURES_PER_IP: "10000" });
  other = dialect === "postgres" ? await anotherProcess(world) : world;
});
beforeEach(async () => {
  organization = await world.organization();
});
afterAll(async () => {
  await expectSoundLedger(world);
  if (other !== world) await other.close();
  await world.close();
});

const request = (fields: RequestFields = {}) => ask(world, organization.member.actor, fields);
const mark = (payment_id: string, fields: object = {}, from = world, idempotencyKey?: string) =>
  from.call(
    markPaid,
    organization.member.actor,
    { payment_id, method: "cash", reason: "Paid at the counter", ...fields } as never,
    idempotencyKey === undefined ? {} : { idempotencyKey },
  );

async function faultOf(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => "done",
    (thrown: unknown) => thrown,
  );
  return error instanceof Failure ? `${error.code} ${error.message}` : String(error);
}

describe("an open payment request", () => {
  it("becomes paid by a transaction that says how the money arrived, and why it was recorded", async () => {
    const customer = { name: "Grace Hopper", email: "grace@example.com" };
    const { payment } = await request({ customer, description: "Two coffees" });
    const received_at = new Date(world.clock.now() - 86_400_000).toISOString();
    const paid = await mark(payment.payment_id, { method: "bank_transfer", received_at, reference: "TRF-7712" });
    expect(paid).toMatchObject({ status: "paid", amount_paid: payment.amount, amount_due: 0 });
    const [row, another] = await transactionsOf(world, payment.payment_id);
    expect(another).toBeUndefined();
    expect(row).toMatchObject({
      ...{ type: "payment", status: "succeeded", provider: null, amount: payment.amount, reference: "TRF-7712" },
      paymentMethod: { type: "bank_transfer", brand: null, last4: null, exp_month: null, exp_year: null },
      reason: "Paid at the counter",
      description: "Two coffees",
      effectiveAt: Date.parse(received_at),
    });
    expect(row?.customer).toMatchObject(customer);
    expect(paid.transaction_ids).toEqual([row?.id]);
    const entries = world.runtime.db.read.select().from(auditEntries);
    const ofRequest = await entries.where(eq(auditEntries.targetId, payment.payment_id));
    const entry = ofRequest.find(({ operation }) => operation === "payments.markPaid");
    expect(entry?.detail).toEqual({ method: "bank_transfer", received_at });
    await expectOneTruth(world, payment.payment_id);
  });

  it("is partially paid by a part, and then takes the rest in cash or by card", async () => {
    const { payment } = await request({ amount: 1000 });
    expect(await mark(payment.payment_id, { amount: 400 })).toMatchObject({
      status: "partially_paid",
      amount_due: 600,
    });
    expect(await mark(payment.payment_id)).toMatchObject({ status: "paid", amount_paid: 1000 });
    const { payment: mixed, token } = await request({ amount: 1000 });
    await mark(mixed.payment_id, { amount: 400 });
    await payWith(world, token);
    expect(await paymentRow(world, mixed.payment_id)).toMatchObject({ status: "paid", amountPaid: 1000 });
  });

  it("refuses more than is due, and records nothing then", async () => {
    const { payment } = await request({ amount: 1000 });
    expect(await refusalOf(mark(payment.payment_id, { amount: 1001 }))).toBe("amount_too_large");
    expect(await transactionsOf(world, payment.payment_id)).toEqual([]);
  });

  it("is paid in a bounded number of parts, of which the last pays all that is due", async () => {
    const { payment } = await request({ amount: 10_000 });
    const { payment_id, account_id } = payment;
    for (let part = 1; part < limits.partsOfRequest; part++) await mark(payment_id, { amount: 1 });
    expect(await refusalOf(mark(payment_id, { amount: 1 }))).toBe("too_many_parts");
    const input = { type: "payment", payment_id, account_id, currency: "EUR", amount: 1 };
    const created = world.call(createTransaction, organization.member.actor, input as never);
    expect(await refusalOf(created)).toBe("too_many_parts");
    expect(await mark(payment_id)).toMatchObject({ status: "paid", amount_due: 0 });
    expect(await transactionsOf(world, payment_id)).toHaveLength(limits.partsOfRequest);
  });

  it("needs neither a method nor a reason", async () => {
    const { payment } = await request();
    expect(await mark(payment.payment_id, { method: undefined, reason: undefined })).toMatchObject({ status: "paid" });
    expect(await transactionsOf(world, payment.payment_id)).toMatchObject([{ paymentMethod: null, reason: null }]);
  });

  it("refuses a date in the future or long ago, an unknown method, a blank reason and a used reference", async () => {
    const { payment } = await request({ amount: 1000 });
    const { payment_id: id } = payment;
    const received_at = new Date(world.clock.now() + 3_600_000).toISOString();
    expect(await faultOf(mark(id, { received_at }))).toBe("invalid_request received_at: must not be in the future");
    const daysAgo = (days: number) => new Date(world.clock.now() - days * 86_400_000).toISOString();
    expect(await faultOf(mark(id, { received_at: daysAgo(3_661) }))).toBe(
      "invalid_request received_at: must be at most 3660 days ago",
    );
    expect(await faultOf(mark(id, { method: "barter" }))).toContain("invalid_request method:");
    expect(await faultOf(mark(id, { reason: "\u200b" }))).toContain("invalid_request reason:");
    await mark(id, { amount: 100, reference: "TRF-1", received_at: daysAgo(3_660) });
    expect(await refusalOf(mark(id, { amount: 100, reference: "TRF-1" }))).toBe("duplicate_reference");
    expect((await paymentRow(world, id)).amountPaid).toBe(100);
  });

  it("is refused while a payer confirms a card, and the refusal says how long to wait at most", async () => {
    const { payment, token } = await request();
    await payWith(world, token, card("4000002500003155"));
    expect(await faultOf(mark(payment.payment_id))).toBe(
      "payment_processing A payer confirms a payment by card with the bank: it ends at most 15 minutes after it began. " +
        "Try again then.",
    );
  });

  it("was paid at the begin of a day of the account's calendar, if only the day is known", async () => {
    await world.call(updateAccount, organization.member.actor, {
      account_id: organization.member.accountId,
      preferences: { timezone: "Asia/Tokyo" },
    } as never);
    const { payment } = await request();
    const paid = await mark(payment.payment_id, { received_at: "2026-11-18" });
    expect(paid.paid_at).toBe("2026-11-17T15:00:00.000Z");
    expect(await faultOf(mark((await request()).payment.payment_id, { received_at: "2026-11-31" }))).toContain(
      "invalid_request received_at:",
    );
  });

  it("is recorded once for one Idempotency-Key", async () => {
    const { payment } = await request({ amount: 1000 });
    const calls = [1, 2].map(() => mark(payment.payment_id, { amount: 400 }, world, "till-1"));
    await Promise.allSettled(calls);
    await mark(payment.payment_id, { amount: 400 }, world, "till-1");
    expect((await paymentRow(world, payment.payment_id)).amountPaid).toBe(400);
  });
});

describe("a payment request that takes no money", () => {
  it("is refused with the reason", async () => {
    const paid = await request();
    await mark(paid.payment.payment_id);
    expect(await faultOf(mark(paid.payment.payment_id))).toBe(
      "payment_already_paid The payment request has already been paid.",
    );
    const canceled = await request();
    await world.call(cancelPayment, organization.member.actor, { payment_id: canceled.payment.payment_id });
    expect(await faultOf(mark(canceled.payment.payment_id))).toBe(
      "payment_not_payable The payment request was canceled.",
    );
    const expired = await request({ expires_at: new Date(world.clock.now() + 600_000).toISOString() });
    world.clock.advance(600_000);
    expect(await refusalOf(mark(expired.payment.payment_id))).toBe("payment_expired");
    const held = await request({ capture_method: "manual" });
    await payWith(world, held.token);
    expect(await refusalOf(mark(held.payment.payment_id))).toBe("payment_processing");
    const closed = await request();
    const { actor, accountId } = organization.member;
    await closeAccountOf(world, actor, accountId);
    expect(await refusalOf(mark(closed.payment.payment_id))).toBe("account_closed");
  });
});

describe("a payment request of which nothing is due", () => {
  const nothing = "Nothing is due of a trial: its page only stores the card.";
  const trial = { type: "subscription", subscription: { interval: "month", trial_days: 10 } } as const;

  it("says so of a trial, before and after its card was stored, and not that credit is missing", async () => {
    const { payment, token } = await request(trial);
    const { payment_id } = payment;
    const credit = () => world.call(applyCredit, organization.member.actor, { payment_id });
    expect(await faultOf(mark(payment_id))).toBe(`amount_too_large ${nothing}`);
    expect(await faultOf(credit())).toBe(`amount_too_large ${nothing}`);
    await payWith(world, token);
    expect(await faultOf(mark(payment_id))).toBe(`payment_already_paid ${nothing}`);
    expect(await faultOf(credit())).toBe(`payment_already_paid ${nothing}`);
  });

  it("says that a trial was canceled", async () => {
    const { payment_id } = (await request(trial)).payment;
    await world.call(cancelPayment, organization.member.actor, { payment_id });
    expect(await faultOf(mark(payment_id))).toBe("payment_not_payable The payment request was canceled.");
  });

  it("says that the rest of a hold is not wanted any more", async () => {
    const { payment, token } = await request({ capture_method: "manual" });
    const { payment_id } = payment;
    await payWith(world, token);
    await world.call(capturePayment, organization.member.actor, { payment_id, amount: 500 });
    expect(await faultOf(mark(payment_id))).toBe("payment_already_paid The payment request has already been paid.");
  });
});

it("says that a payment of a payment request is disputed", async () => {
  const { payment, token } = await request({ allow_partial: true, minimum_amount: 100 });
  const { payment_id } = payment;
  await payPart(world, token, "own", 500);
  await simulate(world, organization, payment_id, "dispute");
  expect(await faultOf(mark(payment_id))).toBe(
    "payment_not_payable A payment of it is disputed: nothing more is taken until that has ended.",
  );
});

it("says of one that has expired only that, whatever is disputed", async () => {
  const expires_at = new Date(world.clock.now() + 600_000).toISOString();
  const { payment, token } = await request({ allow_partial: true, minimum_amount: 100, expires_at });
  await payPart(world, token, "own", 500);
  await simulate(world, organization, payment.payment_id, "dispute");
  world.clock.advance(600_000);
  expect(await faultOf(mark(payment.payment_id))).toBe("payment_expired The payment request has expired.");
});

describe("races", () => {
  it("records the whole amount once when two people mark it at once", async () => {
    for (let round = 0; round < 5; round++) {
      const { payment } = await request({ amount: 1000 });
      await Promise.allSettled([mark(payment.payment_id), mark(payment.payment_id, {}, other)]);
      expect(await paymentRow(world, payment.payment_id)).toMatchObject({ status: "paid", amountPaid: 1000 });
      expect(await transactionsOf(world, payment.payment_id)).toHaveLength(1);
    }
  });

  it("takes money either from the payer's card or at the counter, never from both", async () => {
    for (let round = 0; round < 5; round++) {
      const { payment, token } = await request({ amount: 1000 });
      const form = await formToken(world, token);
      await Promise.allSettled([mark(payment.payment_id, {}, other), submit(world, token, form)]);
      const row = await paymentRow(world, payment.payment_id);
      expect([row.status, row.amountPaid, row.amountOverpaid]).toEqual(["paid", 1000, 0]);
      await expectOneTruth(world, payment.payment_id);
    }
  });
});
