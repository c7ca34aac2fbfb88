// When money moved: as the provider says, or as it was recorded, and never in the future.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { journals } from "@/db/tables";
import type { ProviderResult } from "@/server/domains/providers/provider";
import { beginCharge, create, earn, rowOf, settleNow } from "@/test/money";
import { openWorld, type World } from "@/test/world";

let world: World;
let org: Awaited<ReturnType<World["organization"]>>;
beforeAll(async () => {
  world = await openWorld();
  org = await world.organization();
  await earn(world, org.member, 10_000);
});
afterAll(() => world.close());

const hourMs = 3_600_000;
const common = { amount: 5, currency: "EUR" } as const;
const valuesOf = async (id: string) =>
  (await world.runtime.db.read.select().from(journals).where(eq(journals.transactionId, id))).map(
    ({ event, bookedAt, valueAt }) => [event, world.clock.now() - bookedAt, world.clock.now() - valueAt],
  );
const charged = (reference: string, movedAt?: number): ProviderResult => ({
  ...{ kind: "charge", reference, status: "succeeded", amountCaptured: 1000, actionUrl: null },
  ...{ method: null, failure: null, movedAt },
});

it("money moves when the provider says that it took it", async () => {
  const { id } = await beginCharge(world, org.member);
  world.clock.advance(30 * hourMs);
  await settleNow(world, id, charged("ch_late", world.clock.now() - 20 * hourMs));
  expect((await rowOf(world, id)).effectiveAt).toBe(world.clock.now() - 20 * hourMs);
  expect(await valuesOf(id)).toEqual([["payment_captured", 0, 20 * hourMs]]);
});

it("money moves when it is reported, if the provider says nothing or names an instant to come", async () => {
  for (const at of [undefined, world.clock.now() + 40 * hourMs]) {
    const { id } = await beginCharge(world, org.member);
    world.clock.advance(hourMs);
    await settleNow(world, id, charged(`ch_${at}`, at));
    expect((await rowOf(world, id)).effectiveAt).toBe(world.clock.now());
    expect(await valuesOf(id)).toEqual([["payment_captured", 0, 0]]);
  }
});

it("recorded money moved when the caller says", async () => {
  const effective_at = new Date(world.clock.now() - 50 * hourMs).toISOString();
  const { transaction_id: id } = await create(world, org.member.actor, { type: "payment", ...common, effective_at });
  expect(await valuesOf(id)).toEqual([["offline_payment_received", 0, 50 * hourMs]]);
});

it("no transaction of any type moves money in the future", async () => {
  const effective_at = new Date(world.clock.now() + hourMs).toISOString();
  const { transaction_id: parent_transaction_id } = await earn(world, org.member, 100);
  const account_id = org.member.accountId;
  const inputs = [
    { type: "payment", ...common },
    { type: "credit", account_id, ...common },
    { type: "refund", parent_transaction_id },
    { type: "transfer", destination_account_id: org.other.accountId, account_id, ...common },
    { type: "adjustment", direction: "in", reason: "other", account_id, ...common },
  ] as const;
  for (const input of inputs) {
    const actor = input.type === "payment" || input.type === "refund" ? org.member.actor : org.admin.actor;
    await expect(create(world, actor, { ...input, effective_at }), input.type).rejects.toMatchObject({
      ...{ code: "invalid_request", message: "effective_at: must not be in the future" },
    });
  }
});

it("an instant within the difference of two clocks counts as now", async () => {
  const effective_at = new Date(world.clock.now() + 30_000).toISOString();
  const made = await create(world, org.member.actor, { type: "payment", ...common, effective_at });
  expect(made.effective_at).toBe(made.created_at);
});
