// One attempt at a time: an attempt in progress blocks every other payment, whatever was refunded and at any time.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { transactions } from "@/db/tables";
import { lostAnswerCode, troubledCard } from "@/server/domains/providers/test-cards";
import { closeAccountOf } from "@/test/closing";
import { runJobs } from "@/test/jobs";
import { balancesOf, create, expectSoundLedger, settleNow } from "@/test/money";
import {
  anyone,
  ask,
  card,
  formToken,
  goodCard,
  openPage,
  paymentRow,
  payWith,
  type RequestFields,
  submit,
  transactionsOf,
} from "@/test/payer";
import { expectOneTruth } from "@/test/payment-truth";
import { openWorld, refusalOf, type TestUser, type World } from "@/test/world";
import { paymentActions } from "./operations/actions";
import { cancelPayment } from "./operations/cancel";
import { capturePayment } from "./operations/capture";
import { answerChallenge } from "./operations/challenge";
import { getPayment } from "./operations/get";
import { listPaymentRequests } from "./operations/list";
import { paymentStatus } from "./operations/status";

let world: World;
let user: TestUser;
beforeAll(async () => {
  world = await openWorld({ PAY_FAILURES_PER_IP: "10000", PAY_FAILURES_PER_LINK: "10000" });
});
beforeEach(async () => {
  world.clock.advance(1000);
  user = (await world.organization()).member;
});
afterAll(async () => {
  await expectSoundLedger(world);
  await world.close();
});

const challenging = card("4000002760003184");
const lost = { card_number: troubledCard, expiry: "12/30", security_code: lostAnswerCode };
const day = 86_400_000;
const inMs = (ms: number): string => new Date(world.clock.now() + ms).toISOString();
const get = (payment_id: string) => world.call(getPayment, user.actor, { payment_id });
const actions = (payment_id: string) => world.call(paymentActions, user.actor, { payment_id });
const cancel = (payment_id: string) => world.call(cancelPayment, user.actor, { payment_id });
const capture = (payment_id: string, amount?: number) => world.call(capturePayment, user.actor, { payment_id, amount });
const offline = (payment_id: string, amount: number) =>
  create(world, user.actor, { type: "payment", payment_id, amount, currency: "EUR" });
const confirm = (url: string | null) =>
  world.call(answerChallenge, anyone, { reference: url?.split("/").at(-1) ?? "", answer: "complete" });

/** A payment request for 1000 of which 400 were received offline and `refunded` of those refunded. */
async function partlyPaid(fields: RequestFields = {}, refunded = 100) {
  const { payment, token } = await ask(world, user.actor, { amount: 1000, ...fields });
  const { payment_id: id } = payment;
  const part = await offline(id, 400);
  const refund = (amount: number) =>
    create(world, user.actor, { type: "refund", parent_transaction_id: part.transaction_id, amount });
  if (refunded > 0) await refund(refunded);
  return { id, token, refund };
}

/** Attempts in progress, each with the payment request's status meanwhile. */
const underWay = [
  { what: "a confirmation", status: "requires_action", page: "requires_action", fields: {}, typed: challenging },
  { what: "an unanswered card", status: "processing", page: "processing", fields: {}, typed: lost },
  {
    what: "an authorization",
    status: "authorized",
    page: "authorized",
    fields: { capture_method: "manual" },
    typed: goodCard,
  },
] as const;

describe.each(underWay)("while $what is in progress on a partly refunded payment request", (given) => {
  const { status, page, fields, typed } = given;

  it("no other payment is accepted, and the payment request shows what it waits for", async () => {
    const { id, token } = await partlyPaid(fields);
    const secondTab = await formToken(world, token);
    const { action_url } = await payWith(world, token, typed);
    expect(await get(id)).toMatchObject({ status, amount_paid: 400, amount_due: 600, amount_refunded: 100 });
    expect(await openPage(world, token)).toMatchObject({ state: page, action_url, form_token: null });
    expect((await world.call(paymentStatus, user.actor, { payment_id: id })).next_action).toEqual(
      status === "requires_action" ? { type: "redirect", url: action_url } : null,
    );
    expect(await refusalOf(submit(world, token, secondTab))).toBe("payment_processing");
    expect(await refusalOf(offline(id, 600))).toBe("payment_processing");
    expect(
      (await transactionsOf(world, id)).filter((row) => row.provider !== null && row.type === "payment"),
    ).toHaveLength(1);
  });

  it("it can be canceled only if that releases a hold", async () => {
    const { id, token } = await partlyPaid(fields);
    expect(await actions(id)).toMatchObject({ can_pay: true });
    await payWith(world, token, typed);
    const isHeld = status === "authorized";
    expect(await actions(id)).toMatchObject({ can_cancel: isHeld, can_pay: false });
    if (isHeld)
      expect(await cancel(id)).toMatchObject({ status: "canceled", amount_capturable: 0, amount_released: 600 });
    else expect(await refusalOf(cancel(id))).toBe("payment_processing");
  });
});

describe("two tabs on a partly refunded payment request", () => {
  it("charge the due amount once: a confirmation in one, another card in the other", async () => {
    const { id, token } = await partlyPaid();
    const secondTab = await formToken(world, token);
    const { action_url } = await payWith(world, token, challenging);
    expect(await refusalOf(submit(world, token, secondTab))).toBe("payment_processing");
    await confirm(action_url);
    expect(await get(id)).toMatchObject({ status: "partially_refunded", amount_paid: 1000, amount_due: 0 });
    expect(await refusalOf(submit(world, token, secondTab))).toBe("payment_already_paid");
    expect(await balancesOf(world, user.accountId)).toEqual({ available: 900 });
    await expectOneTruth(world, id);
  });

  it("hold the due amount once, and a full capture takes it", async () => {
    const { id, token } = await partlyPaid({ capture_method: "manual" });
    const secondTab = await formToken(world, token);
    const { action_url } = await payWith(world, token, challenging);
    expect(await refusalOf(submit(world, token, secondTab))).toBe("payment_processing");
    await confirm(action_url);
    expect(await actions(id)).toMatchObject({ can_cancel: true, capturable: 600 });
    expect(await capture(id)).toMatchObject({ status: "partially_refunded", amount_paid: 1000, amount_due: 0 });
    expect(await balancesOf(world, user.accountId)).toEqual({ available: 900 });
  });

  it("show why a card was declined", async () => {
    const { token } = await partlyPaid();
    await payWith(world, token, card("4000000000000002"));
    expect(await openPage(world, token)).toMatchObject({ state: "open", last_error_code: "card_declined" });
  });
});

/** How a partly paid payment request ends without being paid in full. */
const ends = {
  expired: async () => world.clock.advance(600_000),
  canceled: (id: string) => cancel(id),
};

describe.each(Object.entries(ends))("a partly paid payment request that is %s", (status, end) => {
  it.each([
    ["before a refund", 0, 400],
    ["before a refund of a part", 0, 150],
    ["after a refund of a part", 100, 0],
    ["between two refunds", 100, 300],
    ["after a full refund", 400, 0],
  ])("%s keeps its status", async (_, before, after) => {
    const { id, token, refund } = await partlyPaid({ expires_at: inMs(600_000) }, before);
    const form = await formToken(world, token);
    await end(id);
    if (after > 0) await refund(after);
    const refusal = status === "expired" ? "payment_expired" : "payment_not_payable";
    for (const wait of [0, 1, 60_000, 80_000_000]) {
      world.clock.advance(wait);
      const amount_due = status === "canceled" ? 0 : 600;
      const shown = { status, amount_paid: 400, amount_due, amount_refunded: before + after };
      expect(await get(id)).toMatchObject(shown);
      const { data } = await world.call(listPaymentRequests, user.actor, { status: [status as "expired"] });
      expect(data.map((row) => row.payment_id)).toEqual([id]);
      expect((await openPage(world, token)).state).toBe(status);
      expect(await refusalOf(submit(world, token, form))).toBe(refusal);
      expect(await refusalOf(offline(id, 1))).toBe(refusal);
      await runJobs(world);
    }
    expect((await paymentRow(world, id)).status).toBe(status);
    await expectOneTruth(world, id);
  });
});

describe("a partly refunded payment request", () => {
  it("can be paid until it expires, and not from that instant on", async () => {
    for (const [early, outcome] of [
      [1, "submitted"],
      [0, "payment_expired"],
    ] as const) {
      const { id, token } = await partlyPaid({ expires_at: inMs(600_000) });
      const form = await formToken(world, token);
      world.clock.advance(600_000 - early);
      expect((await get(id)).status).toBe(early === 0 ? "expired" : "partially_refunded");
      if (early === 0) expect(await refusalOf(submit(world, token, form))).toBe(outcome);
      else expect((await submit(world, token, form)).result).toBe(outcome);
    }
  });

  it("is canceled when its account closes", async () => {
    const { id } = await partlyPaid();
    expect((await closeAccountOf(world, user.actor, user.accountId)).canceled_payments).toBe(1);
    expect((await paymentRow(world, id)).status).toBe("canceled");
  });
});

describe("an authorization", () => {
  it("that follows one that the provider voided can be captured until it lapses", async () => {
    const { payment, token } = await ask(world, user.actor, { capture_method: "manual" });
    const { payment_id: id } = payment;
    await payWith(world, token);
    const [first] = await transactionsOf(world, id);
    world.clock.advance(2 * day);
    const voided = { status: "canceled", amountCaptured: 0, actionUrl: null, method: null, failure: null } as const;
    await settleNow(world, first?.id ?? "", { kind: "charge", reference: first?.providerReference ?? null, ...voided });
    expect(await get(id)).toMatchObject({ status: "pending", capture_before: null });
    await payWith(world, token);
    const capture_before = inMs(7 * day);
    world.clock.advance(6 * day);
    await runJobs(world);
    expect(await get(id)).toMatchObject({ status: "authorized", capture_before, amount_capturable: 1250 });
    expect(await capture(id)).toMatchObject({ status: "paid", capture_before: null, amount_paid: 1250 });
  });
});

describe("two open authorizations, one of which came late,", () => {
  /** A payment request for 1000 with two authorizations of 1000 each. */
  async function twiceHeld() {
    const { payment, token } = await ask(world, user.actor, { capture_method: "manual", amount: 1000 });
    const { payment_id: id } = payment;
    await payWith(world, token);
    const [first] = await transactionsOf(world, id);
    // The first hold seems to have failed, so that the page takes a second card.
    const hide = (status: "authorized" | "failed") =>
      world.runtime.db.write(async (tx) => {
        await tx
          .update(transactions)
          .set({ status })
          .where(eq(transactions.id, first?.id ?? ""));
      });
    await hide("failed");
    world.clock.advance(1000);
    const { action_url } = await payWith(world, token, challenging);
    await hide("authorized");
    await confirm(action_url);
    expect(await paymentRow(world, id)).toMatchObject({ status: "authorized", amountCapturable: 2000 });
    return id;
  }

  it.each([undefined, 700])(
    "are captured for the due amount at most (requested: %s), and the other one is released",
    async (amount) => {
      const id = await twiceHeld();
      expect(await actions(id)).toMatchObject({ capturable: 1000, can_cancel: true });
      expect(await refusalOf(capture(id, 1001))).toBe("capture_exceeds_authorization");
      expect(await capture(id, amount)).toMatchObject({ status: "paid", amount_paid: amount ?? 1000, amount_due: 0 });
      await runJobs(world);
      expect(await paymentRow(world, id)).toMatchObject({
        status: "paid",
        amountPaid: amount ?? 1000,
        amountCapturable: 0,
      });
      expect((await transactionsOf(world, id)).map((row) => row.status).sort()).toEqual(["canceled", "succeeded"]);
      expect(await refusalOf(capture(id))).toBe("already_captured");
      expect(await balancesOf(world, user.accountId)).toEqual({ available: amount ?? 1000 });
    },
  );

  it("are both released by a cancellation", async () => {
    const id = await twiceHeld();
    expect((await cancel(id)).status).toBe("canceled");
    await runJobs(world);
    expect((await transactionsOf(world, id)).map((row) => row.status)).toEqual(["canceled", "canceled"]);
    expect(await balancesOf(world, user.accountId)).toEqual({});
  });
});
