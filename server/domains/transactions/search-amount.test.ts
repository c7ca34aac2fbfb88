// Amounts as search texts of the list of transactions: as the list shows them, by words too, and nothing twice.
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Actor } from "@/server/kit/context";
import { create } from "@/test/money";
import { openWorld, type TestOrganization, type World } from "@/test/world";
import { listTransactions } from "./operations/list";

let world: World;
let org: TestOrganization;
const ids = new Map<string, string>();
const paid = async (name: string, amount: number, currency: string, description: string | null = null) => {
  const { accountId: account_id, actor } = org.member;
  const made = await create(world, actor, { type: "payment", account_id, amount, currency, description });
  world.clock.advance(1);
  ids.set(name, made.transaction_id);
};
beforeAll(async () => {
  world = await openWorld();
  org = await world.organization();
  await paid("euro", 123_456, "EUR");
  await paid("dollar", 123_456, "USD");
  await paid("yen", 500, "JPY");
  await paid("dinar", 12_500, "KWD");
  await paid("five hundred", 50_000, "EUR");
  await paid("order", 777, "EUR", "Order 500");
  await paid("both", 50_000, "EUR", "500 again");
});
afterAll(() => world.close());

const foundBy = async (actor: Actor, q: string, limit = 100) => {
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await world.call(listTransactions, actor, {
      q,
      limit,
      include_total: true,
      ...(cursor && { cursor }),
    });
    found.push(...page.data.map(({ transaction_id: id }) => [...ids].find(([, one]) => one === id)?.[0] ?? id));
    if (page.total_count !== undefined) expect(page.total_count).toBeGreaterThanOrEqual(found.length);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return found;
};

it.each<[string, string[]]>([
  ["1234.56", ["dollar", "euro"]],
  ["1,234.56", ["dollar", "euro"]],
  ["1.234,56 €", ["euro"]],
  ["EUR 1234.56", ["euro"]],
  ["-1234.56", ["dollar", "euro"]],
  ["$1,234.56", ["dollar"]],
  ["¥500", ["both", "order", "yen"]],
  ["12.500 KWD", ["dinar"]],
  ["500", ["both", "order", "five hundred", "yen"]],
  ["500.00", ["both", "five hundred", "yen"]],
  ["500,00 €", ["both", "five hundred"]],
  ["1234.57", []],
])("%s finds the transactions of that amount, newest first", async (q, names) => {
  for (const { actor } of [org.admin, org.member]) {
    expect(await foundBy(actor, q)).toEqual(names);
    expect(await foundBy(actor, q, 1)).toEqual(names);
  }
  expect(await foundBy(org.other.actor, q)).toEqual([]);
});

it("keeps to the other filters", async () => {
  const { data } = await world.call(listTransactions, org.admin.actor, { q: "1234.56", currency: "USD" });
  expect(data.map(({ transaction_id: id }) => id)).toEqual([ids.get("dollar")]);
  const refunds = await world.call(listTransactions, org.admin.actor, { q: "1234.56", type: ["refund"] });
  expect(refunds.data).toEqual([]);
});
