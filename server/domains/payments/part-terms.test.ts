// The terms on which a payment request can be paid in parts: what is refused, and how drafts, changes and copies keep them.
import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { mails } from "@/db/tables";
import { updateAccount } from "@/server/domains/accounts/operations/update";
import type { Failure } from "@/server/kit/errors";
import { dayMs, limits } from "@/server/kit/limits";
import { iso } from "@/server/process/clock";
import { runJobs } from "@/test/jobs";
import { expectSoundLedger } from "@/test/money";
import { ask, payPart, type RequestFields, tokenOf } from "@/test/payer";
import { expectOneTruth } from "@/test/payment-truth";
import { newEmail } from "@/test/people";
import { openWorld, refusalOf, type TestUser, type World } from "@/test/world";
import { duplicatePayment } from "./operations/duplicate";
import { extendPayment } from "./operations/extend";
import { finalizePayment } from "./operations/finalize";
import { getPayment } from "./operations/get";
import { updatePaymentRequest } from "./operations/update";

let world: World;
let user: TestUser;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  user = (await world.organization()).member;
});
afterAll(async () => {
  await expectSoundLedger(world);
  await world.close();
});

const inDays = (days: number) => iso(world.clock.now() + days * dayMs);
/** The hour at which reminders go, so many days from today in UTC. */
const morning = (days: number) => `${inDays(days).slice(0, 10)}T09:00:00.000Z`;
const plan = (...amounts: number[]) => amounts.map((amount, i) => ({ amount, due_at: inDays(30 * i + 1) }));
const request = (fields: RequestFields) => ask(world, user.actor, { amount: 600, ...fields });
const planned = (fields: RequestFields = {}) => request({ installments: plan(100, 200, 300), ...fields });
/** The code and description of a refusal. */
const faultOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => "",
    (error: Failure) => `${error.code} ${error.message}`,
  );
const get = (payment_id: string) => world.call(getPayment, user.actor, { payment_id });

describe("the terms", () => {
  it("of a draft are replaced by others, and its first date may pass", async () => {
    const { payment } = await request({ draft: true, type: "invoice", due_at: inDays(9) });
    const { payment_id } = payment;
    const change = (fields: object) => world.call(updatePaymentRequest, user.actor, { payment_id, ...fields });
    const free = await change({ due_at: null, allow_partial: true, minimum_amount: 50 });
    expect(free).toMatchObject({ allow_partial: true, minimum_amount: 50 });
    expect(await change({ allow_partial: false })).toMatchObject({ allow_partial: false, minimum_amount: null });
    await change({ due_at: inDays(9) });
    const first = plan(100, 200, 300);
    expect(await change({ installments: first })).toMatchObject({ due_at: first[0]?.due_at, allow_partial: false });
    world.clock.advance(3 * dayMs);
    expect((await get(payment_id)).installments?.map(({ status }) => status)).toEqual(["due", "upcoming", "upcoming"]);
  });

  it("are shown as they were given", async () => {
    const { payment } = await planned();
    expect(payment).toMatchObject({ allow_partial: false, minimum_amount: null, expires_at: null });
    const parts = plan(100, 200, 300).map((one, i) => ({
      ...one,
      amount_paid: 0,
      status: i === 0 ? "due" : "upcoming",
    }));
    expect(payment.installments).toEqual(parts);
    expect(payment.due_at).toBe(parts[0]?.due_at);
    const { payment: free } = await request({ allow_partial: true, minimum_amount: 50 });
    expect(free).toMatchObject({ allow_partial: true, minimum_amount: 50, installments: null, due_at: null });
    expect(free.expires_at).not.toBeNull();
    const { payment: whole } = await request({ allow_partial: true });
    expect(whole).toMatchObject({ allow_partial: true, minimum_amount: null });
  });

  it("take a date as the end of that day in the account's time zone", async () => {
    await world.call(updateAccount, user.actor, { preferences: { timezone: "America/New_York" } });
    const installments = [
      { amount: 100, due_at: "2027-03-13" },
      // Clocks go forward on the 14th.
      { amount: 500, due_at: "2027-03-14" },
    ];
    const { payment } = await request({ installments });
    const dates = payment.installments?.map((one) => one.due_at);
    expect(dates).toEqual(["2027-03-14T04:59:59.999Z", "2027-03-15T03:59:59.999Z"]);
    const { payment: invoice } = await request({ type: "invoice", due_at: "2027-03-13" });
    expect(invoice.due_at).toBe("2027-03-14T04:59:59.999Z");
  });

  const lots = (count: number) => Array.from({ length: count }, (_, i) => ({ amount: 1, due_at: inDays(i + 1) }));
  it.each([
    [
      "both",
      () => ({ allow_partial: true, installments: plan(100, 500) }),
      "installments: is not allowed with allow_partial",
    ],
    ["a minimum alone", () => ({ minimum_amount: 5 }), "minimum_amount: is only allowed with allow_partial"],
    [
      "a minimum with installments",
      () => ({ minimum_amount: 5, installments: plan(100, 500) }),
      "minimum_amount: is only allowed with allow_partial",
    ],
    [
      "a minimum above the amount",
      () => ({ allow_partial: true, minimum_amount: 601 }),
      "minimum_amount: must not exceed the amount, 600",
    ],
    [
      "a minimum that leaves no part to pay",
      () => ({ allow_partial: true, minimum_amount: 301 }),
      "minimum_amount: must be at most half of the amount, 600: no part could be paid",
    ],
    [
      "parts of an amount that is too small for two",
      () => ({ amount: 99, allow_partial: true }),
      "allow_partial: an amount of 99 has no parts",
    ],
    [
      "a minimum below that of the currency",
      () => ({ allow_partial: true, minimum_amount: 49 }),
      "minimum_amount: must be at least 50",
    ],
    [
      "a minimum below that of another currency",
      () => ({ currency: "HUF", amount: 50_000, allow_partial: true, minimum_amount: 17_499 }),
      "minimum_amount: must be at least 17500",
    ],
    [
      "more parts than a hundred",
      () => ({ amount: 1_000_001, allow_partial: true, minimum_amount: 10_000 }),
      "minimum_amount: must be at least 10001",
    ],
    [
      "an installment below the minimum of the currency",
      () => ({ installments: plan(551, 49) }),
      "installments[1].amount: must be at least 50",
    ],
    [
      "installments that are all over",
      () => ({ installments: [-2, -1].map((days) => ({ amount: 300, due_at: inDays(days) })) }),
      "installments[1].due_at: must be in the future: it is the last one",
    ],
    ["one installment", () => ({ installments: plan(600) }), "installments"],
    ["too many", () => ({ amount: 37, installments: lots(37) }), "installments"],
    [
      "an installment of nothing",
      () => ({ installments: plan(0, 600) }),
      "installments[0].amount: must be a positive integer",
    ],
    [
      "dates that run backwards",
      () => ({ installments: plan(100, 500).reverse() }),
      "installments[1].due_at: must be later than that of the one before",
    ],
    ["equal dates", () => ({ installments: [...plan(100), ...plan(500)] }), "installments[1].due_at: must be later"],
    [
      "a date that is none",
      () => ({ installments: [...plan(100), { amount: 500, due_at: "2027-02-30" }] }),
      "installments[1].due_at: must be an ISO 8601 date",
    ],
    [
      "a last installment too far off",
      () => ({ installments: [...plan(100), { amount: 500, due_at: inDays(3_661) }] }),
      "installments[1].due_at: must be at most 3660 days from now",
    ],
    [
      "a due date beside",
      () => ({ type: "invoice" as const, due_at: inDays(1), installments: plan(100, 500) }),
      "due_at: is not allowed with installments",
    ],
    [
      "a pre-authorization",
      () => ({ capture_method: "manual" as const, installments: plan(100, 500) }),
      "installments: is not allowed with capture_method manual",
    ],
    [
      "a pre-authorization of parts",
      () => ({ capture_method: "manual" as const, allow_partial: true }),
      "allow_partial: is not allowed with capture_method manual",
    ],
    [
      "a subscription",
      () => ({ type: "subscription" as const, subscription: { interval: "month" as const }, allow_partial: true }),
      "allow_partial: is not allowed for subscriptions",
    ],
    [
      "an end before the last one",
      () => ({ installments: plan(100, 500), expires_at: inDays(30) }),
      "expires_at: must not be before the last installment is due",
    ],
    [
      "an end too late",
      () => ({ installments: plan(100, 500), expires_at: inDays(398) }),
      "expires_at: must be at most 366 days from the last installment",
    ],
  ])("refuse %s", async (_, fields, message) => {
    await expect(request(fields() as RequestFields)).rejects.toMatchObject({
      code: "invalid_request",
      message: expect.stringContaining(message),
    });
  });

  it("refuse installments that do not add up", async () => {
    await expect(request({ installments: plan(100, 499) })).rejects.toMatchObject({
      code: "amount_mismatch",
      message: "The installments add up to 599, not to 600.",
    });
    const line_items = [{ name: "Vase", quantity: 2, unit_amount: 300 }];
    const { payment } = await request({ amount: undefined, line_items, installments: plan(100, 500) });
    expect(payment.amount).toBe(600);
    expect(limits.installments).toMatchObject({ least: 2, most: 36 });
    const smallest = lots(36).map((one) => ({ ...one, amount: 50 }));
    await request({ amount: 36 * 50, installments: smallest });
  });

  it("may end a year after the last installment, and be extended from there", async () => {
    const { payment } = await planned({ expires_at: inDays(61) });
    expect(
      await refusalOf(
        world.call(extendPayment, user.actor, { payment_id: payment.payment_id, expires_at: inDays(428) }),
      ),
    ).toBe("invalid_request");
    const extended = await world.call(extendPayment, user.actor, {
      payment_id: payment.payment_id,
      expires_at: inDays(426),
    });
    expect(extended.expires_at).toBe(inDays(426));
    const { payment: endless } = await planned();
    expect(
      await refusalOf(
        world.call(extendPayment, user.actor, { payment_id: endless.payment_id, expires_at: inDays(90) }),
      ),
    ).toBe("payment_not_extendable");
  });
});

describe("a draft", () => {
  const draft = async (fields: RequestFields = {}) => (await request({ draft: true, ...fields })).payment;
  const change = (payment_id: string, patch: Record<string, unknown>) =>
    world.call(updatePaymentRequest, user.actor, { payment_id, ...patch });
  const finalize = (payment_id: string) => world.call(finalizePayment, user.actor, { payment_id });

  it("changes its terms, and null clears them", async () => {
    const { payment_id: id, due_at } = await draft();
    expect(due_at).toBeNull();
    const parts = await change(id, { allow_partial: true, minimum_amount: 50 });
    expect(parts).toMatchObject({ allow_partial: true, minimum_amount: 50, installments: null });
    expect(await faultOf(change(id, { allow_partial: null }))).toContain("minimum_amount: is only allowed with");
    expect(await faultOf(change(id, { amount: 49 }))).toContain("minimum_amount: must not exceed the amount, 49");
    expect(await faultOf(change(id, { installments: plan(100, 500) }))).toContain("installments: is not allowed with");
    expect(await faultOf(change(id, { capture_method: "manual" }))).toContain("allow_partial: is not allowed with");
    const installments = plan(100, 500);
    const divided = await change(id, { allow_partial: null, minimum_amount: null, installments });
    expect(divided).toMatchObject({ allow_partial: false, minimum_amount: null, due_at: installments[0]?.due_at });
    expect(divided.installments?.map(({ amount }) => amount)).toEqual([100, 500]);
    expect(await faultOf(change(id, { amount: 700 }))).toContain("The installments add up to 600, not to 700.");
    expect(await faultOf(change(id, { due_at: inDays(3), type: "invoice" }))).toContain("due_at: is not allowed with");
    const larger = await change(id, { amount: 700, installments: plan(300, 400) });
    expect(larger.installments?.map(({ amount }) => amount)).toEqual([300, 400]);
    const whole = await change(id, { installments: null });
    expect(whole).toMatchObject({ installments: null, due_at: null });
  });

  it("takes dates in the account's time zone, also when only the dates change", async () => {
    await world.call(updateAccount, user.actor, { preferences: { timezone: "America/New_York" } });
    const { payment_id: id } = await draft({ type: "invoice" });
    expect((await change(id, { due_at: "2027-03-13" })).due_at).toBe("2027-03-14T04:59:59.999Z");
    const installments = [
      { amount: 100, due_at: "2027-03-13" },
      { amount: 500, due_at: "2027-03-14" },
    ];
    expect((await change(id, { due_at: null, installments })).due_at).toBe("2027-03-14T04:59:59.999Z");
    expect(await faultOf(change(id, { expires_at: "2027-03-14T05:00:00Z" }))).toContain(
      "expires_at: must not be before",
    );
    expect((await change(id, { expires_at: "2027-03-16T05:00:00Z" })).installments).toHaveLength(2);
    const later = [...installments.slice(0, 1), { amount: 500, due_at: "2027-03-20" }];
    expect(await faultOf(change(id, { installments: later }))).toContain("expires_at: must not be before");
    const final = await finalize(id);
    expect(final).toMatchObject({ status: "pending", due_at: "2027-03-14T04:59:59.999Z" });
  });

  it("is checked again when it is finalized, and its reminders hang on the first installment", async () => {
    const { payment_id: id } = await draft({ installments: plan(100, 500), expires_at: inDays(40) });
    world.clock.advance(41 * dayMs);
    expect(await faultOf(finalize(id))).toContain("expires_at: must be in the future");
    expect((await change(id, { description: "Late" })).description).toBe("Late");
    const installments = plan(250, 350);
    const customer = { email: newEmail() };
    await change(id, { installments, expires_at: null, customer, reminders: { offsets_days: [0, 5] } });
    const final = await finalize(id);
    expect(final).toMatchObject({ expires_at: null, due_at: installments[0]?.due_at });
    expect(final.reminders?.map((one) => one.planned_at)).toEqual([morning(1), morning(6)]);
    await payPart(world, tokenOf(final.payment_url), "next");
    expect(await get(id)).toMatchObject({ status: "partially_paid", due_at: installments[1]?.due_at });
    await expectOneTruth(world, id);
  });

  it("is what a copy is: it takes parts, and has no installments", async () => {
    const duplicate = ({ payment_id }: { payment_id: string }) =>
      world.call(duplicatePayment, user.actor, { payment_id });
    const { payment: parts } = await request({ allow_partial: true, minimum_amount: 50 });
    expect(await duplicate(parts)).toMatchObject({ status: "draft", allow_partial: true, minimum_amount: 50 });
    const { payment: divided } = await planned();
    expect(await duplicate(divided)).toMatchObject({ status: "draft", installments: null, due_at: null, amount: 600 });
  });
});

describe("an open request with installments", () => {
  const change = (payment_id: string, patch: Record<string, unknown>) =>
    world.call(updatePaymentRequest, user.actor, { payment_id, ...patch });

  it("changes neither its terms nor its due date, and expires after the last one", async () => {
    const { payment, token } = await planned();
    const id = payment.payment_id;
    for (const patch of [{ allow_partial: true }, { minimum_amount: 5 }, { installments: null }]) {
      expect(await refusalOf(change(id, patch))).toBe("payment_not_updatable");
    }
    for (const due_at of [inDays(3), null]) {
      expect(await faultOf(change(id, { due_at }))).toContain("payment_not_updatable due_at: ");
    }
    expect(await faultOf(change(id, { expires_at: inDays(60) }))).toContain("expires_at: must not be before the last");
    await payPart(world, token, "next");
    const changed = await change(id, { expires_at: inDays(400), description: "Changed" });
    expect(changed).toMatchObject({ due_at: payment.installments?.[1]?.due_at, expires_at: inDays(400) });
    expect((await change(id, { expires_at: null })).expires_at).toBeNull();
    await expectOneTruth(world, id);
  });

  it("reminds of later installments as it was last told", async () => {
    const { payment, token } = await planned({
      customer: { email: newEmail() },
      reminders: { offsets_days: [0, 1, 9] },
    });
    const id = payment.payment_id;
    world.clock.advance(2 * dayMs + 1000);
    await runJobs(world);
    const days = async () =>
      (await get(id)).reminders?.map((one) => [one.offset_days, one.sent_at === null ? one.skipped_reason : "sent"]);
    const sent = and(eq(mails.paymentId, id), eq(mails.kind, "payment_reminder"));
    expect(await world.runtime.db.read.$count(mails, sent)).toBe(1);
    expect(await days()).toEqual([
      [0, null],
      [1, null],
      [9, null],
    ]);
    await change(id, { reminders: { offsets_days: [1, 2] } });
    expect(await days()).toEqual([
      [1, null],
      [2, null],
    ]);
    await payPart(world, token, "next");
    expect(await days()).toEqual([
      [1, null],
      [2, null],
    ]);
    await change(id, { reminders: null });
    expect((await get(id)).reminders).toBeNull();
    await payPart(world, token, "next");
    expect((await get(id)).reminders).toBeNull();
  });
});

it("a draft can drop or replace its plan after its expiry has passed, but not outlive it", async () => {
  const { payment_id } = (await planned({ draft: true, expires_at: inDays(90) })).payment;
  world.clock.advance(100 * dayMs);
  const change = (patch: object) => world.call(updatePaymentRequest, user.actor, { payment_id, ...patch });
  const earlier = [100, 500].map((amount, i) => ({ amount, due_at: inDays(i - 20) }));
  expect((await change({ installments: earlier })).installments).toHaveLength(2);
  expect(await faultOf(change({ installments: plan(100, 500) }))).toContain("must not be before the last installment");
  expect((await change({ amount: 1, installments: null })).installments).toBeNull();
});

it("a draft is not finalized with installments that are all over, or a minimum that leaves no part", async () => {
  const { payment_id } = (await planned({ draft: true })).payment;
  world.clock.advance(4_000 * dayMs);
  const finalize = () => faultOf(world.call(finalizePayment, user.actor, { payment_id }));
  expect(await finalize()).toContain("must be in the future: it is the last one");
  const change = (patch: object) => world.call(updatePaymentRequest, user.actor, { payment_id, ...patch });
  await change({ amount: 600, installments: null, allow_partial: true, minimum_amount: 400 });
  expect(await finalize()).toContain("minimum_amount: must be at most half of the amount");
  await change({ minimum_amount: 300 });
  expect(await world.call(finalizePayment, user.actor, { payment_id })).toMatchObject({ status: "pending" });
});
