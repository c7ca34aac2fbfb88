// Captures, cancellations, refunds, confirmations and the worker at the same time: one of them wins, and all say so.
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { dialect } from "@/db/dialect";
import { Failure } from "@/server/kit/errors";
import { runJobs } from "@/server/testing/jobs";
import { balancesOf, expectSoundLedger } from "@/server/testing/money";
import {
  type Asked,
  anyone,
  ask,
  card,
  formToken,
  goodCard,
  paymentRow,
  payWith,
  submit,
  transactionsOf,
} from "@/server/testing/payer";
import { expectOneTruth } from "@/server/testing/payment-truth";
import { anotherProcess, openWorld, type TestUser, type World } from "@/server/testing/world";
import { createTransaction } from "@/server/transactions/create";
import { cancelPayment } from "./cancel";
import { capturePayment } from "./capture";
import { answerChallenge } from "./challenge";
import { leaveChallenge } from "./leave-challenge";
import { refundPayment } from "./refund";
import { authorizationLifetimeMs } from "./rules";

let world: World;
/** Calls come from two processes where the engine has several. */
let processes: World[];
let member: TestUser;
beforeAll(async () => {
  world = await openWorld({ PAY_FAILURES_PER_IP: "10000" });
  processes = dialect === "postgres" ? [world, await anotherProcess(world)] : [world];
});
beforeEach(async () => {
  member = (await world.organization()).member;
});
afterAll(async () => {
  await expectSoundLedger(world);
  for (const one of processes.toReversed()) await one.close();
});

/** Makes all calls at the same time: what succeeded, and the codes of what was refused. */
async function together<T>(calls: ((from: World) => Promise<T>)[]): Promise<{ done: T[]; codes: string[] }> {
  const done: T[] = [];
  const codes: string[] = [];
  await Promise.all(
    calls.map((call, i) =>
      call(processes[i % processes.length] ?? world).then(
        (answer) => done.push(answer),
        (error: unknown) => {
          if (!(error instanceof Failure) || error.status >= 500) throw error;
          codes.push(error.code);
        },
      ),
    ),
  );
  return { done, codes };
}

const times = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const worker = (from: World): Promise<null> => runJobs(from).then(() => null);

/** The request once the worker has done what was left. */
async function outcome(paymentId: string) {
  world.clock.advance(31_000);
  await runJobs(world);
  await expectOneTruth(world, paymentId);
  const payments = (await transactionsOf(world, paymentId)).filter((row) => row.type === "payment");
  return { ...(await paymentRow(world, paymentId)), attempts: payments.length };
}

async function heldRequest(asked: Asked = {}): Promise<string> {
  const { payment, token } = await ask(world, member.actor, { capture_method: "manual", ...asked });
  await payWith(world, token);
  return payment.payment_id;
}

const capture = (payment_id: string, amount?: number) => (from: World) =>
  from.call(capturePayment, member.actor, { payment_id, amount });
const cancel = (payment_id: string) => (from: World) => from.call(cancelPayment, member.actor, { payment_id });

describe("20 captures at once", () => {
  it("are one, and the others are told so", async () => {
    const id = await heldRequest();
    const { done, codes } = await together(times(20, (i) => capture(id, 100 + i)));
    expect(done).toHaveLength(1);
    expect(codes).toHaveLength(19);
    expect(codes.filter((code) => code !== "payment_processing" && code !== "already_captured")).toEqual([]);
    const { amountPaid, status } = await outcome(id);
    expect({ amount_paid: amountPaid, status }).toEqual({ amount_paid: done[0]?.amount_paid, status: "paid" });
    expect(await balancesOf(world, member.accountId)).toEqual({ available: amountPaid });
  });
});

describe("a capture against a cancellation", () => {
  it.each(times(8, (i) => i))("lets one of them win (%i)", async (round) => {
    const id = await heldRequest();
    const calls = [capture(id), cancel(id), capture(id, 7), cancel(id)];
    const { done, codes } = await together([...calls.slice(round % 4), ...calls.slice(0, round % 4), worker, worker]);
    const [winner, ...others] = done.filter((answer) => answer !== null);
    expect(others).toEqual([]);
    const { status, amountPaid } = await outcome(id);
    expect(winner).toMatchObject({ status, amount_paid: amountPaid });
    const refusals =
      status === "paid"
        ? ["payment_processing", "already_captured", "payment_not_cancelable"]
        : ["payment_not_capturable", "payment_not_cancelable"];
    expect(refusals).toEqual(expect.arrayContaining([...new Set(codes)]));
    expect(await balancesOf(world, member.accountId)).toEqual(status === "paid" ? { available: amountPaid } : {});
  });
});

describe("a capture against the end of its authorization", () => {
  it.each(times(8, (i) => i))("takes the money in time or not at all (%i)", async (round) => {
    const id = await heldRequest();
    const { captureBefore } = await paymentRow(world, id);
    world.clock.advance((captureBefore ?? 0) - world.clock.now() - 1);
    const captured = together([capture(id)]);
    await sleep(round / 2);
    world.clock.advance(1);
    const [{ done, codes }] = await Promise.all([captured, together([worker, worker])]);
    const { status, amountPaid, amountReleased } = await outcome(id);
    if (done.length === 1) expect({ status, amountPaid }).toEqual({ status: "paid", amountPaid: 1250 });
    else expect({ codes, status, amountReleased }).toEqual(expired);
  });

  const expired = { codes: ["authorization_expired"], status: "expired", amountReleased: 1250 };

  it("is refused from the very instant on", async () => {
    const id = await heldRequest();
    world.clock.advance(authorizationLifetimeMs);
    expect(await together(times(5, () => capture(id)))).toEqual({
      done: [],
      codes: times(5, () => "authorization_expired"),
    });
    expect((await outcome(id)).status).toBe("expired");
  });
});

describe("refunds at once", () => {
  it("by both endpoints never give back more than there is", async () => {
    const { payment, token } = await ask(world, member.actor);
    const { payment_id } = payment;
    await payWith(world, token);
    const [charge] = await transactionsOf(world, payment_id);
    const parent_transaction_id = charge?.id ?? "";
    const { done, codes } = await together([
      ...times(
        20,
        (i) => (from: World) =>
          i % 2 === 0
            ? from.call(refundPayment, member.actor, { payment_id, amount: 100 })
            : from.call(createTransaction, member.actor, { type: "refund", parent_transaction_id, amount: 100 }),
      ),
      worker,
    ]);
    expect(done.filter((answer) => answer !== null)).toHaveLength(12);
    expect(codes).toEqual(times(8, () => "refund_exceeds_captured"));
    expect(await outcome(payment_id)).toMatchObject({ status: "partially_refunded", amountRefunded: 1200 });
    expect(await balancesOf(world, member.accountId)).toEqual({ available: 50 });
  });
});

describe("a confirmation", () => {
  it.each(times(8, (i) => i))("that is given, refused and left at the same time ends once (%i)", async (round) => {
    const { payment, token } = await ask(world, member.actor);
    const { action_url } = await payWith(world, token, card("4000002500003155"));
    const reference = action_url?.split("/").at(-1) ?? "";
    const answer = (given: "complete" | "fail") => (from: World) =>
      from.call(answerChallenge, anyone, { reference, answer: given }).then(() => null);
    const leave = (from: World) => from.call(leaveChallenge, anyone, { token }).then(() => null);
    const calls = [answer("complete"), leave, answer("fail"), answer("complete"), leave];
    const { codes } = await together([...calls.slice(round % 5), ...calls.slice(0, round % 5), worker]);
    expect(codes).toEqual([]);
    const { status, amountPaid } = await outcome(payment.payment_id);
    expect(["paid", "pending"]).toContain(status);
    expect(amountPaid).toBe(status === "paid" ? 1250 : 0);
    expect(await balancesOf(world, member.accountId)).toEqual(status === "paid" ? { available: 1250 } : {});
  });
});

describe("two tabs", () => {
  it.each([
    ["4000002500003155", "requires_action"],
    ["4242424242424242", "paid"],
  ])("that pay with %s make one attempt", async (number, status) => {
    const { payment, token } = await ask(world, member.actor);
    const forms = await Promise.all(times(2, () => formToken(world, token)));
    const sent = times(10, (i) => (from: World) => submit(from, token, forms[i % 2] ?? "", card(number)));
    const { done, codes } = await together(sent);
    expect(["payment_processing", "payment_already_paid"]).toEqual(expect.arrayContaining([...new Set(codes)]));
    expect(new Set(done.map((answer) => answer.result))).toEqual(new Set(["submitted"]));
    expect(await outcome(payment.payment_id)).toMatchObject({ status, attempts: 1 });
  });

  it("of which one pays while the request is called off: it is paid or canceled, never both", async () => {
    for (let round = 0; round < 6; round++) {
      const { payment, token } = await ask(world, member.actor);
      const form = await formToken(world, token);
      const calls = [(from: World) => submit(from, token, form, goodCard).then(() => null), cancel(payment.payment_id)];
      const { codes } = await together<unknown>(round % 2 === 0 ? calls : calls.toReversed());
      const { status, attempts } = await outcome(payment.payment_id);
      // A cancelation that loses finds the payment under way, or made.
      const lost = status === "paid" ? /^payment_(processing|not_cancelable)$/ : /^payment_not_payable$/;
      expect(codes).toEqual([expect.stringMatching(lost)]);
      expect({ status, attempts }).toEqual(
        status === "paid" ? { status, attempts: 1 } : { status: "canceled", attempts: 0 },
      );
    }
  });
});
