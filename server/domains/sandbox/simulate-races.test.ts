// Simulated events that race with payers, merchants, the clock and each other: one outcome, on which the books and the
// sandbox agree.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { sandboxOperations } from "@/db/tables";
import { cancelPayment } from "@/server/domains/payments/operations/cancel";
import { capturePayment } from "@/server/domains/payments/operations/capture";
import { answerChallenge } from "@/server/domains/payments/operations/challenge";
import { refundPayment } from "@/server/domains/payments/operations/refund";
import type { SimulatedEvent } from "@/server/domains/providers/sandbox-events";
import { Failure } from "@/server/kit/errors";
import { runJobs } from "@/test/jobs";
import { expectSoundLedger } from "@/test/money";
import { anyone, ask, card, goodCard, payWith, type RequestFields, transactionsOf } from "@/test/payer";
import { expectOneTruth } from "@/test/payment-truth";
import { openWorld, type TestOrganization, type World } from "@/test/world";
import { moveSandboxClock } from "./operations/move-clock";
import { simulateEvent } from "./operations/simulate";
import { stormEvents } from "./operations/storm";

let world: World;
let acme: TestOrganization;
let admin: TestOrganization["admin"]["actor"];
beforeAll(async () => {
  world = await openWorld({ PAY_FAILURES_PER_IP: "10000" });
});
beforeEach(async () => {
  acme = await world.organization();
  admin = acme.admin.actor;
});
afterAll(async () => {
  await expectSoundLedger(world);
  await world.close();
});

async function paidWith(typed: typeof goodCard, fields: RequestFields = {}): Promise<string> {
  const { payment, token } = await ask(world, acme.member.actor, fields);
  await payWith(world, token, typed);
  return payment.payment_id;
}

const challenged = card("4000002760003184");
const byHand: RequestFields = { capture_method: "manual" };
const simulate = (payment_id: string, event: SimulatedEvent) => () =>
  world.call(simulateEvent, admin, { payment_id, event });
const storm = () => world.call(stormEvents, admin, { duplicates: 2 });

/** Makes the calls at once, beside a worker. Each is done or refused. Resolves to what became of the transactions. */
async function atOnce(payment_id: string, calls: readonly (() => Promise<unknown>)[]): Promise<string> {
  const ends = await Promise.allSettled([...calls.map((call) => call()), runJobs(world)]);
  for (const end of ends) if (end.status === "rejected") expect(end.reason).toBeInstanceOf(Failure);
  for (const end of ends) if (end.status === "rejected") expect(end.reason).toMatchObject({ status: 400 });
  await runJobs(world);
  await expectOneTruth(world, payment_id);
  for (const row of await transactionsOf(world, payment_id)) {
    const [made] = await world.runtime.db.read
      .select()
      .from(sandboxOperations)
      .where(eq(sandboxOperations.idempotencyKey, row.id));
    const captured = row.type === "refund" ? 0 : row.amountCaptured;
    expect([made?.reference, made?.amountCaptured]).toEqual([row.providerReference, captured]);
    if (row.type === "refund") expect(made?.status).toBe(row.status);
  }
  const rows = await transactionsOf(world, payment_id);
  return rows
    .map(({ type, status }) => `${type} ${status}`)
    .sort()
    .join(", ");
}

const rounds = [0, 1, 2, 3];

it.each(rounds)("with the payer's answer (%i)", async (round) => {
  const id = await paidWith(challenged);
  const [attempt] = await transactionsOf(world, id);
  const input = { reference: attempt?.providerReference ?? "", answer: "complete" } as const;
  const answer = () => world.call(answerChallenge, anyone, input);
  const decline = simulate(id, "decline");
  const outcome = await atOnce(id, round % 2 ? [answer, decline, storm] : [decline, answer, storm]);
  expect(["payment succeeded", "payment failed"]).toContain(outcome);
});

it.each(rounds)("with a capture in part and a cancelation (%i)", async (round) => {
  const id = await paidWith(goodCard, byHand);
  const calls = [
    simulate(id, "capture"),
    () => world.call(capturePayment, admin, { payment_id: id, amount: 400 }),
    () => world.call(cancelPayment, admin, { payment_id: id }),
  ];
  const outcome = await atOnce(id, [...calls.slice(round % 3), ...calls.slice(0, round % 3)]);
  expect(["payment succeeded", "payment canceled"]).toContain(outcome);
});

it.each(rounds)("with refunds, of which one may fail (%i)", async (round) => {
  const id = await paidWith(card(round % 2 ? "4000000000007726" : goodCard.card_number));
  await world.call(refundPayment, admin, { payment_id: id, amount: 300 });
  const refund = () => world.call(refundPayment, admin, { payment_id: id, amount: 500 });
  await atOnce(id, [simulate(id, "refund_fail"), refund, simulate(id, "settle"), simulate(id, "refund_fail"), storm]);
});

it.each(rounds)("with disputes, refunds and each other (%i)", async (round) => {
  const id = await paidWith(card(round % 2 ? "4000000000000259" : "4000000000007726"));
  const refund = () => world.call(refundPayment, admin, { payment_id: id, amount: 500 });
  const disputes = (["dispute", "dispute_won", "dispute_lost", "dispute"] as const).map((event) => simulate(id, event));
  await atOnce(id, [refund, ...disputes.slice(round % 4), storm, ...disputes.slice(0, round % 4), refund]);
  await expectSoundLedger(world);
});

it.each(rounds)("with moves of the clock (%i)", async (round) => {
  const id = await paidWith(challenged, round % 2 ? byHand : {});
  // The answer may say that the clock runs: the other call moves it as well.
  const move = () => world.call(moveSandboxClock, admin, { advance: "P8D" });
  const outcome = await atOnce(id, [simulate(id, "settle"), move, simulate(id, "capture"), move, storm]);
  expect(["payment succeeded", "payment failed", "payment expired"]).toContain(outcome);
});
