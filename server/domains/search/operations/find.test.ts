// The search over everything: what it finds, and that nobody finds what the lists do not show them.
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listAccounts } from "@/server/domains/accounts/operations/list";
import { listOwnAccounts } from "@/server/domains/accounts/operations/list-own";
import { createPayment } from "@/server/domains/payments/operations/create";
import { listPaymentRequests } from "@/server/domains/payments/operations/list";
import { listSubscriptions } from "@/server/domains/subscriptions/operations/read";
import { listTransactions } from "@/server/domains/transactions/operations/list";
import { listUsers } from "@/server/domains/users/operations/list";
import type { Actor } from "@/server/kit/context";
import { create } from "@/test/money";
import { subscribe } from "@/test/subscriber";
import { openWorld, refusalOf, type TestOrganization, type TestUser, type World } from "@/test/world";
import { findEverything } from "./find";

let world: World;
let acme: TestOrganization;
let other: TestOrganization;
let viewer: TestUser;
let operator: TestUser;
/** Every text and id by which any record of either organization could be found. */
let queries: string[];

const customers = ["Grégoire Müller", "Ada Lovelace", "Zoë Ada"];

async function populate(owner: TestUser, admin: TestUser): Promise<string[]> {
  const ids: string[] = [];
  for (const [i, name] of customers.entries()) {
    const customer = { name, email: `${owner.id}.${i}@shop.example` };
    const texts = {
      amount: 500 + i,
      currency: "EUR",
      customer,
      reference: `R-${owner.id}-${i}`,
      description: "Lesson",
    };
    const request = await world.call(createPayment, owner.actor, { type: "product", ...texts });
    const paid = await create(world, owner.actor, { type: "payment", ...texts });
    const own = { account_id: owner.accountId, amount: 1, currency: "EUR", description: "Lesson" };
    const credit = await create(world, admin.actor, { type: "credit", ...own });
    const subscription = await subscribe(world, owner.actor, { customer, description: "Box of bread" });
    ids.push(
      subscription.id,
      request.payment_id,
      paid.transaction_id,
      credit.transaction_id,
      customer.email,
      texts.reference,
    );
  }
  return [...ids, owner.id, owner.accountId];
}

beforeAll(async () => {
  world = await openWorld();
  [acme, other] = [await world.organization(), await world.organization("Other")];
  [viewer, operator] = [await world.user(acme.id, "viewer"), await world.user(acme.id, "operator")];
  const found: string[] = [];
  for (const { member, other: another, admin } of [acme, other]) {
    found.push(...(await populate(member, admin)), ...(await populate(another, admin)), admin.id);
  }
  queries = [...found, "gregoire", "ADA", "zoe ada", "box bread", "lesson", "example", "r", "mull lesson", "nothing"];
});
afterAll(() => world.close());

const find = (actor: Actor, q: string) => world.call(findEverything, actor, { q });

async function idsOf(actor: Actor, q: string) {
  const { payments, subscriptions, transactions, accounts, users } = await find(actor, q);
  return {
    payments: payments.map((one) => one.payment_id),
    subscriptions: subscriptions.map((one) => one.subscription_id),
    transactions: transactions.map((one) => one.transaction_id),
    accounts: accounts.map((one) => one.account_id),
    users: users.map((one) => one.user_id),
  };
}

/** What the lists show of the same text, a few of each. */
async function listed(actor: Actor, q: string) {
  const few = { q, limit: 5 };
  const isMember = actor.type === "user" && actor.role === "member";
  const seesUsers = actor.type === "user" && ["viewer", "admin"].includes(actor.role);
  return {
    payments: (await world.call(listPaymentRequests, actor, few)).data.map((one) => one.payment_id),
    subscriptions: (await world.call(listSubscriptions, actor, few)).data.map((one) => one.subscription_id),
    transactions: (await world.call(listTransactions, actor, few)).data.map((one) => one.transaction_id),
    accounts: (await world.call(isMember ? listOwnAccounts : listAccounts, actor, few)).data.map(
      (one) => one.account_id,
    ),
    users: seesUsers ? (await world.call(listUsers, actor, few)).data.map((one) => one.user_id) : [],
  };
}

describe("the search over everything", () => {
  it("shows each role what the lists show it, by any text or id of either organization", {
    timeout: 120_000,
  }, async () => {
    const roles = [acme.member, acme.other, viewer, operator, acme.admin, other.member, other.admin];
    let hits = 0;
    const property = fc.asyncProperty(fc.constantFrom(...roles), fc.constantFrom(...queries), async ({ actor }, q) => {
      const found = await idsOf(actor, q);
      expect(found).toEqual(await listed(actor, q));
      hits += Object.values(found).flat().length;
    });
    await fc.assert(property, { numRuns: 150 });
    expect(hits).toBeGreaterThan(100);
  });

  it("finds nothing of another member or organization, whatever names it", async () => {
    const nothing = { payments: [], subscriptions: [], transactions: [], accounts: [], users: [] };
    const foreign = queries.filter((q) => q.includes(acme.other.id) || q === acme.other.accountId);
    for (const q of [...foreign, acme.admin.id]) {
      expect([q, await idsOf(acme.member.actor, q)]).toEqual([q, nothing]);
      expect([q, await idsOf(other.admin.actor, q)]).toEqual([q, nothing]);
    }
    expect((await idsOf(operator.actor, acme.admin.id)).users).toEqual([]);
    expect((await idsOf(viewer.actor, acme.admin.id)).users).toEqual([acme.admin.id]);
  });

  it("tells records apart by texts, amount and status, the newest five of each kind", async () => {
    const found = await find(acme.admin.actor, "lesson");
    expect([found.payments.length, found.transactions.length]).toEqual([5, 5]);
    const { payments } = await find(acme.member.actor, "gregoire lesson");
    expect(payments).toMatchObject([
      { status: "pending", amount: 500, currency: "EUR", description: "Lesson", customer_name: "Grégoire Müller" },
    ]);
    expect(Object.keys(payments[0] ?? {})).not.toContain("payment_url");
  });

  it("finds accounts and users by a full address in any case", async () => {
    const { email } = (await find(acme.admin.actor, acme.member.id)).users[0] ?? { email: "" };
    const found = await idsOf(acme.admin.actor, ` ${email.toUpperCase()} `);
    expect(found).toMatchObject({ users: [acme.member.id], accounts: [acme.member.accountId] });
  });

  it("refuses a text without words, with too many, or too long", async () => {
    for (const q of ["", " % ", "a b c d e f g h i", "x".repeat(101)]) {
      expect([q, await refusalOf(find(acme.admin.actor, q))]).toEqual([q, "invalid_request"]);
    }
  });
});
