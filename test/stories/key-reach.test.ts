// What the holder of an API key can reach in a few calls: no more than the names of its scopes say.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { boundScopes, scopes } from "@/server/access/key-scopes";
import { scopeMeanings } from "@/server/access/scope-meanings";
import type { Actor } from "@/server/kit/context";
import { Failure } from "@/server/kit/errors";
import { operations } from "@/server/pipeline/operations";
import { anonymous, apiKey, newEmail, password } from "@/test/people";
import { openWorld, refusalOf, type TestOrganization, type TestUser, type World } from "@/test/world";

const { accounts, customers, payments, sessions, transactions, users } = operations;
const denied = "insufficient_permissions";

let world: World;
let org: TestOrganization;
/** Whose account the keys are after. */
let victim: TestUser;
beforeAll(async () => {
  world = await openWorld();
  org = await world.organization();
  victim = await world.user(org.id);
  await world.call(transactions.create, org.admin.actor, {
    ...{ type: "credit", amount: 500, currency: "EUR", account_id: victim.accountId },
  });
});
afterAll(() => world.close());

const keyWith = async (...given: string[]): Promise<Actor> => (await apiKey(world, org.id, given)).actor;
const bound = async (...given: string[]): Promise<Actor> =>
  (await apiKey(world, org.id, given, { accountId: victim.accountId })).actor;

/** The text of a refusal. */
const refusedWith = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => "not refused",
    (error) => (error instanceof Failure ? error.message : Promise.reject(error)),
  );

/** Lets a key with `users:write` create a member and sign in as that member. */
async function newMember(key: Actor): Promise<Actor> {
  const email = newEmail();
  const { user_id: userId } = await world.call(users.create, key, { email, password });
  const { session_id: sessionId } = await world.call(sessions.login, anonymous, { email, password });
  return {
    ...{ type: "user", userId, organizationId: org.id, role: "member", sessionId },
    ...{ sessionKind: "api", authenticatedAt: world.clock.now() },
  };
}

const give = (key: Actor, accountId: string, userId: string) =>
  world.call(accounts.update, key, { account_id: accountId, owner_user_id: userId });
const drain = (actor: Actor, into = org.other.accountId) =>
  world.call(transactions.create, actor, {
    ...{ type: "transfer", amount: 500, currency: "EUR" },
    ...{ account_id: victim.accountId, destination_account_id: into },
  });

it("is written down for every scope", () => {
  expect(Object.keys(scopeMeanings).sort()).toEqual([...scopes].sort());
});

describe("users:write and accounts:write", () => {
  it("cannot take over an account with an owner, nor one that has lost its owner", async () => {
    const key = await keyWith("users:write", "accounts:write");
    const member = await newMember(key);
    const userId = member.type === "user" ? member.userId : "";
    expect(await refusalOf(give(key, victim.accountId, userId))).toBe(denied);
    const leaver = await world.user(org.id);
    await world.call(users.remove, key, { user_id: leaver.id });
    expect(await refusalOf(give(key, leaver.accountId, userId))).toBe(denied);
    expect(await refusalOf(drain(member))).toBe("account_not_found");
  });

  it("cannot give the accounts of a removed member to somebody", async () => {
    const key = await keyWith("users:write", "accounts:write");
    const leaver = await world.user(org.id);
    const removal = { user_id: leaver.id, new_owner_user_id: org.other.id };
    expect(await refusalOf(world.call(users.remove, key, removal))).toBe(denied);
  });

  it("can with accounts:owner, as the description of that scope says", async () => {
    const key = await keyWith("users:write", "accounts:write", "accounts:owner");
    const member = await newMember(key);
    const { accountId } = await world.user(org.id);
    expect(await give(key, accountId, member.type === "user" ? member.userId : "")).toMatchObject({ status: "open" });
    expect((await world.call(accounts.get, member, { account_id: accountId })).account_id).toBe(accountId);
  });
});

it("accounts:owner alone changes nothing of an account", async () => {
  const key = await keyWith("accounts:owner");
  expect(await refusedWith(give(key, victim.accountId, org.other.id))).toBe("This needs the scope accounts:write.");
});

it("users:write makes members who see no account but their own, and removes members only", async () => {
  const key = await keyWith("users:write");
  const member = await newMember(key);
  const own = await world.call(accounts.own, member, {});
  expect(own.data).toHaveLength(1);
  expect(await refusalOf(world.call(accounts.get, member, { account_id: victim.accountId }))).toBe("account_not_found");
  for (const role of ["viewer", "operator", "admin"] as const) {
    const { id } = await world.user(org.id, role);
    expect(await refusedWith(world.call(users.remove, key, { user_id: id }))).toBe(
      "user_id: API keys remove members only",
    );
  }
});

it("payments:write and accounts:write move no money out", async () => {
  const key = await keyWith("payments:write", "payments:read", "accounts:write", "accounts:read");
  expect(await refusedWith(drain(key))).toBe("This needs the scope transactions:write.");
});

it("customers:write neither erases nor merges", async () => {
  const key = await keyWith("customers:write", "customers:read");
  const given = { account_id: victim.accountId, name: "Grace" };
  const { customer_id } = await world.call(customers.create, key, given);
  const { customer_id: into_customer_id } = await world.call(customers.create, key, given);
  const needed = "This needs the scope customers:erase.";
  expect(await refusedWith(world.call(customers.erase, key, { customer_id }))).toBe(needed);
  expect(await refusedWith(world.call(customers.merge, key, { customer_id, into_customer_id }))).toBe(needed);
  const eraser = await keyWith("customers:erase");
  await world.call(customers.merge, eraser, { customer_id, into_customer_id });
  await world.call(customers.erase, eraser, { customer_id: into_customer_id });
});

describe("a refusal", () => {
  it("names the scope that is missing", async () => {
    const key = await keyWith("payments:read");
    const request = { account_id: victim.accountId, type: "product", amount: 100, currency: "EUR" } as const;
    expect(await refusedWith(world.call(payments.create, key, request))).toBe("This needs the scope payments:write.");
  });

  it("says that no key may do it, or none that is bound to an account", async () => {
    const key = await keyWith(...scopes);
    expect(await refusedWith(world.call(operations.apiKeys.list, key, {}))).toBe("API keys cannot do this.");
    const own = { ...(await bound(...boundScopes)), scopes } as Actor;
    expect(await refusedWith(world.call(users.list, own, {}))).toBe(
      "API keys that are bound to one account cannot do this.",
    );
  });

  it("names the roles that may", async () => {
    const viewer = await world.user(org.id, "viewer");
    expect(await refusedWith(world.call(operations.apiKeys.list, org.member.actor, {}))).toBe(
      "This needs the role viewer or admin.",
    );
    expect(await refusedWith(world.call(customers.create, viewer.actor, { name: "Grace" }))).toBe(
      "This needs the role member, operator or admin.",
    );
  });
});

describe("a key that is bound to an account", () => {
  const money = { amount: 100, currency: "EUR" } as const;

  it("needs no account_id: it means its own account everywhere", async () => {
    const key = await bound(...boundScopes);
    const request = await world.call(payments.create, key, { type: "product", ...money });
    expect(request.account_id).toBe(victim.accountId);
    expect((await world.call(customers.create, key, { name: "Grace" })).account_id).toBe(victim.accountId);
    const paid = await world.call(transactions.create, key, { type: "payment", ...money });
    const parent = { parent_transaction_id: paid.transaction_id };
    const ofRequest = { payment_id: request.payment_id };
    const made = [
      paid,
      await world.call(transactions.create, key, { type: "payment", ...money, ...ofRequest }),
      await world.call(transactions.create, key, { type: "refund", amount: 100, ...parent }),
      await world.call(transactions.create, key, { type: "credit", ...money }),
      await world.call(transactions.create, key, {
        ...{ type: "adjustment", ...money, direction: "in", reason: "correction" },
      }),
      await world.call(transactions.create, key, {
        ...{ type: "transfer", ...money, destination_account_id: org.other.accountId },
      }),
    ];
    expect(made.map(({ account_id }) => account_id)).toEqual(made.map(() => victim.accountId));
    expect((await world.call(accounts.update, key, { account_name: "Renamed" })).account_id).toBe(victim.accountId);
  });

  it("closes its own account without naming it", async () => {
    const { accountId } = await world.user(org.id);
    const { actor } = await apiKey(world, org.id, ["accounts:write"], { accountId });
    expect(await world.call(accounts.close, actor, {})).toMatchObject({ account_id: accountId, status: "closed" });
  });

  it("does not find the payment request or the payment of another account without naming the account", async () => {
    const key = await bound(...boundScopes);
    const { actor, accountId } = await world.user(org.id);
    const { payment_id } = await world.call(payments.create, actor, { type: "product", ...money });
    const other = await world.call(transactions.create, actor, { type: "payment", ...money, account_id: accountId });
    const pay = world.call(transactions.create, key, { type: "payment", ...money, payment_id });
    expect(await refusalOf(pay)).toBe("payment_not_found");
    const refund = { type: "refund", amount: 1, parent_transaction_id: other.transaction_id } as const;
    expect(await refusalOf(world.call(transactions.create, key, refund))).toBe("transaction_not_found");
  });

  it("has no scope that concerns sessions, users, the audit log, the sandbox or owners", () => {
    const never = /^(sessions|users|audit|sandbox):|^accounts:owner$/;
    expect(boundScopes.filter((scope) => never.test(scope))).toEqual([]);
    expect(scopes.filter((scope) => !boundScopes.includes(scope) && !never.test(scope))).toEqual([]);
  });

  it("is not created with such a scope", async () => {
    const created = world.call(operations.apiKeys.create, org.admin.actor, {
      ...{ name: "Till", account_id: victim.accountId, scopes: ["sessions:write", "payments:read"] },
    });
    expect(await refusedWith(created)).toBe("scopes: a key that is bound to an account cannot carry sessions:write");
  });
});

it("a key for the whole organization must name the account", async () => {
  const key = await keyWith("payments:write");
  const request = world.call(payments.create, key, { type: "product", amount: 100, currency: "EUR" });
  expect(await refusedWith(request)).toBe("account_id: is required from an API key without an account");
});
