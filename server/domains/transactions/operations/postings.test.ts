// A transaction's postings: they balance, and show running balances only to callers who may see them.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { create, earn } from "@/test/money";
import { apiKey } from "@/test/people";
import { openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";
import { transactionPostings } from "./postings";

let world: World;
let org: TestOrganization;
let elsewhere: TestOrganization;
beforeAll(async () => {
  world = await openWorld();
  org = await world.organization();
  elsewhere = await world.organization();
});
afterAll(() => world.close());

const postings = (actor: TestOrganization["admin"]["actor"], transaction_id: string) =>
  world.call(transactionPostings, actor, { transaction_id });

describe("200", () => {
  it("lists each journal, balanced, with the balances after it", async () => {
    const { member, admin } = org;
    await earn(world, member, 1_000);
    world.clock.advance(1_000);
    const paid = await earn(world, member, 250);
    const { data } = await postings(admin.actor, paid.transaction_id);
    const bank = { ledger_account: "bank", account_id: null, side: "debit", amount: 250, balance_after: 1_250 };
    const available = { ledger_account: "available", account_id: member.accountId, side: "credit" };
    expect(data).toEqual([
      {
        journal_id: expect.stringMatching(/^jrn_/),
        event: "offline_payment_received",
        created_at: "2026-11-20T12:00:01.000Z",
        currency: "EUR",
        lines: expect.any(Array),
      },
    ]);
    const byName = data[0]?.lines.toSorted((a, b) => (a.ledger_account < b.ledger_account ? -1 : 1));
    expect(byName).toEqual([{ ...available, amount: 250, balance_after: 1_250 }, bank]);
  });

  it("lists the journals of a refund in order", async () => {
    const paid = await earn(world, org.other, 500);
    const refund = await create(world, org.other.actor, {
      type: "refund",
      parent_transaction_id: paid.transaction_id,
      amount: 200,
    });
    const { data } = await postings(org.admin.actor, refund.transaction_id);
    // Both journals have the same time, and their ids have no order.
    expect(data.map(({ event }) => event)).toEqual(["refund_created", "refund_succeeded"]);
    for (const { lines } of data) {
      const signed = lines.map(({ side, amount }) => (side === "debit" ? amount : -amount));
      expect(signed.reduce((sum, amount) => sum + amount, 0)).toBe(0);
    }
  });

  it("shows an account's balances to its owner and admins, and the organization's only to admins", async () => {
    const { member, other, admin } = org;
    const moved = await create(world, member.actor, {
      type: "transfer",
      amount: 10,
      currency: "EUR",
      destination_account_id: other.accountId,
    });
    const bound = await apiKey(world, org.id, ["transactions:read"], { accountId: other.accountId });
    const known = async (actor: typeof member.actor) => {
      const { data } = await postings(actor, moved.transaction_id);
      const lines = data.flatMap(({ lines }) => lines);
      return lines.filter((line) => line.balance_after !== null).map((line) => line.account_id);
    };
    expect(await known(member.actor)).toEqual([member.accountId]);
    expect(await known(other.actor)).toEqual([other.accountId]);
    expect(await known(bound.actor)).toEqual([other.accountId]);
    expect((await known(admin.actor)).sort()).toEqual([member.accountId, other.accountId].sort());

    const paid = await earn(world, member, 30);
    const lines = (await postings(member.actor, paid.transaction_id)).data.flatMap((journal) => journal.lines);
    expect(lines.find(({ ledger_account }) => ledger_account === "bank")?.balance_after).toBeNull();
  });
});

describe("400", () => {
  it("transaction_not_found for a transaction that the caller does not see", async () => {
    const paid = await earn(world, org.member, 40);
    for (const { actor } of [org.other, elsewhere.admin]) {
      expect(await refusalOf(postings(actor, paid.transaction_id))).toBe("transaction_not_found");
    }
    expect(await refusalOf(postings(org.admin.actor, "txn_x"))).toBe("transaction_not_found");
  });
});
