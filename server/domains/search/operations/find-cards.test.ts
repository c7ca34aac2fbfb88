// Transactions are found by their card: its brand, its last four digits, and the filter by these.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listTransactions } from "@/server/domains/transactions/operations/list";
import { create, expectSoundLedger } from "@/test/money";
import { ask, card, payWith } from "@/test/payer";
import { openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";
import { findEverything } from "./find";

let world: World;
let org: TestOrganization;
/** The ids of transactions, by how they were paid. */
const made: Record<string, string> = {};

async function paidWith(number: string, description: string): Promise<string> {
  const { payment, token } = await ask(world, org.member.actor, { amount: 900, description });
  await payWith(world, token, card(number));
  const query = { payment_id: payment.payment_id };
  const { data } = await world.call(listTransactions, org.admin.actor, query);
  return data[0]?.transaction_id ?? "";
}

beforeAll(async () => {
  world = await openWorld();
  org = await world.organization();
  made.visa = await paidWith("4242 4242 4242 4242", "Bread");
  made.mastercard = await paidWith("5555 5555 5555 4444", "Rolls");
  made.declined = await paidWith("4000 0000 0000 0002", "Cake");
  made.challenged = await paidWith("4000 0025 0000 3155", "Tart");
  const refund = { type: "refund" as const, parent_transaction_id: made.visa, amount: 100 };
  made.refund = (await create(world, org.admin.actor, refund)).transaction_id;
  const cash = { type: "payment" as const, amount: 500, currency: "EUR", method: "cash" as const };
  made.cash = (await create(world, org.member.actor, cash)).transaction_id;
});
afterAll(async () => {
  await expectSoundLedger(world);
  await world.close();
});

type Query = Parameters<typeof world.call<typeof listTransactions.input, typeof listTransactions.output>>[2];

/** The names of the transactions that the user finds. */
async function found(query: Query, { actor } = org.admin): Promise<string[]> {
  const { data } = await world.call(listTransactions, actor, query);
  const ids = data.map(({ transaction_id }) => transaction_id);
  return Object.keys(made).filter((name) => ids.includes(made[name] ?? ""));
}

describe("the text of a search", () => {
  it.each<[string, string[]]>([
    ["4242", ["visa", "refund"]],
    ["visa 4242", ["visa", "refund"]],
    ["4242 Visa", ["visa", "refund"]],
    ["ending 4242", ["visa", "refund"]],
    ["card ending in 4242", ["visa", "refund"]],
    ["Karte endet auf 4242", ["visa", "refund"]],
    ["Visa •••• 4242", ["visa", "refund"]],
    ["bread 4242", ["visa", "refund"]],
    ["rolls 4242", []],
    ["mastercard 4242", []],
    ["mastercard", ["mastercard"]],
    ["0002", ["declined"]],
    ["3155", ["challenged"]],
    ["ending", []],
  ])("%s", async (q, names) => {
    expect(await found({ q })).toEqual(names);
  });

  it("finds the payment in the search over everything", async () => {
    const { transactions } = await world.call(findEverything, org.admin.actor, { q: "visa 4242" });
    expect(new Set(transactions.map(({ transaction_id }) => transaction_id))).toEqual(
      new Set([made.refund, made.visa]),
    );
  });
});

describe("the filter by the last four digits", () => {
  it("finds what was paid with a card, and its refunds, for whoever sees them", async () => {
    expect(await found({ card_last4: "4242" })).toEqual(["visa", "refund"]);
    expect(await found({ card_last4: "4242", type: ["refund"] })).toEqual(["refund"]);
    expect(await found({ card_last4: "4242" }, org.member)).toEqual(["visa", "refund"]);
    expect(await found({ card_last4: "4242" }, org.other)).toEqual([]);
    expect(await found({ card_last4: "0002", status: ["failed"] })).toEqual(["declined"]);
    expect(await found({ card_last4: "9999" })).toEqual([]);
  });

  it.each(["424", "42424", "424a", ""])("%s is an invalid request", async (card_last4) => {
    expect(await refusalOf(world.call(listTransactions, org.admin.actor, { card_last4 }))).toBe("invalid_request");
  });
});
