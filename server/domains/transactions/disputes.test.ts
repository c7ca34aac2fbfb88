// Disputes: what the provider reports, in any order and any number, and what becomes of the money.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { getAccount } from "@/server/domains/accounts/operations/get";
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
import { dismissDispute, unexpectedDisputes } from "./operations/unexpected-disputes";
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
const reported = (status: ChargeDispute["status"], amount = 1000): ChargeDispute => ({
  ...{ reference: "dp_1", status, amount, currency: "EUR" },
});

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
});

describe("a report about a dispute that cannot be booked", () => {
  const listed = async (user: TestUser) => (await world.call(unexpectedDisputes, user.actor, {})).data;
  const dismiss = (user: TestUser, transaction_id: string, reported_at = new Date(world.clock.now()).toISOString()) =>
    world.call(dismissDispute, user.actor, { transaction_id, reported_at });
  const second = (status: ChargeDispute["status"], amount = 400) => ({
    ...reported(status, amount),
    reference: "dp_2",
  });

  it.each([
    ["of nothing", { amount: 0 }],
    ["of less than nothing", { amount: -1 }],
    ["of more than was captured", { amount: 1001 }],
    ["of a fraction", { amount: 1.5 }],
    ["of no number", { amount: Number.NaN }],
    ["without end", { amount: Number.POSITIVE_INFINITY }],
    ["in another currency", { currency: "USD" }],
  ])("%s is flagged, and the money that it comes with is booked", async (_, odd) => {
    const row = await beginCharge(world, member);
    const dispute = { ...reported("open"), ...odd };
    await report(row, dispute, dispute);
    expect(await rowOf(world, row.id)).toMatchObject({ status: "succeeded", amountCaptured: 1000, amountDisputed: 0 });
    expect(await balancesOf(world, member.accountId)).toEqual({ available: 1000 });
    const { status, currency } = dispute;
    const amount = Number.isFinite(dispute.amount) ? dispute.amount : 0;
    expect(await listed(member)).toMatchObject([{ transaction_id: row.id, status, amount, currency }]);
    expect((await eventTypesOf(world, row.id)).slice(2)).toEqual(["dispute.unexpected"]);
    // The real dispute is booked all the same.
    await report(row, reported("open"));
    expect(await rowOf(world, row.id)).toMatchObject({ status: "disputed", amountDisputed: 1000 });
  });

  it.each<[string, ChargeDispute[], ChargeDispute]>([
    ["a second dispute while one is open", [reported("open", 600)], second("open")],
    ["a second dispute after one was won", [reported("won")], second("open", 1000)],
    ["a second dispute after one was lost", [reported("lost", 600)], second("lost")],
    ["another amount of the same dispute", [reported("open", 600)], reported("lost", 700)],
    [
      "one that is reported again after it was won, without references",
      [reported("won")],
      { ...reported("open"), reference: null },
    ],
  ])("%s is flagged and changes no money", async (_, first, odd) => {
    const row = await captured();
    const before = await report(row, ...first);
    const balances = await balancesOf(world, member.accountId);
    await report(row, odd, odd);
    const { amount, status } = odd;
    expect(await listed(member)).toMatchObject([{ transaction_id: row.id, amount, status }]);
    const { disputeStatus, amountDisputed } = before;
    expect(await rowOf(world, row.id)).toMatchObject({ disputeStatus, amountDisputed, status: before.status });
    expect(await balancesOf(world, member.accountId)).toEqual(balances);
    expect((await eventTypesOf(world, row.id)).filter((type) => type === "dispute.unexpected")).toHaveLength(1);
  });

  it("is flagged after one was won of which the provider gave no reference", async () => {
    const row = await captured();
    await report(row, { ...reported("won"), reference: null });
    await report(row, second("open", 1000));
    expect(await listed(member)).toMatchObject([{ transaction_id: row.id, status: "open" }]);
    expect(await rowOf(world, row.id)).toMatchObject({ disputeStatus: "won", amountDisputed: 0 });
  });

  it("is listed until an admin says that it is done, and again if the provider says something else", async () => {
    const row = await captured();
    await report(row, reported("won"), second("open"));
    expect(await listed(org.admin)).toHaveLength(1);
    expect(await listed(org.other)).toEqual([]);
    expect(await refusalOf(dismiss(member, row.id))).toBe("insufficient_permissions");
    expect(await refusalOf(dismiss(org.admin, "txn_unknown"))).toBe("transaction_not_found");
    expect(await dismiss(org.admin, row.id)).toMatchObject({ dismissed: true });
    expect(await dismiss(org.admin, row.id)).toMatchObject({ dismissed: false });
    await report(row, second("open"));
    expect(await listed(org.admin)).toEqual([]);
    await report(row, second("lost"));
    expect(await listed(org.admin)).toMatchObject([{ status: "lost", amount: 400 }]);
    const stranger = await world.organization();
    expect(await listed(stranger.admin)).toEqual([]);
    expect(await refusalOf(dismiss(stranger.admin, row.id))).toBe("transaction_not_found");
  });

  it("stays listed if the provider reported it after what an admin has read and says is done", async () => {
    const row = await captured();
    await report(row, reported("won"), second("open"));
    const [read] = await listed(org.admin);
    world.clock.advance(1);
    await report(row, second("lost"));
    expect(await dismiss(org.admin, row.id, read?.reported_at)).toMatchObject({ dismissed: false });
    expect(await listed(org.admin)).toMatchObject([{ status: "lost" }]);
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
    expect((await world.call(getAccount, member.actor, { account_id: member.accountId })).balances).toEqual([
      {
        ...{ currency: "EUR", available: -300, pending: 0 },
        ...{ held: 1300, held_for_refunds: 300, held_for_disputes: 1000 },
      },
    ]);
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
