// Disputes: what the provider reports, in any order and any number, and what becomes of the money.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ChargeDispute, ChargeResult } from "@/server/domains/providers/provider";
import { eventTypesOf } from "@/test/events";
import {
  balancesOf,
  beginCharge,
  create,
  earn,
  expectSoundLedger,
  journalEventsOf,
  rowOf,
  settleNow,
} from "@/test/money";
import { planFault } from "@/test/provider-faults";
import { openWorld, refusalOf, type TestOrganization, type TestUser, type World } from "@/test/world";
import type { TransactionRow } from "./present";

let world: World;
let org: TestOrganization;
let member: TestUser;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  org = await world.organization();
  member = org.member;
});
afterAll(async () => {
  await expectSoundLedger(world);
  await world.close();
});

const taken = (row: TransactionRow): ChargeResult => ({
  ...{ kind: "charge", reference: row.id, status: "succeeded", amountCaptured: 1000 },
  ...{ actionUrl: null, method: null, failure: null },
});
const reported = (status: ChargeDispute["status"], amount = 1000): ChargeDispute => ({ status, amount });

/** A charge of 10.00 that the provider has captured. */
async function captured(): Promise<TransactionRow> {
  const row = await beginCharge(world, member);
  return settleNow(world, row.id, taken(row));
}

async function report(row: TransactionRow, ...disputes: ChargeDispute[]): Promise<TransactionRow> {
  let after = row;
  for (const dispute of disputes) after = await settleNow(world, row.id, { ...taken(row), dispute });
  return after;
}

const ofOrganization = () => balancesOf(world, org.id);

describe("a dispute", () => {
  it("holds the account's money while it is open, and gives it back when it is won", async () => {
    const row = await captured();
    expect(await report(row, reported("open"))).toMatchObject({ status: "disputed", amountDisputed: 1000 });
    expect(await balancesOf(world, member.accountId)).toEqual({ held: 1000 });
    expect(await ofOrganization()).toEqual({ "dispute:in_flight": 1000 });
    const won = { status: "succeeded", amountDisputed: 0, disputeStatus: "won" };
    expect(await report(row, reported("won"))).toMatchObject(won);
    expect(await balancesOf(world, member.accountId)).toEqual({ available: 1000 });
    expect(await ofOrganization()).toEqual({ "provider:sandbox:clearing": 1000 });
    expect(await eventTypesOf(world, row.id)).toEqual([
      ...["transaction.created", "transaction.succeeded", "dispute.opened", "dispute.won"],
    ]);
  });

  it("takes the money for good when it is lost", async () => {
    const row = await captured();
    const lost = { status: "charged_back", amountDisputed: 1000, disputeStatus: "lost" };
    expect(await report(row, reported("open"), reported("lost"))).toMatchObject(lost);
    expect(await balancesOf(world, member.accountId)).toEqual({});
    expect(await ofOrganization()).toEqual({});
    const refund = { type: "refund", parent_transaction_id: row.id } as const;
    expect(await refusalOf(create(world, org.admin.actor, { ...refund }))).toBe("refund_exceeds_captured");
  });

  it.each<[string, ChargeDispute["status"][], string[]]>([
    ["that is already won", ["won"], ["opened", "won"]],
    ["that is already lost", ["lost"], ["opened", "lost"]],
    ["that is reported twice", ["open", "open"], ["opened"]],
    ["of which an old report comes late", ["won", "open", "won"], ["opened", "won"]],
    ["that is lost, and then reported as won", ["lost", "won", "open"], ["opened", "lost"]],
    ["that was won, and is lost after all", ["won", "lost", "lost", "won"], ["opened", "won", "opened", "lost"]],
  ])("%s takes each step once", async (_, statuses, steps) => {
    const row = await captured();
    await report(row, ...statuses.map((status) => reported(status)));
    const expected = steps.map((step) => `dispute.${step}`);
    expect((await eventTypesOf(world, row.id)).slice(2)).toEqual(expected);
    const journals = ["payment_captured", ...steps.map((step) => `dispute_${step}`)];
    expect((await journalEventsOf(world, row.id)).sort()).toEqual(journals.sort());
    await expectSoundLedger(world);
  });

  it("that comes with the money itself is opened after it", async () => {
    const row = await beginCharge(world, member);
    await report(row, reported("open"));
    const events = ["transaction.created", "transaction.succeeded", "dispute.opened"];
    expect(await eventTypesOf(world, row.id)).toEqual(events);
  });

  it.each([0, -1, 1001, 1.5])("of %d is refused and changes nothing", async (amount) => {
    const row = await captured();
    await expect(report(row, reported("open", amount))).rejects.toThrow(/contradicts/);
    expect(await rowOf(world, row.id)).toEqual(row);
  });
});

describe("what the account has spent before a dispute", () => {
  it("is missing: nothing can be spent until more has come in, and money that comes in is accepted", async () => {
    const [row, other] = [await captured(), await captured()];
    const to = org.admin.accountId;
    const pay = {
      type: "transfer",
      account_id: member.accountId,
      destination_account_id: to,
      currency: "EUR",
    } as const;
    await create(world, member.actor, { ...pay, amount: 1500 });
    await report(row, reported("open"));
    expect(await balancesOf(world, member.accountId)).toEqual({ available: -500, held: 1000 });
    await expectSoundLedger(world);
    expect(await refusalOf(create(world, member.actor, { ...pay, amount: 1 }))).toBe("insufficient_balance");
    const refund = { type: "refund", parent_transaction_id: other.id, amount: 1 } as const;
    expect(await refusalOf(create(world, org.admin.actor, refund))).toBe("insufficient_balance");
    const out = { type: "adjustment", direction: "out", reason: "correction", description: "x" } as const;
    const corrected = { ...out, account_id: member.accountId, amount: 1, currency: "EUR" };
    expect(await refusalOf(create(world, org.admin.actor, corrected))).toBe("insufficient_balance");
    await earn(world, { ...member, actor: org.admin.actor }, 300);
    expect(await balancesOf(world, member.accountId)).toEqual({ available: -200, held: 1000 });
    await earn(world, { ...member, actor: org.admin.actor }, 300);
    await create(world, member.actor, { ...pay, amount: 100 });
    await report(row, reported("lost"));
    expect(await balancesOf(world, member.accountId)).toEqual({});
    await expectSoundLedger(world);
  });
});

describe("a refund", () => {
  const refundOf = (row: TransactionRow, amount: number) =>
    create(world, org.admin.actor, { type: "refund", parent_transaction_id: row.id, amount });

  it("of a disputed payment is refused until the dispute is decided", async () => {
    const row = await captured();
    await earn(world, { ...member, actor: org.admin.actor }, 5000);
    await report(row, reported("open", 400));
    expect(await refusalOf(refundOf(row, 1))).toBe("payment_disputed");
    await report(row, reported("lost", 400));
    expect(await refusalOf(refundOf(row, 601))).toBe("refund_exceeds_captured");
  });

  it("that is under way when the dispute opens keeps its reserve, and fails or succeeds by itself", async () => {
    const row = await captured();
    const pending = await pendingRefund(row, 300);
    await report(row, reported("open", 1000));
    expect(await balancesOf(world, member.accountId)).toEqual({ available: -300, held: 1000, refund_pending: 300 });
    const failure = { code: "refund_too_large", message: "Less is left." };
    await settleNow(world, pending.id, { kind: "refund", reference: pending.id, status: "failed", failure });
    expect(await balancesOf(world, member.accountId)).toEqual({ held: 1000 });
    expect(await rowOf(world, row.id)).toMatchObject({ status: "disputed", amountRefunding: 0 });
    expect(await report(row, reported("won"))).toMatchObject({ status: "succeeded" });
  });

  it("that succeeds while the rest is disputed counts once the dispute is won", async () => {
    const row = await captured();
    const pending = await pendingRefund(row, 300);
    await report(row, reported("open", 700));
    const done = { kind: "refund", reference: pending.id, status: "succeeded", failure: null } as const;
    await settleNow(world, pending.id, done);
    expect(await rowOf(world, row.id)).toMatchObject({ status: "disputed", amountRefunded: 300 });
    expect(await report(row, reported("won", 700))).toMatchObject({ status: "partially_refunded" });
    expect(await balancesOf(world, member.accountId)).toEqual({ available: 700 });
  });
});

/** A refund that its provider has not answered. */
async function pendingRefund(row: TransactionRow, amount: number): Promise<{ id: string }> {
  const input = { type: "refund", parent_transaction_id: row.id, amount } as const;
  const isLost = planFault("refund", "reset", "before");
  const refund = await create(world, org.admin.actor, input);
  await isLost;
  return { id: refund.transaction_id };
}
