// Owners of very many accounts on SQLite, which allows fewer values per statement: all lists, and removing the owner.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accounts } from "@/db/tables";
import { lockAccountsOf, orphanAccountsOf } from "@/server/domains/accounts/orphan";
import { countOwned } from "@/server/domains/accounts/store";
import { revokeKeysOf } from "@/server/domains/api-keys/revoke-with";
import { countPayments } from "@/server/domains/payments/operations/counts";
import { createPayment } from "@/server/domains/payments/operations/create";
import { listPaymentRequests } from "@/server/domains/payments/operations/list";
import { listTransactions } from "@/server/domains/transactions/operations/list";
import { transactionPostings } from "@/server/domains/transactions/operations/postings";
import type { WriteContext } from "@/server/kit/context";
import { newId } from "@/server/kit/ids";
import { limits } from "@/server/kit/limits";
import { earn } from "@/test/money";
import { apiKey } from "@/test/people";
import { openWorld, type TestOrganization, type TestUser, type World } from "@/test/world";

let world: World;
let org: TestOrganization;
beforeAll(async () => {
  world = await openWorld({ ACCOUNTS_PER_OWNER: String(limits.ownedAccounts) });
  org = await world.organization();
});
afterAll(() => world.close());

/** Gives the user more accounts like the first until it owns `most`. */
async function own(user: TestUser, most: number): Promise<void> {
  const { db } = world.runtime;
  const [pattern] = await db.read.select().from(accounts).where(eq(accounts.id, user.accountId));
  if (!pattern) throw new Error("The user has no account.");
  const rows = Array.from({ length: most - 1 }, () => ({ ...pattern, id: newId("acct", world.clock.now()) }));
  await db.write(async (tx) => {
    while (rows.length > 0) await tx.insert(accounts).values(rows.splice(0, 1_000));
  });
}

describe("a member with the largest number of accounts that the setting allows", () => {
  it("sees its own objects in every list", async () => {
    const { actor } = org.member;
    await own(org.member, limits.ownedAccounts);
    const { transaction_id: id } = await earn(world, org.member, 1_000);
    const input = { account_id: org.member.accountId, type: "product", amount: 500, currency: "EUR" } as const;
    const payment = await world.call(createPayment, actor, input);
    const transactions = { data: [{ transaction_id: id }], has_more: false };
    expect(await world.call(listTransactions, actor, {})).toMatchObject(transactions);
    expect(await world.call(listTransactions, actor, { status: ["succeeded"], include_total: true })).toMatchObject({
      ...transactions,
      total_count: 1,
    });
    expect((await world.call(transactionPostings, actor, { transaction_id: id })).data).toHaveLength(1);
    const payments = { data: [{ payment_id: payment.payment_id }], has_more: false };
    expect(await world.call(listPaymentRequests, actor, {})).toMatchObject(payments);
    expect(await world.call(listPaymentRequests, actor, { status: ["pending"] })).toMatchObject(payments);
    expect(await world.call(countPayments, actor, {})).toMatchObject({ open: 1, all: 1, estimates: [] });
  });
});

describe("an admin with more accounts than a statement can hold", () => {
  it("loses them all when removed, with their API keys", async () => {
    const { admin } = org;
    await own(admin, 33_000);
    await apiKey(world, org.id, ["transactions:read"], { accountId: admin.accountId, createdBy: admin.id });
    const { db, clock } = world.runtime;
    await db.write(async (tx) => {
      const emitted: string[] = [];
      const ctx = { db: tx, now: clock.now(), scope: { organizationId: org.id } } as WriteContext;
      Object.assign(ctx, { emit: ({ object }: { object: string }) => emitted.push(object) });
      await lockAccountsOf(ctx, admin.id);
      const keys = { organizationId: org.id, accounts: { ownerUserId: admin.id }, createdBy: admin.id };
      expect(await revokeKeysOf(ctx, keys, "user_removed")).toBe(1);
      const ids = await orphanAccountsOf(ctx, admin.id);
      expect([ids.length, emitted.length]).toEqual([33_000, 33_001]);
    });
    expect(await countOwned(db.read, admin.id)).toBe(0);
  });
});
