// Money under real concurrency: nothing is refunded or spent twice, and nothing deadlocks.
import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { journals, transactions } from "@/db/tables";
import { Failure } from "@/server/kit/errors";
import {
  balancesOf,
  beginCharge,
  type CreateInput,
  create,
  earn,
  expectSoundLedger,
  rowOf,
  settleNow,
} from "@/test/money";
import { ask } from "@/test/payer";
import { openWorld, type TestOrganization, type TestUser, type World } from "@/test/world";
import type { Transaction } from "./schema";

let world: World;
let org: TestOrganization;
beforeAll(async () => {
  world = await openWorld();
  org = await world.organization();
});
afterAll(async () => {
  await expectSoundLedger(world);
  await world.close();
});

/** Makes all calls at the same time. Resolves to the transactions created and the error codes of the other calls. */
async function together(calls: (() => Promise<Transaction>)[]): Promise<{ done: Transaction[]; codes: string[] }> {
  const done: Transaction[] = [];
  const codes: string[] = [];
  await Promise.all(
    calls.map((call) =>
      call().then(
        (row) => done.push(row),
        (error: unknown) => {
          if (!(error instanceof Failure)) throw error;
          codes.push(error.code);
        },
      ),
    ),
  );
  return { done, codes };
}

const times = <T>(count: number, call: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => call(i));
const by = ({ actor }: TestUser, input: CreateInput) => create(world, actor, input);
const transfer = (from: TestUser, to: TestUser, amount: number) =>
  by(from, { type: "transfer", destination_account_id: to.accountId, amount, currency: "EUR" });

describe("50 concurrent refunds", () => {
  it("of an offline payment never refund more than was captured", async () => {
    const user = await world.user(org.id);
    const { transaction_id: id } = await earn(world, user, 1000);
    await earn(world, user, 5000);
    const { done, codes } = await together(
      times(50, () => () => by(user, { type: "refund", parent_transaction_id: id, amount: 70 })),
    );
    expect(done).toHaveLength(14);
    expect(new Set(codes)).toEqual(new Set(["refund_exceeds_captured"]));
    expect(await rowOf(world, id)).toMatchObject({ amountRefunded: 980, amountRefunding: 0 });
    expect(await balancesOf(world, user.accountId)).toEqual({ available: 5020 });
  });

  it("of a provider's payment, without an amount, create one refund", async () => {
    const user = await world.user(org.id);
    const { id } = await beginCharge(world, user, { provider: "nowhere" });
    const paid = { kind: "charge", reference: id, status: "succeeded", amountCaptured: 1000 } as const;
    await settleNow(world, id, { ...paid, actionUrl: null, method: null, failure: null });
    const { done } = await together(times(50, () => () => by(user, { type: "refund", parent_transaction_id: id })));
    expect(done.map((row) => row.amount)).toEqual([1000]);
    expect(await balancesOf(world, user.accountId)).toEqual({ refund_pending: 1000 });
  });
});

describe("concurrent transfers", () => {
  it("never overdraw their source", async () => {
    const [from, to] = [await world.user(org.id), await world.user(org.id)];
    await earn(world, from, 1000);
    const { done, codes } = await together(times(50, () => () => transfer(from, to, 30)));
    expect(done).toHaveLength(33);
    expect(new Set(codes)).toEqual(new Set(["insufficient_balance"]));
    expect(await balancesOf(world, from.accountId)).toEqual({ available: 10 });
    expect(await balancesOf(world, to.accountId)).toEqual({ available: 990 });
  });

  it("in opposite directions all succeed and preserve the total", async () => {
    const users = await Promise.all(times(3, () => world.user(org.id)));
    for (const user of users) await earn(world, user, 1000);
    const { done, codes } = await together(
      times(90, (i) => () => {
        const [from, to] = [users[i % 3], users[(i + 1 + (i % 2)) % 3]];
        if (!from || !to) throw new Error("Nobody to pay.");
        return transfer(from, to, 1 + (i % 7));
      }),
    );
    expect(codes).toEqual([]);
    expect(done).toHaveLength(90);
    const balances = await Promise.all(users.map((user) => balancesOf(world, user.accountId)));
    expect(balances.reduce((sum, balance) => sum + (balance.available ?? 0), 0)).toBe(3000);
  });
});

describe("25 concurrent creations", () => {
  it("with one reference create one transaction", async () => {
    const user = await world.user(org.id);
    const input = { type: "payment", amount: 10, currency: "EUR", reference: "only" } as const;
    const { done, codes } = await together(times(25, () => () => by(user, input)));
    expect(done).toHaveLength(1);
    expect(codes).toEqual(times(24, () => "duplicate_reference"));
    expect(await balancesOf(world, user.accountId)).toEqual({ available: 10 });
  });

  it("with one Idempotency-Key create one transaction and one journal", async () => {
    const user = await world.user(org.id);
    const input = { type: "payment", amount: 10, currency: "EUR" } as const;
    const { done, codes } = await together(
      times(25, () => () => create(world, user.actor, input, { idempotencyKey: "the-key" })),
    );
    const ids = new Set(done.map((row) => row.transaction_id));
    expect(ids.size).toBe(1);
    expect(codes.every((code) => code === "idempotency_key_in_use")).toBe(true);
    const { read } = world.runtime.db;
    expect(await read.$count(transactions, eq(transactions.accountId, user.accountId))).toBe(1);
    expect(await read.$count(journals, eq(journals.transactionId, [...ids][0] ?? ""))).toBe(1);
  });

  it("towards one payment request never pay more than is due", async () => {
    const user = await world.user(org.id);
    const { payment } = await ask(world, user.actor, { amount: 1000 });
    const money = { payment_id: payment.payment_id, amount: 300, currency: "EUR" };
    const { done, codes } = await together(times(25, () => () => by(user, { type: "payment", ...money })));
    expect(done).toHaveLength(3);
    expect(new Set(codes)).toEqual(new Set(["amount_too_large"]));
    const paid = and(eq(transactions.paymentId, payment.payment_id), eq(transactions.status, "succeeded"));
    expect(await world.runtime.db.read.$count(transactions, paid)).toBe(3);
    expect(await balancesOf(world, user.accountId)).toEqual({ available: 900 });
  });
});
