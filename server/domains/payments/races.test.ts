// Captures, cancellations, refunds, confirmations and the worker at the same time: one wins, and all answers agree.
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { dialect } from "@/db/dialect";
import { authorizationLifetimeMs } from "@/server/domains/providers/provider";
import { createTransaction } from "@/server/domains/transactions/operations/create";
import { Failure } from "@/server/kit/errors";
import { runJobs } from "@/test/jobs";
import { balancesOf, expectSoundLedger } from "@/test/money";
import {
  anyone,
  ask,
  card,
  formToken,
  goodCard,
  journalEventsOf,
  paymentRow,
  payWith,
  type RequestFields,
  submit,
  transactionsOf,
} from "@/test/payer";
import { expectOneTruth } from "@/test/payment-truth";
import { anotherProcess, openWorld, type TestUser, type World } from "@/test/world";
import { cancelPayment } from "./operations/cancel";
import { capturePayment } from "./operations/capture";
import { answerChallenge } from "./operations/challenge";
import { leaveChallenge } from "./operations/leave-challenge";
import { refundPayment } from "./operations/refund";

let world: World;
/** Calls come from two processes if the engine supports several. */
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

/** Makes all calls at once. Resolves to the results, the error codes, and "done" or the error code of each call. */
async function together<T>(
  calls: ((from: World) => Promise<T>)[],
): Promise<{ done: T[]; codes: string[]; each: string[] }> {
  const done: T[] = [];
  const each = await Promise.all(
    calls.map((call, i) =>
      call(processes[i % processes.length] ?? world).then(
        (answer) => {
          done.push(answer);
          return "done";
        },
        (error: unknown) => {
          if (!(error instanceof Failure) || error.status >= 500) throw error;
          return error.code;
        },
      ),
    ),
  );
  return { done, codes: each.filter((one) => one !== "done"), each };
}

const times = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const worker = (from: World): Promise<null> => runJobs(from).then(() => null);

/** The payment request after a run of the worker. */
async function outcome(paymentId: string) {
  world.clock.advance(31_000);
  await runJobs(world);
  await expectOneTruth(world, paymentId);
  const payments = (await transactionsOf(world, paymentId)).filter((row) => row.type === "payment");
  return { ...(await paymentRow(world, paymentId)), attempts: payments.length };
}

async function heldRequest(fields: RequestFields = {}): Promise<string> {
  const { payment, token } = await ask(world, member.actor, { capture_method: "manual", ...fields });
  await payWith(world, token);
  return payment.payment_id;
}

const capture = (payment_id: string, amount?: number) => (from: World) =>
  from.call(capturePayment, member.actor, { payment_id, amount });
const cancel = (payment_id: string) => (from: World) => from.call(cancelPayment, member.actor, { payment_id });

describe("20 concurrent captures", () => {
  it("take the money once, and the others are refused", async () => {
    const id = await heldRequest();
    const { done, codes } = await together(times(20, (i) => capture(id, 100 + i)));
    expect(done).toHaveLength(1);
    expect(codes).toEqual(times(19, () => expect.stringMatching(/^(payment_processing|already_captured)$/)));
    const { amountPaid, status } = await outcome(id);
    expect({ amount_paid: amountPaid, status }).toEqual({ amount_paid: done[0]?.amount_paid, status: "paid" });
    expect(await balancesOf(world, member.accountId)).toEqual({ available: amountPaid });
  });
});

describe("a capture against a cancellation", () => {
  it.each(times(8, (i) => i))("has one winner, and the loser gets the reason (%i)", async (round) => {
    const id = await heldRequest();
    const [hold] = await transactionsOf(world, id);
    const calls = { all: capture(id), cancel: cancel(id), seven: capture(id, 7), again: cancel(id) };
    const names = (["all", "cancel", "seven", "again"] as const).map((_, i, order) => order[(i + round) % 4] ?? "all");
    const { done, each } = await together<unknown>([...names.map((name) => calls[name]), worker, worker]);
    const answers = Object.fromEntries(names.map((name, i) => [name, each[i]]));
    const winner = names.find((name) => answers[name] === "done");
    const { status, amountPaid, attempts } = await outcome(id);
    expect(done.filter((answer) => answer !== null)).toMatchObject([{ status, amount_paid: amountPaid }]);
    expect(attempts).toBe(1);
    const captures = /^(payment_processing|already_captured)$/;
    const cancels = /^(payment_processing|payment_not_cancelable)$/;
    const refused = (codes: string | RegExp) => expect.stringMatching(codes);
    const expected =
      winner === "all" || winner === "seven"
        ? { all: refused(captures), seven: refused(captures), cancel: refused(cancels), again: refused(cancels) }
        : {
            all: "payment_not_capturable",
            seven: "payment_not_capturable",
            cancel: "payment_not_cancelable",
            again: "payment_not_cancelable",
          };
    expect(answers).toEqual({ ...expected, [winner ?? "nobody"]: "done" });
    const amounts = { all: 1250, seven: 7, cancel: 0, again: 0 };
    expect({ status, amountPaid }).toEqual({
      status: amountPaid > 0 ? "paid" : "canceled",
      amountPaid: amounts[winner ?? "cancel"],
    });
    expect(await journalEventsOf(world, hold?.id ?? "")).toEqual([
      ...["authorization_opened", amountPaid > 0 ? "payment_captured" : "authorization_released"],
    ]);
    expect(await balancesOf(world, member.accountId)).toEqual(amountPaid > 0 ? { available: amountPaid } : {});
  });
});

describe("a capture against the end of its authorization", () => {
  it.each(times(8, (i) => i))("takes the money in time or not at all (%i)", async (round) => {
    const id = await heldRequest();
    const { captureBefore } = await paymentRow(world, id);
    world.clock.advance((captureBefore ?? 0) - world.clock.now() - 1);
    const capturing = together([capture(id)]);
    await sleep(round / 2);
    world.clock.advance(1);
    const [{ codes }] = await Promise.all([capturing, together([worker, worker])]);
    const { status, amountPaid, amountReleased } = await outcome(id);
    const captured = { codes: [], status: "paid", amountPaid: 1250, amountReleased: 0 };
    const expired = { codes: ["authorization_expired"], status: "expired", amountPaid: 0, amountReleased: 1250 };
    expect({ codes, status, amountPaid, amountReleased }).toEqual(codes.length === 0 ? captured : expired);
  });

  it("is refused from the instant at which the authorization lapses", async () => {
    const id = await heldRequest();
    world.clock.advance(authorizationLifetimeMs);
    expect((await together(times(5, () => capture(id)))).each).toEqual(times(5, () => "authorization_expired"));
    expect((await outcome(id)).status).toBe("expired");
  });
});

describe("concurrent refunds", () => {
  it("through both endpoints never exceed what is left", async () => {
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
  it.each(times(8, (i) => i))("that is given, failed and abandoned at the same time ends once (%i)", async (round) => {
    const { payment, token } = await ask(world, member.actor);
    const { action_url } = await payWith(world, token, card("4000002500003155"));
    const reference = action_url?.split("/").at(-1) ?? "";
    const answer = (given: "complete" | "fail") => (from: World) =>
      from.call(answerChallenge, anyone, { reference, answer: given }).then(() => null);
    const leave = (from: World) => from.call(leaveChallenge, anyone, { token }).then(() => null);
    const calls = [answer("complete"), leave, answer("fail"), answer("complete"), leave];
    const { codes } = await together([...calls.slice(round % 5), ...calls.slice(0, round % 5), worker]);
    expect(codes).toEqual([]);
    const [attempt] = await transactionsOf(world, payment.payment_id);
    const { status, amountPaid } = await outcome(payment.payment_id);
    expect({ status, amountPaid }).toEqual(
      amountPaid > 0 ? { status: "paid", amountPaid: 1250 } : { status: "pending", amountPaid: 0 },
    );
    expect(await journalEventsOf(world, attempt?.id ?? "")).toEqual(amountPaid > 0 ? ["payment_captured"] : []);
    expect(await balancesOf(world, member.accountId)).toEqual(status === "paid" ? { available: 1250 } : {});
  });
});

describe("two tabs", () => {
  it.each([
    ["4000002500003155", "requires_action", /^payment_processing$/],
    ["4242424242424242", "paid", /^payment_(processing|already_paid)$/],
  ])("that pay with %s make one attempt: one tab's, and the other's is refused", async (number, status, refusal) => {
    const { payment, token } = await ask(world, member.actor);
    const forms = await Promise.all(times(2, () => formToken(world, token)));
    const sent = times(10, (i) => (from: World) => submit(from, token, forms[i % 2] ?? "", card(number)));
    const { done, each } = await together(sent);
    expect(done.map((answer) => answer.result)).toEqual(times(5, () => "submitted"));
    const isFirst = each[0] === "done";
    const tab = (wins: boolean) => times(5, () => (wins ? "done" : expect.stringMatching(refusal)));
    const byTab = [0, 1].map((first) => each.filter((_, i) => i % 2 === first));
    expect(byTab).toEqual([tab(isFirst), tab(!isFirst)]);
    const { status: shown, attempts, amountPaid } = await outcome(payment.payment_id);
    expect({ shown, attempts, amountPaid }).toEqual({
      shown: status,
      attempts: 1,
      amountPaid: status === "paid" ? 1250 : 0,
    });
  });

  it("of which one pays while the payment request is canceled: it is paid or canceled, never both", async () => {
    for (let round = 0; round < 6; round++) {
      const { payment, token } = await ask(world, member.actor);
      const form = await formToken(world, token);
      const calls = [(from: World) => submit(from, token, form, goodCard).then(() => null), cancel(payment.payment_id)];
      const { codes } = await together<unknown>(round % 2 === 0 ? calls : calls.toReversed());
      const { status, attempts } = await outcome(payment.payment_id);
      // A cancellation that loses finds the payment in progress or done.
      const lost = status === "paid" ? /^payment_(processing|not_cancelable)$/ : /^payment_not_payable$/;
      expect(codes).toEqual([expect.stringMatching(lost)]);
      expect({ status, attempts }).toEqual(
        status === "paid" ? { status, attempts: 1 } : { status: "canceled", attempts: 0 },
      );
    }
  });
});
