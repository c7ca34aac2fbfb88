// What a hostile reading found in unexpected disputes. Each test states what is right, and fails.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { transactions } from "@/db/tables";
import type { ChargeDispute, ChargeResult } from "@/server/domains/providers/provider";
import { unexpectedDisputes } from "@/server/domains/transactions/operations/unexpected-disputes";
import type { TransactionRow } from "@/server/domains/transactions/present";
import { eventTypesOf } from "@/test/events";
import { beginCharge, settleNow } from "@/test/money";
import { openWorld, type TestOrganization, type World } from "@/test/world";

let world: World;
let org: TestOrganization;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  org = await world.organization();
});
afterAll(() => world.close());

const taken = (row: TransactionRow): ChargeResult => ({
  ...{ kind: "charge", reference: row.id, status: "succeeded", amountCaptured: 1000 },
  ...{ actionUrl: null, method: null, failure: null },
});
const reported = (status: ChargeDispute["status"], more: Partial<ChargeDispute> = {}): ChargeDispute => ({
  ...{ reference: "dp_1", status, amount: 1000, currency: "EUR" },
  ...more,
});
async function captured(): Promise<TransactionRow> {
  const row = await beginCharge(world, org.member);
  return settleNow(world, row.id, taken(row));
}
const report = (row: TransactionRow, dispute: ChargeDispute) => settleNow(world, row.id, { ...taken(row), dispute });
const listed = async () => (await world.call(unexpectedDisputes, org.admin.actor, {})).data;

it.each([Number.NaN, Number.POSITIVE_INFINITY])(
  "a report of %s does not break the list that every page of the dashboard shows, and is announced once",
  async (amount) => {
    const row = await captured();
    await report(row, reported("open", { amount }));
    await report(row, reported("open", { amount }));
    expect(await listed()).toMatchObject([{ transaction_id: row.id }]);
    expect((await eventTypesOf(world, row.id)).filter((type) => type === "dispute.unexpected")).toHaveLength(1);
  },
);

it("a second dispute of a payment whose first one a version without references has booked is flagged", async () => {
  const row = await captured();
  await report(row, reported("won"));
  await world.runtime.db.write(async (tx) => {
    await tx.update(transactions).set({ disputeReference: null }).where(eq(transactions.id, row.id));
  });
  // The provider, asked again after the upgrade, names the first one.
  await report(row, reported("won"));
  await report(row, reported("open", { reference: "dp_2" }));
  expect(await listed()).toMatchObject([{ transaction_id: row.id, status: "open" }]);
});
