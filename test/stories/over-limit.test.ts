// Payers beyond the limit of a reusable link: their charges seemed to have failed, and succeeded after all.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { jobs, sandboxOperations } from "@/db/tables";
import { overviewAttention } from "@/server/domains/overview/operations/attention";
import { countPayments } from "@/server/domains/payments/operations/counts";
import { getPayment } from "@/server/domains/payments/operations/get";
import { listPaymentRequests } from "@/server/domains/payments/operations/list";
import { lostAnswerCode, troubledCard } from "@/server/domains/providers/test-cards";
import { simulateEvent } from "@/server/domains/sandbox/operations/simulate";
import { timeline } from "@/server/domains/timeline/operations/timeline";
import { limits } from "@/server/kit/limits";
import { eventTypesOf } from "@/test/events";
import { runJobs } from "@/test/jobs";
import { askMany, payUse } from "@/test/link-payer";
import { refundRequest } from "@/test/merchant";
import { expectSoundLedger, settleNow } from "@/test/money";
import { card, paymentRow, transactionsOf } from "@/test/payer";
import { openWorld, type TestOrganization, type World } from "@/test/world";

let world: World;
let org: TestOrganization;
beforeAll(async () => {
  world = await openWorld({ PAY_FAILURES_PER_IP: "10000", LINK_USES_PER_IP: "10000" });
});
beforeEach(async () => {
  org = await world.organization();
});
afterAll(async () => {
  await expectSoundLedger(world);
  await world.close();
});

const lost = { ...card(troubledCard), security_code: lostAnswerCode };
const listed = async (query: object, { actor } = org.admin) =>
  (await world.call(listPaymentRequests, actor, query)).data.map(({ payment_id }) => payment_id);
const attention = () => world.call(overviewAttention, org.admin.actor, {});

/** A use whose charge was given up, and the provider's late news that it succeeded. */
async function givenUp(token: string) {
  const { payment_id } = await payUse(world, token, lost);
  const [attempt] = await transactionsOf(world, payment_id);
  const id = attempt?.id ?? "";
  // The provider knows nothing of the charge yet.
  await world.runtime.db.write(async (tx) => {
    await tx.delete(sandboxOperations).where(eq(sandboxOperations.idempotencyKey, id));
    await tx.delete(jobs).where(eq(jobs.kind, "sandbox.event"));
  });
  world.clock.advance(31_000);
  await runJobs(world);
  expect(await paymentRow(world, payment_id)).toMatchObject({ status: "pending", place: null });
  const arrive = async () => {
    const charged = { status: "succeeded", amountCaptured: 1250 } as const;
    const [charge] = await world.runtime.db.write((tx) =>
      tx.update(sandboxOperations).set(charged).where(eq(sandboxOperations.idempotencyKey, id)).returning(),
    );
    const reference = charge?.reference ?? null;
    await settleNow(world, id, { ...charged, kind: "charge", reference, actionUrl: null, method: null, failure: null });
  };
  return { payment_id, arrive };
}

describe("a charge that succeeds after its place was given back", () => {
  it("is kept and flagged where somebody else has taken the place", async () => {
    const { payment, token } = await askMany(world, org.member.actor, { usage_limit: 2 });
    const late = await givenUp(token);
    for (const email of ["a@example.com", "b@example.com"]) await payUse(world, token, { email });
    expect(await attention()).toMatchObject({ over_limit: 0 });
    await late.arrive();
    expect(await world.call(getPayment, org.admin.actor, { payment_id: payment.payment_id })).toMatchObject({
      ...{ status: "paid", usage_limit: 2, uses_count: 3, uses_reserved: 0, amount_paid: 3750 },
    });
    expect(await world.call(getPayment, org.admin.actor, { payment_id: late.payment_id })).toMatchObject({
      status: "paid",
      amount_refunded: 0,
    });
    const { data: history } = await world.call(timeline, org.admin.actor, { object_id: late.payment_id, limit: 100 });
    expect(history.find(({ type }) => type === "payment.over_limit")?.data).toMatchObject({
      ...{ status: "paid", previous_status: "pending", parent_payment_id: payment.payment_id },
    });
    expect(await attention()).toMatchObject({ over_limit: 1 });
    for (const query of [{}, { parent_payment_id: payment.payment_id }]) {
      expect(await listed({ over_limit: true, ...query })).toEqual([late.payment_id]);
    }
    expect(await listed({ over_limit: true }, org.member)).toEqual([late.payment_id]);
    expect(await listed({ over_limit: true }, org.other)).toEqual([]);
    expect(await listed({ over_limit: false, parent_payment_id: payment.payment_id })).toHaveLength(2);
  });

  it("needs no attention once it is refunded or charged back, or after a month", async () => {
    for (const settle of [
      (payment_id: string) => refundRequest(world, org.admin.actor, payment_id),
      async (payment_id: string) => {
        await world.call(simulateEvent, org.admin.actor, { payment_id, event: "dispute" });
        await world.call(simulateEvent, org.admin.actor, { payment_id, event: "dispute_lost" });
      },
      async () => world.clock.advance(limits.attentionMs),
    ]) {
      const { payment, token } = await askMany(world, org.member.actor, { usage_limit: 2 });
      const late = await givenUp(token);
      for (const email of ["a@example.com", "b@example.com"]) await payUse(world, token, { email });
      await late.arrive();
      expect(await attention()).toMatchObject({ over_limit: 1 });
      const parent_payment_id = payment.payment_id;
      const counted = () => world.call(countPayments, org.admin.actor, { over_limit: true, parent_payment_id });
      expect(await counted()).toMatchObject({ all: 1 });
      await settle(late.payment_id);
      expect(await attention()).toMatchObject({ over_limit: 0 });
      // The page of the link counts them like this, and its list is empty, too.
      expect(await counted()).toMatchObject({ all: 0 });
      expect(await listed({ over_limit: true, parent_payment_id })).toEqual([]);
    }
  });

  it("takes a place that is still free, and nobody is beyond the limit", async () => {
    const { payment, token } = await askMany(world, org.member.actor, { usage_limit: 2 });
    const late = await givenUp(token);
    await payUse(world, token, { email: "a@example.com" });
    await late.arrive();
    expect(await paymentRow(world, payment.payment_id)).toMatchObject({ status: "paid", usesCount: 2 });
    expect(await eventTypesOf(world, late.payment_id)).not.toContain("payment.over_limit");
    expect(await attention()).toMatchObject({ over_limit: 0 });
  });

  it("is flagged once the payer who held the last place in time has paid, who is not", async () => {
    const { payment, token } = await askMany(world, org.member.actor, { usage_limit: 2 });
    const late = await givenUp(token);
    await payUse(world, token, { email: "a@example.com" });
    const holder = await payUse(world, token, { ...lost, email: "b@example.com" });
    await late.arrive();
    expect(await attention()).toMatchObject({ over_limit: 0 });
    expect(await eventTypesOf(world, late.payment_id)).not.toContain("payment.over_limit");
    world.clock.advance(31_000);
    await runJobs(world);
    expect(await paymentRow(world, payment.payment_id)).toMatchObject({ usesCount: 3, usesReserved: 0 });
    expect(await listed({ over_limit: true })).toEqual([late.payment_id]);
    expect((await eventTypesOf(world, late.payment_id)).at(-1)).toBe("payment.over_limit");
    expect(await eventTypesOf(world, holder.payment_id)).not.toContain("payment.over_limit");
  });

  it("is not flagged where the payer who held the last place does not pay", async () => {
    const { payment, token } = await askMany(world, org.member.actor, { usage_limit: 2 });
    const late = await givenUp(token);
    await payUse(world, token, { email: "a@example.com" });
    await payUse(world, token, { ...card("4000002760003184"), email: "b@example.com" });
    await late.arrive();
    world.clock.advance(limits.charge.confirmMs);
    await runJobs(world);
    expect(await paymentRow(world, payment.payment_id)).toMatchObject({
      status: "paid",
      usesCount: 2,
      usesReserved: 0,
    });
    expect(await eventTypesOf(world, late.payment_id)).not.toContain("payment.over_limit");
  });

  it("is one of several: each payer in time whose payment succeeds flags the next of them", async () => {
    const { token } = await askMany(world, org.member.actor, { usage_limit: 2 });
    const first = await givenUp(token);
    const second = await givenUp(token);
    for (const email of ["a@example.com", "b@example.com"]) await payUse(world, token, { ...lost, email });
    for (const late of [first, second]) {
      await late.arrive();
      world.clock.advance(1);
    }
    // Both places are paid for by now, and both who hold them pay too.
    world.clock.advance(31_000);
    await runJobs(world);
    expect((await listed({ over_limit: true })).sort()).toEqual([first.payment_id, second.payment_id].sort());
  });
});
