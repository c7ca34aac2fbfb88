// Ledger entries: their sums are balances between any two instants, whatever happens later, and paging loses nothing.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { dialect } from "@/db/dialect";
import { postFacts } from "@/server/domains/ledger/post";
import { goodwillCredit } from "@/server/domains/ledger/rules";
import type { ProviderResult } from "@/server/domains/providers/provider";
import type { Actor } from "@/server/kit/context";
import { applyTo, askCustomer, makeCredit, newCustomer } from "@/test/credit";
import { recordsOf, textOf } from "@/test/downloads";
import { balancesOf, beginCharge, create, earn, settleNow } from "@/test/money";
import { moveClock } from "@/test/sandbox-clock";
import { openWorld, type World } from "@/test/world";
import { exportEntries } from "./operations/export";
import { listEntries } from "./operations/list";

let world: World;
let org: Awaited<ReturnType<World["organization"]>>;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  org = await world.organization();
});
afterAll(() => world.close());

const dayMs = 86_400_000;
/** Past the instant of the last posting, and what processes' clocks may differ. */
const settle = () => world.clock.advance(5_000);
const at = (instant: number) => new Date(instant).toISOString();

/** The sums of entries by kind, as both the list (page by page) and the export have them. */
async function sumsOf(actor: Actor, filters: Record<string, unknown>): Promise<Record<string, number>> {
  const listed = [];
  for (let cursor: string | undefined; ; ) {
    const page = await world.call(listEntries, actor, { ...filters, limit: 3, ...(cursor && { cursor }) });
    listed.push(...page.data);
    if (page.next_cursor === null) break;
    cursor = page.next_cursor;
  }
  expect(await exported(actor, filters)).toEqual(listed);
  expect(new Set(listed.map(({ posting_id }) => posting_id)).size).toBe(listed.length);
  const sums: Record<string, number> = {};
  for (const { kind, signed_amount } of listed) sums[kind] = (sums[kind] ?? 0) + signed_amount;
  return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0));
}

async function exported(actor: Actor, filters: Record<string, unknown>) {
  return recordsOf(await world.call(exportEntries, actor, { ...filters, format: "ndjson" }));
}

const charged = (reference: string, status: string, amountCaptured: number, dispute?: object) =>
  ({
    ...{ kind: "charge", reference, status, amountCaptured, actionUrl: null, method: null, failure: null },
    ...(dispute && { dispute: { reference: "dp", amount: amountCaptured, currency: "EUR", ...dispute } }),
  }) as ProviderResult;

it("of two months add up to what was booked in each, and stay as they are", async () => {
  const { actor, accountId } = org.member;
  const start = world.clock.now();
  const held = await beginCharge(world, org.member);
  await settleNow(world, held.id, charged("ch_h", "authorized", 0));
  const lost = await beginCharge(world, org.member);
  await settleNow(world, lost.id, charged("ch_l", "succeeded", 1000));
  const refunded = await earn(world, org.member, 300);
  await create(world, actor, { type: "refund", parent_transaction_id: refunded.transaction_id, amount: 100 });
  settle();
  const first = { account_id: accountId, booked_from: at(start), booked_to: at(world.clock.now()) };
  const inFirst = await sumsOf(actor, first);
  expect(inFirst).toEqual({ available: 1200, pending: 1000 });
  world.clock.advance(3 * dayMs);
  await settleNow(world, held.id, charged("ch_h", "succeeded", 1000));
  await settleNow(world, lost.id, charged("ch_l", "succeeded", 1000, { status: "open" }));
  await settleNow(world, lost.id, charged("ch_l", "succeeded", 1000, { status: "lost" }));
  settle();
  expect(await sumsOf(actor, { account_id: accountId, booked_from: first.booked_to })).toEqual({ pending: -1000 });
  expect(await sumsOf(actor, first)).toEqual(inFirst);
  expect((await balancesOf(world, accountId)).available).toBe(1200);
  expect(await sumsOf(actor, { kind: ["held"], account_id: accountId })).toEqual({});
});

it("count a transfer for both accounts, and credit as the customer's", async () => {
  const { actor, accountId } = org.member;
  await earn(world, org.member, 500);
  const to = { account_id: accountId, destination_account_id: org.other.accountId };
  await create(world, org.admin.actor, { type: "transfer", amount: 40, currency: "EUR", ...to });
  const customer = await newCustomer(world, actor);
  await makeCredit(world, actor, customer, 90);
  await applyTo(world, actor, await askCustomer(world, actor, customer, 60));
  settle();
  expect(await sumsOf(org.other.actor, {})).toEqual({ available: 40 });
  const sums = await sumsOf(actor, {});
  expect(sums.available).toBe((await balancesOf(world, accountId)).available);
  expect(sums.customer_credit).toBe(30);
  expect(await sumsOf(org.admin.actor, { account_id: accountId })).toEqual(sums);
});

it("carry dates, the event, and what they belong to, and are found by it", async () => {
  const effective_at = at(world.clock.now() - dayMs);
  const input = { type: "payment", amount: 700, currency: "EUR", effective_at } as const;
  const { transaction_id } = await create(world, org.member.actor, input);
  await earn(world, org.member, 5, "JPY");
  settle();
  const { data, final_before } = await world.call(listEntries, org.member.actor, { transaction_id });
  expect(data).toMatchObject([
    {
      ...{ number: 1, account_id: org.member.accountId, kind: "available", currency: "EUR", signed_amount: 700 },
      ...{ balance_after: 700, value_at: effective_at, event: "offline_payment_received", payment_id: null },
      ...{ source_id: transaction_id, transaction_id, invoice_number: null, booked_at: at(world.clock.now() - 5_000) },
    },
  ]);
  expect(Date.parse(final_before)).toBe(world.clock.now() - (dialect === "postgres" ? 2_000 : 0));
  const yen = await world.call(listEntries, org.member.actor, { currency: "JPY", include_total: true });
  expect(yen).toMatchObject({ data: [{ signed_amount: 5 }], total_count: 1, has_more: false });
});

it("are those of accounts that the caller sees", async () => {
  const stranger = await world.organization();
  const { transaction_id } = await earn(world, org.member, 500);
  settle();
  for (const { actor } of [org.other, stranger.admin]) {
    expect((await world.call(listEntries, actor, { transaction_id })).data).toEqual([]);
    await expect(world.call(listEntries, actor, { account_id: org.member.accountId })).rejects.toMatchObject({
      code: "account_not_found",
    });
  }
  expect((await world.call(listEntries, org.admin.actor, { transaction_id })).data).toHaveLength(1);
});

it("as CSV have decimals, names and days", async () => {
  await earn(world, org.member, 1250);
  settle();
  const columns = ["signed_decimal", "balance_after_decimal", "account_name", "booked_local_date"] as const;
  const download = await world.call(exportEntries, org.member.actor, { columns: [...columns], booked_to: at(0) });
  download.close();
  expect(download.headers["Content-Disposition"]).toMatch(/ledger-entries-until-\d{4}/);
  const file = await textOf(await world.call(exportEntries, org.member.actor, { columns: [...columns] }));
  expect(file).toMatch(/^signed_decimal,.*\r\n12\.50,12\.50,[^,]+,20\d\d-\d\d-\d\d\r\n$/);
});

describe("what is not final", () => {
  /** A write that has booked an entry and waits, its transaction open. */
  async function openWrite() {
    const { transaction_id: id } = await earn(world, org.other, 1);
    world.clock.advance(10_000);
    let booked = () => {};
    let commit = () => {};
    const hasBooked = new Promise<void>((done) => (booked = done));
    const mayCommit = new Promise<void>((done) => (commit = done));
    const journals = [goodwillCredit({ accountId: org.other.accountId, amount: 7, currency: "EUR" })];
    const book = {
      organizationId: org.id,
      livemode: false,
      source: { kind: "transaction", id },
      valueAt: null,
    } as const;
    const ended = world.runtime.db.write(async (tx) => {
      const ctx = { db: tx, realNow: world.clock.now(), id: world.id, runtime: world.runtime };
      await postFacts(ctx, { ...book, journals });
      booked();
      await mayCommit;
    });
    await hasBooked;
    return {
      bookedAt: world.clock.now(),
      commit() {
        commit();
        return ended;
      },
    };
  }

  it("waits for a write that is open, so that a late commit is neither lost nor repeated", async () => {
    const write = await openWrite();
    // On SQLite, a reader waits for the write; on PostgreSQL, it reads up to where it began.
    const reading = (async () => {
      if (dialect === "postgres") {
        world.clock.advance(20);
        await earn(world, org.member, 500);
        await new Promise((wait) => setTimeout(wait, 50));
      }
      return world.call(listEntries, org.admin.actor, { booked_from: at(write.bookedAt - 1) });
    })();
    if (dialect === "sqlite") await write.commit();
    const seen = await reading;
    expect(Date.parse(seen.final_before)).toBeLessThanOrEqual(write.bookedAt);
    expect(seen.data).toEqual([]);
    await write.commit();
    settle();
    const later = await world.call(listEntries, org.admin.actor, { booked_from: seen.final_before });
    expect(later.data.map(({ signed_amount }) => signed_amount)).toEqual(dialect === "postgres" ? [7, 500] : [7]);
  });

  it("is said by the export, in its name and its headers", async () => {
    await earn(world, org.member, 500);
    settle();
    const nameOf = async (booked_to?: string) => {
      const download = await world.call(exportEntries, org.member.actor, { ...(booked_to && { booked_to }) });
      download.close();
      return download.file.fileName;
    };
    expect(await nameOf()).toContain("unfinished");
    expect(await nameOf(at(world.clock.now() + 1))).toContain("unfinished");
    expect(await nameOf(at(world.clock.now() - 3_000))).not.toContain("unfinished");
  });
});

it("follow the clock of a sandbox organization", async () => {
  await earn(world, org.member, 500);
  await moveClock(world, org.admin.actor, "P40D");
  await earn(world, org.member, 30);
  settle();
  const { data } = await world.call(listEntries, org.member.actor, {});
  const [first, second] = data.map(({ booked_at }) => Date.parse(booked_at));
  expect((second ?? 0) - (first ?? 0)).toBe(40 * dayMs);
});
