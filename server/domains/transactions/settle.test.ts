// Settling: a provider's results, in any order and any number, lead to the same status and balances.
import { eq } from "drizzle-orm";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accounts, auditEntries, events, jobs, sandboxOperations } from "@/db/tables";
import type { ChargeResult, ChargeStatus, RefundResult } from "@/server/domains/providers/provider";
import { sandboxProvider } from "@/server/domains/providers/sandbox";
import { closeAccountOf } from "@/test/closing";
import { runJobs } from "@/test/jobs";
import { balancesOf, beginCharge, create, expectSoundLedger, journalEventsOf, rowOf, settleNow } from "@/test/money";
import { ask, goodCard, payWith, transactionsOf } from "@/test/payer";
import { openWorld, type TestOrganization, type TestUser, type World } from "@/test/world";
import { lookUp } from "./look-up";
import type { TransactionRow } from "./present";
import { next, openHold, type TransactionStatus } from "./rules";

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

const method = { type: "card", brand: "visa", last4: "4242", exp_month: 12, exp_year: 2030 };
const decline = { code: "card_declined", message: "The card was declined." };

const charge = (reference: string, status: ChargeStatus, amountCaptured = 0): ChargeResult => ({
  kind: "charge",
  reference,
  status,
  amountCaptured,
  actionUrl: status === "requires_action" ? "https://bank.example.com/confirm" : null,
  method,
  failure: status === "declined" ? decline : null,
});
const refund = (reference: string, status: RefundResult["status"]): RefundResult => ({
  kind: "refund",
  reference,
  status,
  failure:
    status === "failed" ? { code: "expired_or_canceled_card", message: "The card has expired or was canceled." } : null,
});

let counter = 0;
const newReference = () => `charge-${++counter}`;

/** The columns that must not depend on the order of a charge's results. */
function facts(row: TransactionRow) {
  const { status, amountCaptured, amountAuthorized, amountReleased, failure, paymentMethod, captureBefore } = row;
  const { amountRefunded, amountRefunding, settledAt } = row;
  const amounts = { amountCaptured, amountAuthorized, amountReleased, amountRefunded, amountRefunding };
  return { status, ...amounts, failure, paymentMethod, captureBefore, settledAt };
}

async function eventStatuses(objectId: string): Promise<TransactionStatus[]> {
  const rows = await world.runtime.db.read.select().from(events).where(eq(events.objectId, objectId));
  const inOrder = rows.sort((a, b) => a.sequence - b.sequence);
  expect(inOrder.map((row) => row.sequence)).toEqual(inOrder.map((_, i) => i + 1));
  return inOrder.map((row) => row.data.status as TransactionStatus);
}

/** Whether the transitions lead from one status to the other, also through statuses that have no event. */
function leadsTo(row: TransactionRow, from: TransactionStatus, to: TransactionStatus): boolean {
  const reached = new Set<TransactionStatus>([from]);
  for (const status of reached) for (const after of next[row.type][status] ?? []) reached.add(after);
  return reached.has(to);
}

/** Asserts the invariants of a payment's amounts and events. */
async function check(row: TransactionRow): Promise<void> {
  const { amountCaptured, amountAuthorized, amountRefunded, amountRefunding, amount } = row;
  expect(amountRefunded).toBeGreaterThanOrEqual(0);
  expect(amountRefunding).toBeGreaterThanOrEqual(0);
  expect(amountRefunded + amountRefunding).toBeLessThanOrEqual(amountCaptured);
  expect(amountCaptured).toBeLessThanOrEqual(amountAuthorized);
  expect(amountAuthorized).toBeLessThanOrEqual(amount);
  expect(openHold(row)).toBe(row.status === "authorized" ? amountAuthorized - amountCaptured : 0);
  const statuses = await eventStatuses(row.id);
  statuses.slice(1).forEach((to, i) => {
    expect(leadsTo(row, statuses[i] ?? "pending", to)).toBe(true);
  });
}

/** A charge on a new account, settled with these results one by one or all at once. */
async function outcomeOf(results: (reference: string) => ChargeResult[], isConcurrent = false) {
  const user = await world.user(org.id);
  const { id } = await beginCharge(world, user);
  const reported = results(newReference());
  if (isConcurrent) await Promise.all(reported.map((result) => settleNow(world, id, result)));
  else for (const result of reported) await settleNow(world, id, result);
  const row = await rowOf(world, id);
  await check(row);
  return { row: facts(row), balances: await balancesOf(world, user.accountId) };
}

describe("a charge", () => {
  const statuses = fc.constantFrom<ChargeStatus>(
    "processing",
    "requires_action",
    "authorized",
    "succeeded",
    "declined",
    "canceled",
  );

  it("ends in the same state with results in any order and any number, one by one or concurrently", async () => {
    const scenario = fc
      .record({ reported: fc.uniqueArray(statuses, { minLength: 1 }), captured: fc.integer({ min: 1, max: 1000 }) })
      .chain(({ reported, captured }) =>
        fc.record({
          captured: fc.constant(captured),
          orders: fc.array(
            fc
              .array(fc.constantFrom(...reported), { maxLength: 4 })
              .chain((again) =>
                fc.shuffledSubarray([...reported, ...again], { minLength: reported.length + again.length }),
              ),
            { minLength: 2, maxLength: 2 },
          ),
        }),
      );
    await fc.assert(
      fc.asyncProperty(scenario, async ({ captured, orders }) => {
        const [one = [], other = []] = orders;
        const results = (order: ChargeStatus[]) => (reference: string) =>
          order.map((status) => charge(reference, status, status === "succeeded" ? captured : 0));
        const first = await outcomeOf(results(one));
        expect(await outcomeOf(results(other))).toEqual(first);
        expect(await outcomeOf(results(one), true)).toEqual(first);
        expect(first.balances.available ?? 0).toBe(first.row.amountCaptured);
        expect(first.balances["memo:auth_open"] ?? 0).toBe(first.row.status === "authorized" ? 1000 : 0);
      }),
      { numRuns: 25 },
    );
  }, 60_000);

  it("that was authorized holds its amount, and a final capture releases the rest", async () => {
    const held = await outcomeOf((r) => [charge(r, "authorized")]);
    expect(held).toMatchObject({
      row: { status: "authorized", amountAuthorized: 1000, captureBefore: world.clock.now() + 7 * 86_400_000 },
      balances: { "memo:auth_open": 1000 },
    });
    const part = await outcomeOf((r) => [charge(r, "authorized"), charge(r, "succeeded", 600)]);
    expect(part).toMatchObject({
      row: { status: "succeeded", amountCaptured: 600, amountReleased: 400 },
      balances: { available: 600 },
    });
  });

  it("that was declined has a failure, and money that arrives after all is not dropped", async () => {
    expect(await outcomeOf((r) => [charge(r, "declined")])).toMatchObject({
      row: { status: "failed", failure: decline, settledAt: world.clock.now() },
      balances: {},
    });
    expect(await outcomeOf((r) => [charge(r, "declined"), charge(r, "succeeded", 1000)])).toMatchObject({
      row: { status: "succeeded", failure: null },
      balances: { available: 1000 },
    });
  });

  it("that was declined and whose hold lapsed at the provider has expired, whichever result came first", async () => {
    for (const order of [
      ["declined", "authorized"],
      ["authorized", "declined"],
    ] as const) {
      const user = await world.user(org.id);
      const { id } = await beginCharge(world, user);
      const reference = newReference();
      for (const status of order) await settleNow(world, id, charge(reference, status));
      world.clock.advance(8 * 86_400_000);
      expect((await settleNow(world, id, charge(reference, "canceled"))).status).toBe("expired");
      await check(await rowOf(world, id));
      expect(await balancesOf(world, user.accountId)).toEqual({});
    }
  });

  it("is posted to an account that was closed meanwhile, and flagged", async () => {
    const user = await world.user(org.id);
    const { id } = await beginCharge(world, user);
    await world.runtime.db.write(async (tx) => {
      await tx.update(accounts).set({ status: "closed", closedAt: 1 }).where(eq(accounts.id, user.accountId));
    });
    await settleNow(world, id, charge(newReference(), "succeeded", 1000));
    expect(await balancesOf(world, user.accountId)).toEqual({ available: 1000 });
    expect(await flagsOf(id)).toEqual({ events: [undefined, true], audit: [true] });
  });

  it("is not flagged on an open account, nor when closing the account releases a hold", async () => {
    const user = await world.user(org.id);
    const open = await beginCharge(world, user);
    await settleNow(world, open.id, charge(newReference(), "succeeded", 1000));
    expect(await flagsOf(open.id)).toEqual({ events: [undefined, undefined], audit: [] });
    const { payment, token } = await ask(world, user.actor, { capture_method: "manual" });
    await payWith(world, token);
    await closeAccountOf(world, user.actor, user.accountId);
    world.clock.advance(1000);
    await runJobs(world);
    const [hold] = await transactionsOf(world, payment.payment_id);
    expect(hold?.status).toBe("canceled");
    expect(await flagsOf(hold?.id ?? "")).toEqual({ events: [undefined, undefined], audit: [] });
  });

  /** The `late` flags of a transaction's events and audit entries. */
  async function flagsOf(id: string) {
    const { read } = world.runtime.db;
    const found = await read.select().from(events).where(eq(events.objectId, id)).orderBy(events.sequence);
    const entries = await read.select().from(auditEntries).where(eq(auditEntries.targetId, id));
    return {
      events: found.map(({ data }) => data.late),
      audit: entries.flatMap(({ detail }) => ("late" in detail ? [detail.late] : [])),
    };
  }

  it("that is reported for two transactions is one payment", async () => {
    const user = await world.user(org.id);
    const reference = newReference();
    const ids = [(await beginCharge(world, user)).id, (await beginCharge(world, user)).id];
    await Promise.all(ids.map((id) => settleNow(world, id, charge(reference, "succeeded", 1000))));
    await Promise.all(ids.map((id) => settleNow(world, id, charge(reference, "succeeded", 1000))));
    expect(await balancesOf(world, user.accountId)).toEqual({ available: 1000 });
    const rows = await Promise.all(ids.map((id) => rowOf(world, id)));
    expect(rows.map((row) => row.status).sort()).toEqual(["canceled", "succeeded"]);
  });

  it("that is reported for two transactions is not ended by the second one", async () => {
    const user = await world.user(org.id);
    const [first, second] = [await beginCharge(world, user), await beginCharge(world, user)];
    const { amount, currency } = first;
    const request = { idempotencyKey: first.id, amount, currency, captureMethod: "manual", details: goodCard } as const;
    const provider = sandboxProvider(world.runtime, false);
    const made = await provider.start(request);
    await settleNow(world, first.id, made);
    await settleNow(world, second.id, made);
    expect(await world.runtime.db.read.$count(jobs, eq(jobs.key, `payments.lookup:${second.id}`))).toBe(0);
    const setKey = (idempotencyKey: string) =>
      world.runtime.db.write(async (tx) => {
        const isThisCharge = eq(sandboxOperations.reference, made.reference ?? "");
        await tx.update(sandboxOperations).set({ idempotencyKey }).where(isThisCharge);
      });
    await setKey(second.id);
    await lookUp(world.runtime, second.id);
    await setKey(first.id);
    expect(await provider.lookup("charge", first.id)).toMatchObject({ status: "authorized" });
    expect((await rowOf(world, first.id)).status).toBe("authorized");
    expect((await rowOf(world, second.id)).status).toBe("canceled");
  });

  it("rejects a result that contradicts it", async () => {
    const user = await world.user(org.id);
    const { id } = await beginCharge(world, user);
    const reference = newReference();
    await settleNow(world, id, charge(reference, "processing"));
    await expect(settleNow(world, id, charge(newReference(), "succeeded", 1000))).rejects.toThrow("contradicts");
    await expect(settleNow(world, id, charge(reference, "succeeded", 1001))).rejects.toThrow("contradicts");
    await expect(settleNow(world, id, charge(reference, "succeeded", 0))).rejects.toThrow("contradicts");
    await expect(settleNow(world, id, refund(reference, "succeeded"))).rejects.toThrow("is a payment");
    await expect(settleNow(world, world.id("txn"), charge(reference, "canceled"))).rejects.toThrow("No transaction");
    expect((await rowOf(world, id)).status).toBe("processing");
    expect(await balancesOf(world, user.accountId)).toEqual({});
  });
});

describe("refunds", () => {
  /** A captured payment of 1000 on a new account, and refunds of it without a provider's answer yet. */
  async function openRefunds(amounts: readonly number[]) {
    const user = await world.user(org.id);
    const { id } = await beginCharge(world, user, { provider: "nowhere" });
    await settleNow(world, id, charge(newReference(), "succeeded", 1000));
    const ids: string[] = [];
    for (const amount of amounts) ids.push((await refundOf(user, id, amount)).transaction_id);
    return { id, ids, user };
  }
  const refundOf = ({ actor }: TestUser, parent_transaction_id: string, amount: number) =>
    create(world, actor, { type: "refund", parent_transaction_id, amount });

  it("lead to the same state in any order and any number, and leave the money that was not refunded", async () => {
    const words = fc.uniqueArray(fc.constantFrom<RefundResult["status"]>("pending", "succeeded", "failed"));
    const scenario = fc
      .array(fc.record({ amount: fc.integer({ min: 1, max: 333 }), words }), { minLength: 1, maxLength: 3 })
      .chain((refunds) => {
        const reported = refunds.flatMap(({ words: own }, of) => own.map((status) => ({ of, status })));
        const whole = [...reported, ...reported.slice(0, 2)];
        const order = fc.shuffledSubarray(whole, { minLength: whole.length });
        return fc.record({ refunds: fc.constant(refunds), orders: fc.tuple(order, order) });
      });
    await fc.assert(
      fc.asyncProperty(scenario, async ({ refunds, orders }) => {
        const settled = async (order: (typeof orders)[0], isConcurrent: boolean) => {
          const { id, ids, user } = await openRefunds(refunds.map(({ amount }) => amount));
          const calls = order.map(
            ({ of, status }) =>
              () =>
                settleNow(world, ids[of] ?? "", refund(`${id}-${of}`, status)),
          );
          if (isConcurrent) await Promise.all(calls.map((call) => call()));
          else for (const call of calls) await call();
          const rows = await Promise.all([id, ...ids].map((one) => rowOf(world, one)));
          for (const row of rows) if (row.type === "payment") await check(row);
          return { rows: rows.map(facts), balances: await balancesOf(world, user.accountId) };
        };
        const first = await settled(orders[0], false);
        expect(await settled(orders[1], false)).toEqual(first);
        expect(await settled(orders[0], true)).toEqual(first);
        const sum = (wanted: (words: RefundResult["status"][]) => boolean) =>
          refunds.reduce((total, one) => total + (wanted(one.words) ? one.amount : 0), 0);
        const refunded = sum((reported) => reported.includes("succeeded") && !reported.includes("failed"));
        const open = sum((reported) => !reported.includes("succeeded") && !reported.includes("failed"));
        expect(first.balances.available).toBe(1000 - refunded - open);
        expect(first.balances.refund_pending ?? 0).toBe(open);
        expect(first.rows[0]).toMatchObject({ amountRefunded: refunded, amountRefunding: open });
        expect(first.rows[0]?.status).toBe(refunded === 0 ? "succeeded" : "partially_refunded");
      }),
      { numRuns: 15 },
    );
  }, 60_000);

  it("that fail late restore the money and the payment's status", async () => {
    const { id, ids, user } = await openRefunds([1000]);
    const [only = ""] = ids;
    await settleNow(world, only, refund("late", "succeeded"));
    expect((await rowOf(world, id)).status).toBe("refunded");
    await settleNow(world, only, refund("late", "failed"));
    expect(await rowOf(world, id)).toMatchObject({ status: "succeeded", amountRefunded: 0 });
    expect(await rowOf(world, only)).toMatchObject({ status: "failed", failure: { code: "expired_or_canceled_card" } });
    expect(await balancesOf(world, user.accountId)).toEqual({ available: 1000 });
    expect(await eventStatuses(only)).toEqual(["pending", "succeeded", "failed"]);
    expect(await journalEventsOf(world, only)).toEqual(["refund_created", "refund_succeeded", "refund_returned"]);
  });
});
