// An account that a dispute took below zero: it stays named until somebody settles it, even after it was closed.
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { listAccounts } from "@/server/domains/accounts/operations/list";
import { listOwnAccounts } from "@/server/domains/accounts/operations/list-own";
import { closeAccount } from "@/server/domains/closing/operations/close-account";
import { overviewAttention } from "@/server/domains/overview/operations/attention";
import type { Actor } from "@/server/kit/context";
import { balancesOf, type CreateInput, create, earn, expectSoundLedger } from "@/test/money";
import { ask, payWith } from "@/test/payer";
import { simulate } from "@/test/simulating";
import { openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";

let world: World;
let acme: TestOrganization;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  acme = await world.organization();
});
afterAll(async () => {
  await expectSoundLedger(world);
  await world.close();
});

const euros = (amount: number) => ({ amount, currency: "EUR" });
const balances = () => balancesOf(world, acme.member.accountId);

/** A payment of 12.50 of the member's account, of which 10.00 was spent before it was disputed. */
async function spentAndDisputed(): Promise<string> {
  const { payment, token } = await ask(world, acme.member.actor);
  await payWith(world, token);
  const { accountId: account_id, actor } = acme.member;
  await create(world, actor, {
    ...{ type: "transfer", account_id, destination_account_id: acme.other.accountId },
    ...euros(1000),
  });
  await simulate(world, acme, payment.payment_id, "dispute");
  return payment.payment_id;
}

const close = () => world.call(closeAccount, acme.admin.actor, { account_id: acme.member.accountId });
const named = async (actor: Actor) => (await world.call(overviewAttention, actor, {})).accounts_in_debt;
const listed = async () =>
  (await world.call(listAccounts, acme.admin.actor, { in_debt: true })).data.map(({ account_id }) => account_id);

it("is named until payments make up for it", async () => {
  expect(await named(acme.admin.actor)).toBe(0);
  const id = await spentAndDisputed();
  await simulate(world, acme, id, "dispute_lost");
  expect(await balances()).toEqual({ available: -1000 });
  for (const [caller, count] of [
    [acme.admin, 1],
    [acme.member, 1],
    [acme.other, 0],
  ] as const) {
    expect(await named(caller.actor)).toBe(count);
  }
  expect(await listed()).toEqual([acme.member.accountId]);
  const own = await world.call(listOwnAccounts, acme.member.actor, { in_debt: false });
  expect(own.data).toEqual([]);
  await earn(world, acme.member, 1000);
  expect(await named(acme.admin.actor)).toBe(0);
  expect(await listed()).toEqual([]);
});

it("keeps its debt when it is closed, and an admin settles that, and no more, by a transfer or an adjustment", async () => {
  const id = await spentAndDisputed();
  await close();
  await simulate(world, acme, id, "dispute_lost");
  expect(await balances()).toEqual({ available: -1000 });
  expect(await named(acme.admin.actor)).toBe(1);
  expect(await listed()).toEqual([acme.member.accountId]);
  await expectSoundLedger(world);

  const { accountId } = acme.member;
  await earn(world, acme.other, 5000);
  const towards = (amount: number): CreateInput => ({
    ...{ type: "transfer", account_id: acme.other.accountId, destination_account_id: accountId },
    ...euros(amount),
  });
  const corrected = (amount: number, currency = "EUR"): CreateInput => ({
    ...{ type: "adjustment", direction: "in", reason: "other", account_id: accountId, amount, currency },
  });
  const refused = (actor: Actor, input: CreateInput) => refusalOf(create(world, actor, input));
  expect(await refused(acme.other.actor, towards(1))).toBe("account_closed");
  expect(await refused(acme.admin.actor, towards(1001))).toBe("account_closed");
  expect(await refused(acme.admin.actor, corrected(1, "USD"))).toBe("account_closed");
  await create(world, acme.admin.actor, towards(400));
  expect(await refused(acme.admin.actor, corrected(601))).toBe("account_closed");
  expect(await balances()).toEqual({ available: -600 });
  await create(world, acme.admin.actor, corrected(600));
  expect(await balances()).toEqual({});
  expect(await refused(acme.admin.actor, corrected(1))).toBe("account_closed");
  expect(await named(acme.admin.actor)).toBe(0);
});

it("is settled once when two admins do so at the same time", async () => {
  await simulate(world, acme, await spentAndDisputed(), "dispute_lost");
  await close();
  await earn(world, acme.other, 5000);
  const transfer = () =>
    create(world, acme.admin.actor, {
      ...{ type: "transfer", account_id: acme.other.accountId, destination_account_id: acme.member.accountId },
      ...euros(1000),
    });
  const results = await Promise.allSettled([transfer(), transfer(), transfer()]);
  expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected", "rejected"]);
  expect(await balances()).toEqual({});
});

it("can be emptied if the dispute is won after all", async () => {
  const id = await spentAndDisputed();
  await close();
  const { accountId } = acme.member;
  const settled = { type: "adjustment", direction: "in", reason: "other", account_id: accountId } as const;
  await create(world, acme.admin.actor, { ...settled, ...euros(1000) });
  await simulate(world, acme, id, "dispute_won");
  expect(await balances()).toEqual({ available: 1250 });
  const away = { type: "transfer", account_id: accountId, destination_account_id: acme.other.accountId } as const;
  await create(world, acme.admin.actor, { ...away, ...euros(1250) });
  expect(await balances()).toEqual({});
});
