// Transactions about which a provider owes an answer: listed, and counted by Home, until it has answered.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sandboxOperations, transactions } from "@/db/tables";
import { overviewAttention } from "@/server/domains/overview/operations/attention";
import { lostAnswerCode, troubledCard } from "@/server/domains/providers/test-cards";
import { listTransactions } from "@/server/domains/transactions/operations/list";
import { requestCapture } from "@/server/domains/transactions/record-store";
import { hourMs, limits } from "@/server/kit/limits";
import { runJobs } from "@/test/jobs";
import { create, earn } from "@/test/money";
import { ask, card, payWith, transactionsOf } from "@/test/payer";
import { openWorld, type TestOrganization, type World } from "@/test/world";

const { unansweredMs, confirmMs } = limits.charge;
const lost = { ...card(troubledCard), security_code: lostAnswerCode };

let world: World;
let org: TestOrganization;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  org = await world.organization();
});
afterAll(() => world.close());

/** The ids in the list, for whom it shows as many as Home counts. */
async function unanswered({ actor } = org.admin): Promise<string[]> {
  const listed = (wanted: boolean) =>
    world.call(listTransactions, actor, { unanswered: wanted, include_total: true, limit: 100 });
  const [found, others] = [await listed(true), await listed(false)];
  const all = await world.call(listTransactions, actor, { limit: 100 });
  expect(found.data.length + others.data.length).toBe(all.data.length);
  expect(found.total_count).toBe(found.data.length);
  expect(await world.call(overviewAttention, actor, {})).toMatchObject({ unanswered: found.data.length });
  return found.data.map((row) => row.transaction_id);
}

/** Expects that nothing waits now and at the end of this time, and that the transaction does right after it. */
async function expectUnansweredAfter(ms: number, id: string): Promise<void> {
  expect(await unanswered()).toEqual([]);
  world.clock.advance(ms);
  expect(await unanswered()).toEqual([]);
  world.clock.advance(1);
  expect(await unanswered()).toEqual([id]);
  expect(await unanswered(org.member)).toEqual([id]);
  expect(await unanswered(org.other)).toEqual([]);
}

const change = (id: string, values: Partial<typeof transactions.$inferInsert>) =>
  world.runtime.db.write((tx) => tx.update(transactions).set(values).where(eq(transactions.id, id)));

async function attemptWith(typed: Parameters<typeof payWith>[2], more = {}) {
  const { payment, token } = await ask(world, org.member.actor, more);
  await payWith(world, token, typed);
  const [attempt] = await transactionsOf(world, payment.payment_id);
  if (!attempt) throw new Error("There is no attempt.");
  return attempt;
}

describe("the outcome is unknown five minutes after", () => {
  it("a charge whose answer was lost, until a look-up finds it", async () => {
    const { id } = await attemptWith(lost);
    await expectUnansweredAfter(unansweredMs, id);
    for (const filters of [{ status: ["failed" as const] }, { type: ["refund" as const] }]) {
      const { data } = await world.call(listTransactions, org.admin.actor, { ...filters, unanswered: true });
      expect(data).toEqual([]);
    }
    await runJobs(world);
    expect(await unanswered()).toEqual([]);
  });

  it("a refund that the provider has not confirmed to have received", async () => {
    const { id: parent_transaction_id } = await attemptWith(card("4000000000007726"));
    const refund = await create(world, org.member.actor, { type: "refund", parent_transaction_id });
    expect(refund.status).toBe("pending");
    world.clock.advance(hourMs);
    expect(await unanswered()).toEqual([]);
    await change(refund.transaction_id, { providerReference: null, updatedAt: world.clock.now() });
    await expectUnansweredAfter(unansweredMs, refund.transaction_id);
  });

  it("a capture that was decided, however long before the hold was opened", async () => {
    const { id } = await attemptWith(card("4242424242424242"), { capture_method: "manual" });
    world.clock.advance(hourMs);
    expect(await unanswered()).toEqual([]);
    await world.runtime.db.write((tx) => requestCapture(tx, id, 100, world.clock.now()));
    await expectUnansweredAfter(unansweredMs, id);
  });

  it("the end of a confirmation", async () => {
    const { id } = await attemptWith(card("4000002760003184"));
    await expectUnansweredAfter(confirmMs + unansweredMs, id);
    await runJobs(world);
    expect(await unanswered()).toEqual([]);
  });
});

it("is known of a payment that was recorded, and of one that the provider is processing", async () => {
  await earn(world, org.member, 100);
  const { id } = await attemptWith(lost);
  const [made] = await world.runtime.db.read
    .select()
    .from(sandboxOperations)
    .where(eq(sandboxOperations.idempotencyKey, id));
  await change(id, { providerReference: made?.reference ?? "" });
  world.clock.advance(hourMs);
  expect(await unanswered()).toEqual([]);
});
