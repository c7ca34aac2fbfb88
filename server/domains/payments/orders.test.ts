// A payment request ends in the same state, regardless of the order and repetition of the provider's results and of how
// time advances.
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ChargeResult, ChargeStatus, RefundResult } from "@/server/domains/providers/provider";
import { runJobs } from "@/test/jobs";
import { balancesOf, expectSoundLedger, settleNow } from "@/test/money";
import { ask, formToken, paymentRow, payWith, type RequestFields, submit, transactionsOf } from "@/test/payer";
import { expectOneTruth } from "@/test/payment-truth";
import { planFault } from "@/test/provider-faults";
import { openWorld, refusalOf, type TestOrganization, type TestUser, type World } from "@/test/world";
import { refundPayment } from "./operations/refund";
import { paymentStatus } from "./operations/status";

let world: World;
let acme: TestOrganization;
beforeAll(async () => {
  world = await openWorld({ PAY_FAILURES_PER_IP: "100000" });
  acme = await world.organization();
});
afterAll(async () => {
  await expectSoundLedger(world);
  await world.close();
});

/** Cards that do not expire within the many years of a test. */
const lasting = (card_number: string) => ({ card_number, expiry: "12/2099", security_code: "123" });
const good = lasting("4242424242424242");

/** The state of a payment request and its transactions that must not depend on its history. */
async function stateOf(paymentId: string, accountId: string) {
  await expectOneTruth(world, paymentId);
  const { status, amountPaid, amountRefunded, amountReleased, amountCapturable } = await paymentRow(world, paymentId);
  const rows = await transactionsOf(world, paymentId);
  return {
    request: { status, amountPaid, amountRefunded, amountReleased, amountCapturable },
    transactions: rows.map((row) => `${row.type} ${row.status} ${row.amountCaptured} ${row.amountReleased}`).sort(),
    balances: await balancesOf(world, accountId),
  };
}

const charge = (reference: string, status: ChargeStatus, amountCaptured: number): ChargeResult => ({
  kind: "charge",
  reference,
  status,
  amountCaptured: status === "succeeded" ? amountCaptured : 0,
  actionUrl: status === "requires_action" ? "https://bank.example.com/confirm" : null,
  method: null,
  failure: status === "declined" ? { code: "card_declined", message: "No." } : null,
});

/** The whole list in two orders, with some elements repeated. */
const twoOrders = <T>(reported: T[]) =>
  fc.array(fc.constantFrom(...reported), { maxLength: 3 }).chain((again) => {
    const order = fc.shuffledSubarray([...reported, ...again], { minLength: reported.length + again.length });
    return fc.tuple(order, order);
  });

const chargeStatuses: ChargeStatus[] = [
  "requires_action",
  "processing",
  "authorized",
  "succeeded",
  "declined",
  "canceled",
];

it("results of a charge and its refund lead to the same state in any order", async () => {
  const scenario = fc.record({
    captured: fc.integer({ min: 2, max: 1250 }),
    charges: fc.uniqueArray(fc.constantFrom(...chargeStatuses), { minLength: 1 }).chain(twoOrders),
    refunds: fc
      .uniqueArray(fc.constantFrom<RefundResult["status"]>("pending", "succeeded", "failed"), { minLength: 1 })
      .chain(twoOrders),
  });
  await fc.assert(
    fc.asyncProperty(scenario, async ({ captured, charges, refunds }) => {
      const ends = [];
      for (const order of [0, 1] as const) {
        world.clock.advance(1000);
        const owner = await world.user(acme.id);
        const { payment, token } = await ask(world, owner.actor);
        planFault("start", "reset", "before");
        await payWith(world, token, good);
        const [attempt] = await transactionsOf(world, payment.payment_id);
        const id = attempt?.id ?? "";
        for (const status of charges[order]) await settleNow(world, id, charge(`charge ${id}`, status, captured));
        const { payment_id } = payment;
        if (charges[0].includes("succeeded")) {
          planFault("refund", "reset", "before");
          const amount = Math.ceil(captured / 2);
          const { transaction_id: begun } = await world.call(refundPayment, owner.actor, { payment_id, amount });
          for (const status of refunds[order]) {
            const failure = status === "failed" ? { code: "no", message: "No." } : null;
            await settleNow(world, begun, { kind: "refund", reference: `refund ${begun}`, status, failure });
          }
        }
        ends.push(await stateOf(payment_id, owner.accountId));
      }
      expect(ends[1]).toEqual(ends[0]);
    }),
    { numRuns: 20 },
  );
}, 60_000);

/** Payment requests that time alone changes. */
const kinds: Record<string, (owner: TestUser) => Promise<string>> = {
  "is not paid": (owner) => newRequest(owner, { expires_at: inMs(600_000) }),
  "waits for a confirmation": (owner) => newRequest(owner, {}, "4000002500003155"),
  "expires while it waits for a confirmation": (owner) =>
    newRequest(owner, { expires_at: inMs(60_000) }, "4000002500003155"),
  "holds money": (owner) => newRequest(owner, { capture_method: "manual" }, good.card_number),
  "has a slow refund": (owner) => refunded(owner, "4000000000007726"),
  "has a refund that fails": (owner) => refunded(owner, "4000000000005126"),
};

const inMs = (ms: number): string => new Date(world.clock.now() + ms).toISOString();

async function newRequest(owner: TestUser, given: RequestFields, number?: string): Promise<string> {
  const { payment, token } = await ask(world, owner.actor, given);
  if (number !== undefined) await payWith(world, token, lasting(number));
  return payment.payment_id;
}

async function refunded(owner: TestUser, number: string): Promise<string> {
  const payment_id = await newRequest(owner, {}, number);
  await world.call(refundPayment, owner.actor, { payment_id, amount: 400 });
  return payment_id;
}

const durations = fc.constantFrom(1, 1000, 5_000, 59_000, 14 * 60_000, 86_400_000, 6 * 86_400_000, 24 * 86_400_000);

it.each(Object.entries(kinds))(
  "a payment request that %s ends in the same state whether time advances in steps or in one leap",
  async (_, begin) => {
    await fc.assert(
      fc.asyncProperty(fc.array(durations, { minLength: 1, maxLength: 6, size: "max" }), async (steps) => {
        const total = steps.reduce((sum, ms) => sum + ms, 0);
        const ends = [];
        for (const moves of [steps, [total]]) {
          world.clock.advance(1000);
          const owner = await world.user(acme.id);
          const id = await begin(owner);
          for (const ms of moves) {
            world.clock.advance(ms);
            await runJobs(world);
          }
          const seen = await world.call(paymentStatus, owner.actor, { payment_id: id });
          ends.push({ seen: seen.status, ...(await stateOf(id, owner.accountId)) });
        }
        expect(ends[1]).toEqual(ends[0]);
      }),
      { numRuns: 6 },
    );
  },
);

it("a payment request can be paid only until it expires, whether or not the worker has run", async () => {
  for (const [early, isWorking] of [
    [1, true],
    [1, false],
    [0, true],
    [0, false],
    [-1000, false],
  ] as const) {
    const owner = await world.user(acme.id);
    const { payment, token } = await ask(world, owner.actor, { expires_at: inMs(600_000) });
    const form = await formToken(world, token);
    world.clock.advance(600_000 - early);
    if (isWorking) await runJobs(world);
    const paying = submit(world, token, form, good);
    if (early > 0) expect((await paying).result).toBe("submitted");
    else expect(await refusalOf(paying)).toBe("payment_expired");
    const { status } = await world.call(paymentStatus, owner.actor, { payment_id: payment.payment_id });
    expect(status).toBe(early > 0 ? "paid" : "expired");
  }
});
